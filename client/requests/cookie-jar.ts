/** Cookies of one office, for programs outside a browser. One jar per person and office. */
export interface CookieJar {
  /** The value of a cookie that has not expired. */
  get(name: string): string | undefined
  /** Keeps a cookie for all paths until the jar is cleared. */
  set(name: string, value: string): void
  clear(): void
  /** Keeps and removes what the `Set-Cookie` headers of an answer from `url` say. */
  receive(setCookies: readonly string[], url: URL): void
  /** The `Cookie` header of a request to `url`; undefined where no cookie belongs there. */
  headerFor(url: URL): string | undefined
}

interface Cookie {
  name: string
  value: string
  path: string
  secure: boolean
  /** Milliseconds since 1970; undefined: as long as the jar. */
  expiresAt: number | undefined
}

/** An in-memory jar. It serves a single origin, so the `Domain` attribute means nothing to it. */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>()

  function alive(): Cookie[] {
    const now = Date.now()
    return [...cookies.values()].filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
  }

  function keep(cookie: Cookie): void {
    // the same name may live under several paths
    cookies.set(`${cookie.name};${cookie.path}`, cookie)
  }

  return {
    get: (name) => alive().find((cookie) => cookie.name === name)?.value,
    set: (name, value) => keep({ name, value, path: '/', secure: false, expiresAt: undefined }),
    clear: () => cookies.clear(),
    receive(setCookies, url) {
      for (const text of setCookies) {
        const cookie = parseSetCookie(text, url)
        if (cookie && acceptable(cookie, url)) keep(cookie)
      }
    },
    headerFor(url) {
      const fitting = alive().filter(
        (cookie) => pathMatches(url.pathname, cookie.path) && (!cookie.secure || isTrustworthy(url)),
      )
      if (fitting.length === 0) return undefined
      // the most specific path first, as RFC 6265 has it
      return fitting
        .sort((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ')
    },
  }
}

function parseSetCookie(text: string, url: URL): Cookie | undefined {
  const [pair = '', ...rest] = text.split(';')
  const separator = pair.indexOf('=')
  if (separator < 1) return undefined

  const attributes = new Map(rest.map(splitAttribute))
  const path = attributes.get('path')
  return {
    name: pair.slice(0, separator).trim(),
    value: pair.slice(separator + 1).trim(),
    path: path?.startsWith('/') ? path : defaultPath(url),
    secure: attributes.has('secure'),
    expiresAt: expiryOf(attributes),
  }
}

function splitAttribute(text: string): [name: string, value: string] {
  const [name = '', ...value] = text.split('=')
  return [name.trim().toLowerCase(), value.join('=').trim()]
}

/** `Max-Age` before `Expires`, as RFC 6265 has it; what cannot be read does not count. */
function expiryOf(attributes: Map<string, string>): number | undefined {
  const maxAge = attributes.get('max-age') ?? ''
  if (/^-?\d+$/.test(maxAge)) return Date.now() + Number(maxAge) * 1000

  const expires = Date.parse(attributes.get('expires') ?? '')
  return Number.isNaN(expires) ? undefined : expires
}

/** The folder of the request's path. */
function defaultPath(url: URL): string {
  return url.pathname.slice(0, url.pathname.lastIndexOf('/')) || '/'
}

/** Refused as a browser would: `Secure` over plain http, `__Host-` without what the prefix promises. */
function acceptable(cookie: Cookie, url: URL): boolean {
  if (cookie.secure && !isTrustworthy(url)) return false
  if (cookie.name.startsWith('__Host-')) return cookie.secure && cookie.path === '/'
  return true
}

/** https, or this machine, which browsers trust as much. */
function isTrustworthy(url: URL): boolean {
  return url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}

function pathMatches(path: string, cookiePath: string): boolean {
  if (path === cookiePath) return true
  return path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`)
}
