import type { Input, Reply } from '@atrium/contract'
import { listFormerNames } from '../../access/audit/audit-erasure.ts'
import { type AuditEntry, type AuditTarget, recordAudits } from '../../access/audit/audit-trail.ts'
import type { CallerOf, SignedInCaller } from '../../access/caller.ts'
import { logSecurity } from '../../access/security-log.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { deactivateOrganization, revokeSessionsOf } from '../../access/sessions/session-endings.ts'
import { SESSION_COOKIE } from '../../access/sessions/session-rules.ts'
import { requireReachOfAll } from '../../access/sessions/sign-on-reach.ts'
import { closeAccount, listPlaces, lockMembershipsOf, type Place } from '../../directory/erasure.ts'
import { keepRemovals } from '../../directory/members/departures.ts'
import { lockMembers, removeMembership } from '../../directory/members/members.ts'
import { findOrganizationById, markOrganizationDeleted } from '../../directory/organizations.ts'
import { lockUser } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { RotatingKey } from '../../platform/secrets/secret.ts'
import { revokeInvitationsOf } from '../invitations/reads.ts'
import { proveByCodes } from './confirmation.ts'
import { eraseLater } from './erase.ts'
import { endsWithThem, requireNotNeeded } from './rules.ts'
import { dropConfirmations, useConfirmation } from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  accountCodeKeys: RotatingKey
  callers: Pick<KnownCallers, 'forget'>
  log: Pick<Log, 'info'>
}

/**
 * Takes an account out of everything at once: sessions, organizations, and what was minted in them (migration 0019).
 * The same transaction queues the erasure of what is stored of it: a crash in between loses nothing.
 */
export async function confirmAccountDeletion(
  needs: Needs,
  caller: CallerOf<'confirmAccountDeletion'>,
  input: Input<'confirmAccountDeletion'>,
): Promise<Reply<'confirmAccountDeletion'>> {
  await requireReachOfAll(needs.db, caller)
  const { attempt } = await proveByCodes(needs, caller, { purpose: 'deletion', code: input.code })
  const now = needs.clock.now()
  const { id } = caller.user
  const ended = await transaction(needs.db, async (tx) => {
    if (!(await useConfirmation(tx, attempt))) throw Refusal.of('invalid-code')
    const places = await lockPlaces(tx, caller)
    requireNotNeeded(places)
    await dropConfirmations(tx, id)
    // while they are members still, so that their own connections are told
    await revokeSessionsOf(tx, id, now)
    for (const place of places) await leave(tx, caller, place, now)
    const formerNames = await listFormerNames(tx, id)
    await keepRemovals(tx, id)
    const person = await closeAccount(tx, id, now)
    if (!person) throw Refusal.of('invalid-code')
    const names = [...new Set([...person.names, ...formerNames])]
    await eraseLater(tx, { ...person, names }, now)
    for (const place of places) await record(tx, caller, place, now)
    return places.filter(endsWithThem)
  })
  for (const { organizationId } of ended) needs.callers.forget(`organization:${organizationId}`)
  needs.callers.forget(id)
  logSecurity(needs.log, 'account-deleted', { user: id }, caller)
  caller.cookies.remove(SESSION_COOKIE)
  return { status: 204 }
}

/**
 * All their organizations, locked in one order against every other change of members, then their memberships, and the
 * account itself: an organization that lets them in at this moment is through before, or finds no account.
 */
async function lockPlaces(tx: Tx, { user }: SignedInCaller): Promise<Place[]> {
  const lockMembersOf = async (places: readonly Place[]) => {
    for (const { organizationId } of places) await lockMembers(tx, organizationId)
  }
  await lockMembersOf(await listPlaces(tx, user.id))
  await lockMembershipsOf(tx, user.id)
  await lockUser(tx, user.id)
  const places = await listPlaces(tx, user.id)
  // those that they came into just before
  await lockMembersOf(places)
  return places
}

async function leave(tx: Tx, { user }: SignedInCaller, place: Place, now: Date): Promise<void> {
  const { organizationId } = place
  await revokeInvitationsOf(tx, organizationId, user, now)
  // Triggers of the table see to presence, rooms, links for guests, the caches of all nodes, and the identity provider.
  await removeMembership(tx, organizationId, user.id, { kind: 'left' }, now)
  await deactivateOrganization(tx, organizationId, [user.id])
  if (endsWithThem(place)) await markOrganizationDeleted(tx, organizationId, now)
}

async function record(tx: Tx, caller: SignedInCaller, place: Place, now: Date): Promise<void> {
  const { organizationId } = place
  const entries: AuditEntry[] = [
    {
      action: 'member.account-deleted',
      target: { kind: 'user', id: caller.user.id },
      detail: { role: place.role },
    },
  ]
  if (endsWithThem(place)) {
    const organization = await findOrganizationById(tx, organizationId)
    const target: AuditTarget = { kind: 'organization', id: organization?.identityId ?? '' }
    entries.push({ action: 'organization.deleted', target })
  }
  await recordAudits(tx, organizationId, caller, now, entries)
}
