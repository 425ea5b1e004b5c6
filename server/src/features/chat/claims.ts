import type { EndedAccess } from '../../access/sessions/ended-access.ts'
import { parseTokenOrigin, type TokenOrigin } from '../../access/sessions/token-origin.ts'
import type { Clock } from '../../platform/clock.ts'
import { parseInternalId } from '../../platform/ids.ts'
import { boundedCache } from '../../platform/limits/bounded-cache.ts'
import type { RotatingKey } from '../../platform/secrets/secret.ts'
import { verifyToken } from '../../platform/secrets/signed-token.ts'
import { PostgrestFault } from './faults.ts'

export interface ChatTokens {
  /** Of HS256. */
  keys: RotatingKey
}

export const AUDIENCE = 'authenticated'
/** What tokens name, and as whom the database works for them. */
export const DATABASE_ROLE = 'authenticated'

/** Who asks, and in which organization: internal ids. */
export interface Claims {
  userId: string
  organizationId: string
}

interface Known {
  claims: Claims
  origin: TokenOrigin
  /** Unix milliseconds. */
  expiresAt: number
}

const KNOWN_MAX = 10_000
const TOKEN_LENGTH_MAX = 4_096
const BEARER = /^Bearer +([^\s]+) *$/i

/**
 * Reads the bearer token of a request. A signature that was right once is not checked again: tokens are good for an
 * hour and come with every request. Whether the session and the membership it was minted from go on is asked every
 * time; in memory.
 */
export function claimsReader(
  tokens: ChatTokens,
  clock: Clock,
  ended: Pick<EndedAccess, 'has' | 'current'>,
): (header: string | undefined) => Promise<Claims> {
  const known = boundedCache<string, Known>(KNOWN_MAX)

  const verify = async (token: string, now: Date): Promise<Known> => {
    const verdict = await verifyToken(token, tokens.keys.all, { now, audience: AUDIENCE })
    if (verdict === 'expired') throw expired()
    if (verdict === 'invalid') throw refused('PGRST301', 'No suitable key or wrong key type')
    const { role, user_id: userId, org_id: organizationId, exp } = verdict
    const complete = role === DATABASE_ROLE && isInternalId(userId) && isInternalId(organizationId)
    if (!complete || typeof exp !== 'number')
      throw refused('PGRST303', 'The claims of the JWT are not complete')
    const origin = parseTokenOrigin(verdict)
    // of an earlier release: its client asks for another as for one that has expired
    if (!origin) throw expired()
    return { claims: { userId, organizationId }, origin, expiresAt: exp * 1_000 }
  }

  const find = async (token: string, now: Date): Promise<Known> => {
    const before = known.get(token)
    if (before && now.getTime() < before.expiresAt) return before
    known.delete(token)
    const found = await verify(token, now)
    known.set(token, found)
    return found
  }

  return async (header) => {
    if (header === undefined) throw refused('PGRST302', 'Anonymous access is disabled')
    const [, token] = BEARER.exec(header) ?? []
    if (!token || token.length > TOKEN_LENGTH_MAX) throw refused('PGRST301', 'The bearer token is not a JWT')
    const found = await find(token, clock.now())
    const catchingUp = ended.current()
    if (catchingUp) await catchingUp
    if (ended.has(found.origin)) throw sessionEnded()
    return found.claims
  }
}

function isInternalId(value: unknown): value is string {
  return typeof value === 'string' && parseInternalId(value) !== undefined
}

function expired(): PostgrestFault {
  return new PostgrestFault(401, 'PGRST303', 'JWT expired', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token", error_description="JWT expired"' },
  })
}

function sessionEnded(): PostgrestFault {
  return new PostgrestFault(401, 'PGRST303', 'The session or membership of this JWT has ended', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token", error_description="session ended"' },
  })
}

function refused(code: string, message: string): PostgrestFault {
  return new PostgrestFault(401, code, message, { headers: { 'www-authenticate': 'Bearer' } })
}
