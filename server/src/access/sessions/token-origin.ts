import type { BotCaller, MemberCaller } from '../caller.ts'

/** What a token was minted from: it is void when either has ended. */
export interface TokenOrigin {
  /** Id of the session; `0` of a bot, which has none. */
  sid: string
  /** The stretch of membership: a member who leaves and comes back has another one. */
  membership: string
}

const INTERNAL_ID = /^[1-9][0-9]{0,18}$/
const NO_SESSION = '0'

/** As claims of a token for the caller. */
export function tokenOriginOf(caller: MemberCaller | BotCaller): TokenOrigin {
  const sid = 'session' in caller ? caller.session.id : NO_SESSION
  return { sid, membership: caller.organization.membershipGeneration }
}

/** From claims; undefined where they name no origin: such a token is none of ours, or of an earlier release. */
export function parseTokenOrigin(claims: unknown): TokenOrigin | undefined {
  if (typeof claims !== 'object' || claims === null) return undefined
  const { sid, membership } = claims as Partial<Record<keyof TokenOrigin, unknown>>
  return (isId(sid) || sid === NO_SESSION) && isId(membership) ? { sid, membership } : undefined
}

/** When a token ends: after its lifetime, or with the session. */
export function tokenExpiry(lifetimeEnd: Date, caller: MemberCaller | BotCaller): Date {
  if (!('session' in caller)) return lifetimeEnd
  const { endsAt } = caller.session
  return endsAt < lifetimeEnd ? endsAt : lifetimeEnd
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && INTERNAL_ID.test(value)
}
