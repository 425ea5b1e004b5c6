/** What went over the wire, for people to read: requests and replies, with everything secret cut short. */
export interface Exchanges {
  /** The lines of what has been exchanged since the last time. */
  take(): string[]
}

const BODY_MAX = 2_000
/** Secrets up to this length are not shown at all. */
const SHORT = 8
/** The stand-ins for vendors, and whether the office is there: nothing that a front end calls. */
const LEFT_OUT = /^\/(sandbox|health)(\/|$)/
/** Pages are for browsers: that one came is enough. */
const READABLE = /json|^text\/plain|x-www-form-urlencoded/
const HEADERS_SHOWN = ['authorization', 'cookie', 'origin', 'sec-fetch-site', 'x-webhook-secret'] as const

/** Listens to every request of this process from now on. */
export function recordExchanges(): Exchanges {
  let lines: string[] = []
  const send = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await send(input, init)
    const url = new URL(input instanceof Request ? input.url : input)
    if (!LEFT_OUT.test(url.pathname)) {
      const exchange = [...requestLines(url, init), ...(await replyLines(response))]
      lines.push(...exchange.map((line) => `      ${line}`))
    }
    return response
  }
  return {
    take() {
      const taken = lines
      lines = []
      return taken
    },
  }
}

function requestLines(url: URL, init: RequestInit = {}): string[] {
  const headers = new Headers(init.headers)
  const shown = HEADERS_SHOWN.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [`  ${name}: ${withoutSecrets(value, name)}`]
  })
  const type = headers.get('content-type')
  // the usual one goes without saying
  if (type !== null && !type.startsWith('application/json')) shown.push(`  content-type: ${type}`)
  const path = withoutSecrets(url.pathname + url.search)
  const body = bodyText(init.body, type)
  return [`${init.method ?? 'GET'} ${path}${body && ` ${body}`}`, ...shown]
}

async function replyLines(response: Response): Promise<string[]> {
  const type = response.headers.get('content-type')
  const isText = READABLE.test(type ?? '')
  // of a copy: the step reads the reply itself
  const body = isText ? bodyText(await response.clone().text(), type) : `<${type ?? 'no body'}>`
  const cookies = response.headers
    .getSetCookie()
    .map((text) => `  set-cookie: ${withoutSecrets(text, 'cookie')}`)
  const location = response.headers.get('location')
  return [
    `→ ${response.status} ${body}`,
    ...(location === null ? [] : [`  location: ${withoutSecrets(location)}`]),
    ...cookies,
  ]
}

function bodyText(body: unknown, contentType: string | null): string {
  if (body === undefined || body === null) return ''
  const text =
    typeof body === 'string'
      ? body
      : body instanceof Uint8Array && READABLE.test(contentType ?? '')
        ? new TextDecoder().decode(body)
        : undefined
  if (text === undefined) return `<${contentType ?? 'bytes'}>`
  const shown = withoutSecrets(shortened(text))
  return shown.length <= BODY_MAX ? shown : `${shown.slice(0, BODY_MAX)}… (${shown.length} characters)`
}

/** JSON with the strings of secret fields cut short; other text as it is. */
function shortened(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      typeof value === 'string' && isSecret(name, value) ? cut(value) : value,
    )
  } catch {
    return text
  }
}

/** `state` is a word where it is not a secret: that of an invitation, of a domain. */
function isSecret(name: string, value: string): boolean {
  return (
    /token|secret|password|verifier|challenge|^code$/i.test(name) || (name === 'state' && value.length > 20)
  )
}

const SECRET_PARAMETER =
  /((?:^|[?&])(?:[\w-]*(?:token|signature|credential|challenge|nonce)|code|state|sid|uid)=)([^&#\s"]+)/gi
/** As we make them (`ats_…`), and what is signed or sealed (JWT, JWE). */
const SECRET_VALUE = /\b([a-z]{2,8}_[\w-]{43}|eyJ[\w-]+(?:\.[\w-]*){2,4})/g

/** Shortens the secrets in a text to their first four characters, and removes short ones. */
function withoutSecrets(text: string, header = ''): string {
  if (header === 'cookie') return text.replaceAll(/(^|; )([^=;]+)=([^;]{1,4})[^;]*/g, cookie)
  if (header === 'authorization')
    return text.replace(/^(\w+ )?(.*)$/, (_, kind = '', value) => kind + cut(value))
  if (header === 'x-webhook-secret') return cut(text)
  return text
    .replaceAll(SECRET_PARAMETER, (_, name: string, value: string) => name + cut(value))
    .replaceAll(SECRET_VALUE, (value) => cut(value))
}

/** Also of `Set-Cookie`: its attributes are no secrets. */
function cookie(whole: string, before: string, name: string, start: string): string {
  return /^(max-age|path|samesite|expires|domain)$/i.test(name) ? whole : `${before}${name}=${start}…`
}

/** Four characters of a code that was mailed would be most of it. */
function cut(value: string): string {
  if (value === '') return ''
  return value.length <= SHORT ? '…' : `${value.slice(0, 4)}…`
}
