const ANY_PORT = ':*'
const PORT = /^(:[0-9]{1,5})?$/

/** An entry of a list of origins that stands for every port of a host. @param origin without a port, or with one */
export function anyPortOf(origin: string): string {
  const { protocol, hostname } = new URL(origin)
  return `${protocol}//${hostname}${ANY_PORT}`
}

/** Whether a list names an origin, as browsers send it: letter by letter, but for the ports of `anyPortOf`. */
export function allowsOrigin(origins: readonly string[], origin: string): boolean {
  return origins.some((entry) => {
    if (!entry.endsWith(ANY_PORT)) return entry === origin
    const host = entry.slice(0, -ANY_PORT.length)
    return origin.startsWith(host) && PORT.test(origin.slice(host.length))
  })
}
