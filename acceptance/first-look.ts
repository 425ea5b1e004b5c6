import { type RawAnswer, sendRaw } from './raw-http.ts'

/** What keeps anybody from walking through an office at an address, in one sentence each. */
export class NotWalkable extends Error {}

/**
 * Looks whether an office that can be walked through answers at an address: without it, every walk would fail in another
 * place, and none would say why.
 * @returns what may make walks fail all the same, in a sentence
 * @throws NotWalkable
 */
export async function lookAtOffice(url: string): Promise<string | undefined> {
  const answer = await answerOf(url)
  const office = officeIn(answer)
  if (!office)
    throw new NotWalkable(
      `Something answers at ${url}, but it is no Atrium: GET /office was answered with ${answer.status}. Is this the address of the office, and not of a page or a proxy in front of it?`,
    )
  if (office.environment === 'production')
    throw new NotWalkable(
      `The office at ${url} is one in production: the walks read their mails at /sandbox/mail, which is there in development and test only (ATRIUM_ENV).`,
    )
  const own = await addressItTells(url)
  // no reason to refuse: one node behind a proxy may be walked through as well
  if (own !== undefined && new URL(own).origin !== new URL(url).origin)
    return `The office at ${url} takes ${own} for its address: its links, redirects and cookies lead there. Where walks fail, walk through ${own}, or start it with BASE_URL=${url}.`
  return undefined
}

async function answerOf(url: string): Promise<RawAnswer> {
  try {
    return await sendRaw(`${url}/office`, { headers: { accept: 'application/json' } })
  } catch (error) {
    throw new NotWalkable(whyNoAnswer(url, error), { cause: error })
  }
}

/** In words: of a request that fails, the reason is a code, some causes deep. */
function whyNoAnswer(url: string, error: unknown): string {
  const code = codeOf(error)
  const { hostname, host } = new URL(url)
  if (code === 'ECONNREFUSED') return `Nothing listens at ${host}. Is the office started, and at this port?`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The name ${hostname} leads nowhere (${code}).`
  if (CERTIFICATE.test(code))
    return `The certificate of ${host} is not trusted (${code}). Where it is of an authority of your own, name its file: NODE_EXTRA_CA_CERTS=/path/to/authority.pem npx node acceptance/run.ts --url ${url}`
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return `${host} does not speak TLS as asked (${code}). Is it http:// and not https://?`
  if (code.startsWith('HPE_') || code === 'UND_ERR_SOCKET')
    return `${host} does not answer in HTTP (${code}). Is it https:// and not http://?`
  return `Nothing answers at ${url} (${code}).`
}

/** Of Node and OpenSSL: unknown authorities, other names, expired ones. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/

function codeOf(error: unknown): string {
  let said = String(error)
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code, message, name } = at as Error & { code?: unknown }
    if (typeof code === 'string') return code
    said = name === 'TimeoutError' ? 'no answer within 30 s' : message
  }
  return said
}

function officeIn({ status, text }: RawAnswer): { environment: string } | undefined {
  const said = status === 200 ? parsed(text) : undefined
  const { environment, version } = (said ?? {}) as { environment?: unknown; version?: unknown }
  return typeof environment === 'string' && typeof version === 'string' ? { environment } : undefined
}

/** BASE_URL, by the reference. */
async function addressItTells(url: string): Promise<string | undefined> {
  const { text } = await sendRaw(`${url}/openapi.json`, { headers: { accept: 'application/json' } })
  const { servers } = (parsed(text) ?? {}) as { servers?: { url?: unknown }[] }
  const address = servers?.[0]?.url
  return typeof address === 'string' && URL.canParse(address) ? address : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
