import type { Operation } from '@atrium/contract'
import { normalizeEmail } from '../../directory/email-address.ts'
import { listActiveMemberships } from '../../directory/members/memberships.ts'
import { readOrganization } from '../../directory/organizations.ts'
import { findUserByEmail } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { type OrganizationId, trusted, type UserId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import { unawaited } from '../../platform/timing/unawaited.ts'
import type { AnyCaller, Visitor } from '../caller.ts'
import { logSecurity } from '../security-log.ts'
import { type AuditTarget, recordAudit } from './audit-trail.ts'

export interface SignInRefusals {
  /**
   * Writes a refused way in, or into an organization, down, beside the reply and never in its way. Other operations and
   * errors are passed over.
   */
  note(operation: { id: string; declared: Operation }, refused: RefusedSignIn): void
  /** Waits for what is being written down. */
  settle(): Promise<void>
}

export interface RefusedSignIn {
  visitor: AnyCaller
  input: Record<string, unknown>
  error: unknown
}

export interface SignInRefusalNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * The stable words of refusals that keep a person out of an organization. The trail has them from where they are made.
 */
const KEPT_OUT = new Set(['removed', 'membership-inactive'])

function noteJoin(
  log: SignInRefusalNeeds['log'],
  operation: string,
  visitor: AnyCaller,
  error: Refusal,
): void {
  const user = 'user' in visitor ? visitor.user.id : null
  logSecurity(log, 'join-refused', { operation, reason: error.error ?? error.kind, user }, visitor)
}

/** What is written down at once; more than that is only logged, so that a flood of guesses holds no connection. */
const AT_ONCE_MAX = 20

/**
 * Records refused sign-ins and their network addresses: one line of the log, and an entry in the trail of every
 * organization of the account under the named e-mail. Written down after the reply, which takes as long for an unknown
 * e-mail.
 */
export function watchSignInRefusals(needs: SignInRefusalNeeds): SignInRefusals {
  const writing = unawaited()
  return {
    note({ id, declared }, { visitor, input, error }) {
      if (!(error instanceof Refusal)) return
      if (KEPT_OUT.has(error.error ?? '')) return noteJoin(needs.log, id, visitor, error)
      const isWayIn = declared.budgets?.includes('sign-in-per-address') === true
      if (!isWayIn || error.kind === 'unavailable') return
      const reason = error.error ?? error.kind
      const facts = { operation: id, reason }
      if (writing.size() >= AT_ONCE_MAX) return logSecurity(needs.log, 'sign-in-refused', facts, visitor)
      writing.begin(
        writeDown(needs, visitor, { facts, email: emailIn(input), scope: error.scope }),
        (cause) => needs.log.warn({ err: cause }, 'a refused sign-in could not be written down'),
      )
    },
    settle: writing.settle,
  }
}

function emailIn(input: Record<string, unknown>): string | undefined {
  return typeof input.email === 'string' ? normalizeEmail(input.email) : undefined
}

async function writeDown(
  needs: SignInRefusalNeeds,
  visitor: Visitor,
  about: { facts: Record<string, string>; email: string | undefined; scope: string | undefined },
): Promise<void> {
  const found = await concerned(needs.db, about).catch(() => undefined)
  const user = found?.user ?? null
  logSecurity(needs.log, 'sign-in-refused', { ...about.facts, user }, visitor)
  const { requestId, address } = visitor
  // the caller has not proven who they are: the entry names the account, not its owner as the author
  const author = { user: null, requestId, address }
  for (const organization of found?.organizations ?? []) {
    const target: AuditTarget = user
      ? { kind: 'user', id: user }
      : { kind: 'organization', id: organization.identityId }
    await transaction(needs.db, (tx) =>
      recordAudit(tx, organization.id, author, needs.clock.now(), {
        action: 'member.sign-in-refused',
        target,
        detail: about.facts,
      }),
    )
  }
}

/** The account of the refusal, and the organizations with a trail that it belongs into. */
async function concerned(
  db: Db,
  { email, scope }: { email: string | undefined; scope: string | undefined },
): Promise<{ user: UserId | null; organizations: { id: OrganizationId; identityId: string }[] }> {
  const user = email === undefined ? undefined : await findUserByEmail(db, email)
  const memberships = user ? await listActiveMemberships(db, user.id) : []
  const organizations = memberships.map((one) => ({
    id: one.organizationId,
    identityId: one.organizationIdentityId,
  }))
  const named = scope === undefined ? undefined : await readOrganization(db, trusted.organizationId(scope))
  if (named && !organizations.some(({ id }) => id === named.id)) organizations.push(named)
  return { user: user?.id ?? null, organizations }
}
