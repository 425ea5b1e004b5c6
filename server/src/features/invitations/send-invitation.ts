import type { Input, Reply, Role } from '@atrium/contract'
import { recordAudit } from '../../access/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { mayGrant } from '../../access/permissions.ts'
import { requireEmail } from '../../directory/email-address.ts'
import { findMember } from '../../directory/members.ts'
import { readOrganization } from '../../directory/organizations.ts'
import { findUserByEmail, findUserById } from '../../directory/users.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { newIdentityId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { queueMail } from '../../platform/mail-queue.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { KeyRing } from '../../platform/sealed-column.ts'
import { invitationMail } from './mails.ts'
import { INVITATION_LIFETIME_SECONDS } from './rules.ts'
import { supersedeInvitation } from './store.ts'
import { invitationUrlOf, newInvitationToken } from './tokens.ts'

interface Needs {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  invitationRing: KeyRing
  mailRing: KeyRing
  frontendUrl: string
}

type Caller = CallerOf<'sendInvitation'>

/**
 * Invites one address, or up to a hundred. Of one the caller hears what is in the way; of many only the log and the
 * audit trail do.
 */
export async function sendInvitation(
  needs: Needs,
  caller: Caller,
  input: Input<'sendInvitation'>,
): Promise<Reply<'sendInvitation'>> {
  const { email, emails, role = 'member' } = input
  if ((email === undefined) === (emails === undefined)) throw notOneForm()
  const addresses = emails
    ? [...new Set(emails.map((address, index) => requireEmail(address, `emails.${index}`)))]
    : [requireEmail(email as string)]
  if (!mayGrant(caller.organization.role, role)) {
    throw new Refusal('forbidden', 'You cannot grant a role above your own', { error: 'role-above-own' })
  }

  const names = await readNames(needs, caller)
  if (emails) {
    await inviteMany(needs, caller, names, addresses, role)
    return { status: 200, body: { code: 200, message: 'The invitations are on their way' } }
  }
  for (const address of addresses) {
    if ((await invite(needs, caller, names, address, role)) === 'already-member') throw alreadyMember()
  }
  return { status: 200, body: { code: 200, message: 'The invitation is on its way' } }
}

interface Names {
  inviterName: string
  organizationName: string
}

async function readNames(needs: Needs, caller: Caller): Promise<Names> {
  const [inviter, organization] = await Promise.all([
    findUserById(needs.db, caller.user.id),
    readOrganization(needs.db, caller.organization.id),
  ])
  if (!inviter || !organization) {
    throw new Refusal('forbidden', 'No organization is active', { error: 'no-active-organization' })
  }
  return { inviterName: inviter.displayName, organizationName: organization.name }
}

/** Invitation, mail and audit entry are made together or not at all. */
async function invite(
  needs: Needs,
  caller: Caller,
  names: Names,
  email: string,
  role: Role,
): Promise<'invited' | 'already-member'> {
  const { organization, user } = caller
  const account = await findUserByEmail(needs.db, email)
  if (account && (await findMember(needs.db, organization.id, account.id))) return 'already-member'

  const now = needs.clock.now()
  const expiresAt = secondsAfter(now, INVITATION_LIFETIME_SECONDS)
  const id = newIdentityId('invitation', now)
  const { token, tokenHash, sealedToken } = newInvitationToken(needs.invitationRing, id)
  const url = invitationUrlOf(needs.frontendUrl, token)
  await transaction(needs.db, async (tx) => {
    const invitation = { id, email, role, inviter: user.id, tokenHash, sealedToken, expiresAt }
    await supersedeInvitation(tx, organization.id, invitation, now)
    const mail = invitationMail({ ...names, to: email, url, expiresAt })
    await queueMail(tx, needs.mailRing, mail, { now, notAfter: expiresAt })
    const target = { kind: 'invitation', id } as const
    const deed = { action: 'invitation.sent', target, detail: { email, role } } as const
    await recordAudit(tx, organization.id, caller, deed, now)
  })
  return 'invited'
}

async function inviteMany(
  needs: Needs,
  caller: Caller,
  names: Names,
  addresses: string[],
  role: Role,
): Promise<void> {
  let failed = 0
  for (const email of addresses) {
    try {
      if ((await invite(needs, caller, names, email, role)) === 'invited') continue
      await recordFailure(needs, caller, email, 'already-member')
    } catch (error) {
      needs.log.warn({ err: error, requestId: caller.requestId }, 'one of many invitations failed')
      await recordFailure(needs, caller, email, 'internal-error')
    }
    failed += 1
  }
  if (failed === 0) return
  const counts = { sent: addresses.length - failed, failed }
  needs.log.warn({ ...counts, requestId: caller.requestId }, 'some of many invitations were not sent')
}

async function recordFailure(needs: Needs, caller: Caller, email: string, reason: string): Promise<void> {
  const deed = {
    action: 'invitation.failed',
    target: { kind: 'email', id: email },
    detail: { reason },
  } as const
  const write = transaction(needs.db, (tx) =>
    recordAudit(tx, caller.organization.id, caller, deed, needs.clock.now()),
  )
  await write.catch((error: unknown) =>
    needs.log.warn({ err: error, requestId: caller.requestId }, 'a failed invitation could not be audited'),
  )
}

function notOneForm(): Refusal {
  const message = 'must be given without emails, or emails without it'
  return new Refusal('invalid', `email ${message}`, {
    error: 'invalid-input',
    details: [{ field: 'email', message }],
  })
}

function alreadyMember(): Refusal {
  return new Refusal('conflict', 'This person is a member already', { error: 'already-member' })
}
