import { holdUser, rememberLanguage, rememberOrganization } from '../../directory/users.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { networkOf } from '../../platform/http/connections/network-address.ts'
import { deviceName } from '../../platform/http/device-name.ts'
import { type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import { hashToken, newToken, type RotatingKey } from '../../platform/secrets/secret.ts'
import { recordAudit } from '../audit/audit-trail.ts'
import type { SignedInCaller, SignInMethod, Visitor } from '../caller.ts'
import { logSecurity } from '../security-log.ts'
import { rememberBrowser } from './known-browser.ts'
import type { KnownCallers } from './known-callers.ts'
import { revokeSessionById } from './session-endings.ts'
import { SESSION_ABSOLUTE_SECONDS, SESSION_COOKIE, SESSION_IDLE_SECONDS } from './session-rules.ts'
import { insertSession, replaceSessionRow, revokeSession } from './session-store.ts'
import { recordEntry } from './sign-on-reach.ts'

export interface SessionNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'info'>
  /** This node forgets at once; the others hear of it from the database. */
  callers: Pick<KnownCallers, 'forget'>
  /** Marks the browser as one that its person has signed in with. */
  knownBrowserKeys: RotatingKey
}

export interface SessionStart {
  user: UserId
  /** Theirs, normalized. */
  email: string
  /** The organization to work in; null: none yet. */
  organization: OrganizationId | null
  method: SignInMethod
  ssoOrganization?: OrganizationId
  /** The identity provider's own session, where it has one. */
  upstreamSession?: string | null
  /** What the audit trail says of the way in, where `method` does not. */
  means?: 'recovery-link'
}

/**
 * Signs a person in: a fresh session under a fresh random id, its cookie set on the reply. A session that the browser
 * brought along ends: it is never taken over (fixation), nor left behind.
 * @param spend uses up what they have shown, in the transaction that makes the session: neither is without the other
 * @returns false where the account has another address by now, or is closed: what they have shown proves nothing then
 */
export async function startSession(
  needs: SessionNeeds,
  visitor: Visitor,
  start: SessionStart,
  spend?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const now = needs.clock.now()
  const token = newToken('ats')
  const session = {
    tokenHash: hashToken(token),
    user: start.user,
    organization: start.organization,
    method: start.method,
    ssoOrganization: start.ssoOrganization ?? null,
    upstreamSession: start.upstreamSession ?? null,
    network: networkOf(visitor.address),
    device: deviceName(visitor.userAgent),
    idleExpiresAt: secondsAfter(now, SESSION_IDLE_SECONDS),
    absoluteExpiresAt: secondsAfter(now, SESSION_ABSOLUTE_SECONDS),
  }
  const earlier = visitor.cookies.read(SESSION_COOKIE)
  const begun = await transaction(needs.db, async (tx) => {
    if (!(await holdUser(tx, start.user, start.email))) return undefined
    await spend?.(tx)
    await insertSession(tx, session, now)
    await rememberLanguage(tx, start.user, visitor.language)
    if (start.organization) await rememberOrganization(tx, start.user, start.organization)
    const ended = earlier && (await revokeSession(tx, hashToken(earlier), now, true))
    await recordSignIn(tx, visitor, start, now)
    return { ended }
  })
  if (!begun) return false
  const { user, organization, method, means } = start
  logSecurity(needs.log, 'sign-in', { user, organization, method: means ?? method }, visitor)
  if (begun.ended) needs.callers.forget(begun.ended)
  visitor.cookies.write(SESSION_COOKIE, token, { maxAgeSeconds: SESSION_ABSOLUTE_SECONDS })
  rememberBrowser({ keys: needs.knownBrowserKeys, cookies: visitor.cookies }, start.email, now)
  return true
}

/** A session that begins in an organization is in its trail: who, by what, and from where. */
async function recordSignIn(tx: Tx, visitor: Visitor, start: SessionStart, now: Date): Promise<void> {
  const { user, organization, method, means } = start
  if (!organization) return
  const { requestId, address } = visitor
  await recordAudit(tx, organization, { user: { id: user }, requestId, address }, now, {
    action: 'member.signed-in',
    target: { kind: 'user', id: user },
    detail: { method: means ?? method },
  })
}

/**
 * Moves a session into another organization, under a new id. How it was made and when it ends at the latest stay
 * as they are. Of several calls at once one moves it.
 * @returns false where the session has ended meanwhile
 * @throws Refusal forbidden where the organization wants a sign-in that is not so long ago
 */
export async function replaceSession(
  needs: SessionNeeds,
  caller: SignedInCaller,
  organization: OrganizationId,
): Promise<boolean> {
  const earlier = caller.cookies.read(SESSION_COOKIE)
  if (!earlier) return false
  const now = needs.clock.now()
  const token = newToken('ats')
  const replacement = {
    earlierHash: hashToken(earlier),
    tokenHash: hashToken(token),
    organization,
    idleExpiresAt: secondsAfter(now, SESSION_IDLE_SECONDS),
  }
  const endsAt = await transaction(needs.db, async (tx) => {
    // before the session, as endings of all sessions do: neither escapes the other
    if (!(await holdUser(tx, caller.user.id))) return undefined
    const ends = await replaceSessionRow(tx, replacement, now)
    if (ends && ends <= now) throw Refusal.of('signed-in-too-long-ago')
    if (ends) await rememberOrganization(tx, caller.user.id, organization)
    if (ends) await recordEntry(tx, caller, organization, now)
    return ends
  })
  if (!endsAt) return false
  needs.callers.forget(caller.user.id)
  const maxAgeSeconds = Math.max(1, Math.floor((endsAt.getTime() - now.getTime()) / 1_000))
  caller.cookies.write(SESSION_COOKIE, token, { maxAgeSeconds })
  return true
}

/**
 * Ends the session of the browser that asks, and removes its cookie: on this node at once, on the others when its
 * notification arrives, within 10 s at the latest. It is ended by its id: the token of the cookie is worth nothing where
 * the session moves to another organization at that moment.
 */
export async function endSession(needs: SessionNeeds, caller: SignedInCaller): Promise<void> {
  const { user, session } = caller
  const id = trusted.rowId(session.id)
  await transaction(needs.db, (tx) => revokeSessionById(tx, user.id, id, needs.clock.now()))
  needs.callers.forget(user.id)
  caller.cookies.remove(SESSION_COOKIE)
}
