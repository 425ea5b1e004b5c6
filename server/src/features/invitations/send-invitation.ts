import type { Input, Reply, Role } from '@atrium/contract'
import { recordAudits } from '../../access/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { mayGrant } from '../../access/permissions.ts'
import { requireEmail } from '../../directory/email-address.ts'
import { findMemberAddresses } from '../../directory/members.ts'
import { readOrganization } from '../../directory/organizations.ts'
import { findUserById } from '../../directory/users.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { newIdentityId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { queueMails } from '../../platform/mail-queue.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import type { KeyRing } from '../../platform/sealed-column.ts'
import { invitationMail } from './mails.ts'
import { INVITATION_LIFETIME_SECONDS } from './rules.ts'
import { supersedeInvitations } from './store.ts'
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
 * Invites one address, or up to a hundred. Who is a member already is told of one; of many only the log and the audit
 * trail are.
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

  const members = await findMemberAddresses(needs.db, caller.organization.id, addresses)
  if (email !== undefined && members.size > 0) throw alreadyMember()
  const invited = addresses.filter((address) => !members.has(address))
  await invite(needs, caller, { invited, members: [...members], role })
  if (email !== undefined)
    return { status: 200, body: { code: 200, message: 'The invitation is on its way' } }
  if (members.size > 0) {
    const counts = { sent: invited.length, failed: members.size }
    needs.log.warn({ ...counts, requestId: caller.requestId }, 'some of many invitations were not sent')
  }
  return { status: 200, body: { code: 200, message: 'The invitations are on their way' } }
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

/**
 * All invitations, their mails and their audit entries are made together or not at all, in as many statements for a
 * hundred as for one: what is acknowledged is not lost on the way through the list.
 */
async function invite(
  needs: Needs,
  caller: Caller,
  { invited, members, role }: { invited: string[]; members: string[]; role: Role },
): Promise<void> {
  const { organization, user } = caller
  const names = await readNames(needs, caller)
  const now = needs.clock.now()
  const expiresAt = secondsAfter(now, INVITATION_LIFETIME_SECONDS)
  const invitations = invited.map((email) => {
    const id = newIdentityId('invitation', now)
    const token = newInvitationToken(needs.invitationRing, id)
    const mail = { ...names, to: email, url: invitationUrlOf(needs.frontendUrl, token.token), expiresAt }
    return { id, email, role, inviter: user.id, ...token, expiresAt, mail: invitationMail(mail) }
  })
  const sent = invitations.map(
    ({ id, email }) =>
      ({ action: 'invitation.sent', target: { kind: 'invitation', id }, detail: { email, role } }) as const,
  )
  const failed = members.map(
    (email) =>
      ({
        action: 'invitation.failed',
        target: { kind: 'email', id: email },
        detail: { reason: 'already-member' },
      }) as const,
  )
  const mails = invitations.map(({ mail }) => mail)
  await transaction(needs.db, async (tx) => {
    await supersedeInvitations(tx, organization.id, invitations, now)
    await queueMails(tx, needs.mailRing, mails, { now, notAfter: expiresAt })
    await recordAudits(tx, organization.id, caller, [...sent, ...failed], now)
  })
}

function notOneForm(): Refusal {
  return invalidInput([{ field: 'email', message: 'Give either email, or emails for up to 100 people' }])
}

function alreadyMember(): Refusal {
  return new Refusal('conflict', 'This person is a member already', { error: 'already-member' })
}
