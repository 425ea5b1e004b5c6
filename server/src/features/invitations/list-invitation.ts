import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { requireOwnOrganization } from '../../access/own-organization.ts'
import { roleHolds } from '../../access/permissions.ts'
import { requireEmail } from '../../directory/email-address.ts'
import type { Clock } from '../../platform/clock.ts'
import { readCursorPage } from '../../platform/cursor-page.ts'
import type { Db } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type InvitationViewNeeds, invitationView } from './invitation-view.ts'
import { type InvitationRecord, listInvitations } from './store.ts'

interface Needs extends InvitationViewNeeds {
  db: Db
  clock: Clock
}

/** Invitations of the active organization, or of another one of the caller's, newest first. */
export async function listInvitation(
  needs: Needs,
  caller: CallerOf<'listInvitation'>,
  input: Input<'listInvitation'>,
): Promise<Reply<'listInvitation'>> {
  const { id, identityId, withToken } = await organizationOf(needs, caller, input.organizationId)
  const email = input.email === undefined ? undefined : requireEmail(input.email)
  const page = await readCursorPage(
    input,
    (invitation: InvitationRecord) => ({ at: invitation.createdAt, id: invitation.id }),
    (range) => listInvitations(needs.db, id, { email }, range),
  )
  const shown = { organization: identityId, withToken, now: needs.clock.now() }
  return {
    status: 200,
    body: {
      data: page.rows.map((invitation) => invitationView(needs, invitation, shown)),
      before: page.before,
      after: page.after,
    },
  }
}

/** Invitations open the organization: they are shown to members who may invite, and to no program. */
async function organizationOf(
  needs: Needs,
  caller: CallerOf<'listInvitation'>,
  organizationId: string | undefined,
) {
  const { id, identityId } = caller.organization
  const isActive = organizationId === undefined || organizationId === identityId
  if (!('user' in caller)) {
    if (!isActive) throw Refusal.of('organization-not-found')
    return { id, identityId, withToken: false }
  }
  if (isActive) return { id, identityId, withToken: roleHolds(caller.organization.role, 'InviteUser') }
  const own = await requireOwnOrganization(needs.db, caller, organizationId)
  return {
    id: own.organizationId,
    identityId: own.organizationIdentityId,
    withToken: roleHolds(own.role, 'InviteUser'),
  }
}
