import { AtriumError, AtriumUnreachable } from '../errors.ts'
import type { AtriumClient } from '../index.ts'
import type { OutboxOwner } from '../outbox/entry.ts'
import { NotTheirSession } from '../outbox/not-their-session.ts'
import { retryAfterOf } from './retry-after.ts'

export interface Token {
  text: string
  /** `User.id`. */
  userId: number
  organizationId: string
  /** Milliseconds since 1970, by the office's time. */
  renewAt: number
}

const RENEW_BEFORE_MS = 5 * 60_000
/** Tokens of many pages that were taken at once are renewed over as long. */
const RENEW_OVER_MS = 5 * 60_000
const ANSWER_WITHIN_MS = 30_000

/** The earlier data access of chat, with a token that renews itself. */
export interface ChatAccess {
  readonly client: AtriumClient
  /** The token of now; undefined: the next call takes another one. */
  minting: Promise<Token> | undefined
}

export async function tokenNow(access: ChatAccess): Promise<Token> {
  const asked = access.minting
  const known = await asked?.catch(() => undefined)
  if (known && access.client.time.now() < known.renewAt) return known
  // of several who need one at once, the first has it minted
  if (access.minting === asked) access.minting = mint(access.client)
  return await (access.minting ?? tokenNow(access))
}

export interface CallAs {
  prefer?: string
  /** The person of the only token that will do. */
  owner?: OutboxOwner
}

export function ownerOf({ userId, organizationId }: Token): OutboxOwner {
  return { person: String(userId), organization: organizationId }
}

/** Another tab may have signed in as another person: nothing is sent in their name. */
export async function requireOwner(access: ChatAccess, owner: OutboxOwner): Promise<Token> {
  const found = await tokenNow(access).catch((error: unknown) => {
    // there is no session, or it is in no organization
    if (error instanceof AtriumError && [401, 403].includes(error.status)) throw new NotTheirSession()
    throw error
  })
  const { person, organization } = ownerOf(found)
  if (person !== owner.person || organization !== owner.organization) throw new NotTheirSession()
  return found
}

/** @param path below `/rest/v1` */
export async function callChat<Answer>(
  access: ChatAccess,
  path: string,
  body: object,
  { prefer, owner }: CallAs = {},
): Promise<Answer> {
  const { client } = access
  const text = async () => (owner ? await requireOwner(access, owner) : await tokenNow(access)).text
  const first = await post(client, path, body, await text(), prefer)
  if (first.status !== 401) return answerOf(path, first)
  // it ended with the session that it was minted from, or with a switch: a token of today, once
  access.minting = undefined
  return answerOf(path, await post(client, path, body, await text(), prefer))
}

async function mint(client: AtriumClient): Promise<Token> {
  const { token: text } = await client.call('mintChatToken')
  const claims = text.split('.')[1] ?? ''
  const { user_id, org_id, exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
  const renewBefore = RENEW_BEFORE_MS + Math.random() * RENEW_OVER_MS
  return {
    text,
    userId: Number(user_id),
    organizationId: String(org_id),
    renewAt: Number(exp) * 1_000 - renewBefore,
  }
}

interface Received {
  status: number
  headers: Headers
  text: string
}

async function post(
  client: AtriumClient,
  path: string,
  body: object,
  token: string,
  prefer: string | undefined,
): Promise<Received> {
  const headers = new Headers({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
  if (prefer) headers.set('prefer', prefer)
  const askedAt = performance.now()
  try {
    const response = await client.fetch(`${client.baseUrl}/rest/v1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      credentials: 'omit',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    client.time.heard(response.headers, askedAt)
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    throw new AtriumUnreachable(path, 'No answer from chat', { cause })
  }
}

function answerOf<Answer>(path: string, { status, headers, text }: Received): Answer {
  let body: unknown
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    throw new AtriumUnreachable(path, `The answer (${status}) is not JSON`, { status, cause })
  }
  if (status < 400) return body as Answer

  const said = (typeof body === 'object' && body !== null ? body : {}) as { code?: string; message?: string }
  const retryAfterSeconds = retryAfterOf(headers)
  throw new AtriumError(path, {
    status,
    code: status,
    message: said.message ?? `Refused with ${status}`,
    ...(said.code === undefined ? {} : { error: said.code }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
