import type { Input, Reply, Role } from '@atrium/contract'
import { type AuditEntry, recordAudits } from '../../access/audit/audit-trail.ts'
import type { Budgets } from '../../access/budgets/budgets.ts'
import type { CallerOf } from '../../access/caller.ts'
import { mayGrant } from '../../access/permissions.ts'
import { requireEmail } from '../../directory/email-address.ts'
import { avatarUrlOf } from '../../directory/image-urls.ts'
import { findMemberAddresses, holdMembership } from '../../directory/members/members.ts'
import { readOrganizationFace } from '../../directory/organizations.ts'
import { decidedLanguage } from '../../directory/settings.ts'
import { findUserById } from '../../directory/users.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { newIdentityId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { MailLanguage } from '../../platform/mail/mail-language.ts'
import { queueMails } from '../../platform/mail/mail-queue.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { invitationMail } from './mails.ts'
import {
  aboveOwn,
  faultOfSending,
  INVITATION_LIFETIME_SECONDS,
  type SendFault,
  sendRefusal,
} from './rules.ts'
import { lockAddresses, supersedeInvitations, type WaitingInvitation } from './store.ts'
import { invitationUrlOf, newInvitationToken } from './tokens.ts'

interface Needs {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  invitationRing: KeyRing
  mailRing: KeyRing
  frontendUrl: string
  /** Below it pictures are public. */
  imageBaseUrl: string
  budgets: Pick<Budgets, 'drawInvitations'>
  /** Mails of invitations that one address is sent in a day, from whomever; 0: no limit. */
  invitationsPerEmail: number
}

type Caller = CallerOf<'sendInvitation'>

/**
 * Invites one address, or up to a hundred. What keeps one from being invited is told; of many only the log and the
 * audit trail are.
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
  if (!mayGrant(caller.organization.role, role)) throw aboveOwn('You cannot grant a role above your own')

  const members = await findMemberAddresses(needs.db, caller.organization.id, addresses)
  if (email !== undefined && members.size > 0) throw sendRefusal('already-member')
  const invited = addresses.filter((address) => !members.has(address))
  if (invited.length > 0) await needs.budgets.drawInvitations(caller, invited.length)
  const faults = await invite(needs, caller, { invited, members: [...members], role })
  const [fault] = faults
  if (email !== undefined && fault) throw sendRefusal(fault)
  if (email !== undefined)
    return { status: 200, body: { code: 200, message: 'The invitation is on its way' } }
  if (faults.length > 0) {
    const counts = { sent: addresses.length - faults.length, failed: faults.length }
    needs.log.warn({ ...counts, requestId: caller.requestId }, 'some of many invitations were not sent')
  }
  return { status: 200, body: { code: 200, message: 'The invitations are on their way' } }
}

interface Names {
  inviterName: string
  organizationName: string
  logoUrl: string | null
  /** As the organization has decided, else the inviter's. */
  language: MailLanguage
}

async function readNames(needs: Needs, caller: Caller): Promise<Names> {
  const [inviter, organization, language = caller.language] = await Promise.all([
    findUserById(needs.db, caller.user.id),
    readOrganizationFace(needs.db, caller.organization.id),
    decidedLanguage(needs.db, caller.organization.id),
  ])
  if (!inviter || !organization) throw Refusal.of('no-active-organization')
  const { name: organizationName, logoKey } = organization
  const logoUrl = avatarUrlOf(logoKey, needs.imageBaseUrl)
  return { inviterName: inviter.displayName, organizationName, logoUrl, language }
}

/**
 * All invitations, their mails and their audit entries are made together or not at all, in as many statements for a
 * hundred as for one: what is acknowledged is not lost on the way through the list.
 * @returns why some were not made
 */
async function invite(
  needs: Needs,
  caller: Caller,
  { invited, members, role }: { invited: string[]; members: string[]; role: Role },
): Promise<SendFault[]> {
  const { organization } = caller
  const names = await readNames(needs, caller)
  const now = needs.clock.now()
  const perEmail = needs.invitationsPerEmail
  return await transaction(needs.db, async (tx) => {
    // the removal of the inviter revokes what they have sent
    if (!(await holdMembership(tx, organization.id, caller.user.id)))
      throw Refusal.of('no-active-organization')
    const before = await lockAddresses(tx, organization.id, invited, now)
    const decisions = invited.map((email) => {
      const { waiting, sentHere = 0, mailed = 0 } = before.get(email) ?? {}
      const fault = faultOfSending({ actor: organization.role, waiting: waiting?.role, sentHere, perEmail })
      return { email, waiting, fault, isMailed: perEmail === 0 || mailed < perEmail }
    })
    const made = decisions
      .filter(({ fault }) => !fault)
      .map((one) => ({ ...one, ...newInvitation(needs, caller, { ...one, role, names }, now) }))
    await supersedeInvitations(tx, organization.id, made, now)
    const mails = made.filter(({ isMailed }) => isMailed).map(({ mail }) => mail)
    const notAfter = invitationEnd(now)
    await queueMails(tx, needs.mailRing, mails, {
      mailClass: 'invitation',
      organization: organization.id,
      now,
      notAfter,
      // it names the inviter
      about: caller.user.id,
    })
    if (mails.length < made.length) noteUnmailed(needs, caller, made.length - mails.length)
    const failed = [
      ...members.map((email) => ({ email, fault: 'already-member' as const })),
      ...decisions.flatMap(({ email, fault }) => (fault ? [{ email, fault }] : [])),
    ]
    await recordAudits(tx, organization.id, caller, now, entriesOf(made, failed))
    return failed.map(({ fault }) => fault)
  })
}

function newInvitation(
  needs: Needs,
  { user }: Caller,
  { email, role, names }: { email: string; role: Role; names: Names },
  now: Date,
) {
  const id = newIdentityId('invitation', now)
  const token = newInvitationToken(needs.invitationRing, id)
  const expiresAt = invitationEnd(now)
  const mail = {
    ...names,
    to: email,
    url: invitationUrlOf(needs.frontendUrl, token.token),
    expiresAt,
  }
  return { id, role, inviter: user.id, ...token, expiresAt, mail: invitationMail(mail) }
}

function invitationEnd(now: Date): Date {
  return secondsAfter(now, INVITATION_LIFETIME_SECONDS)
}

interface Made {
  id: string
  email: string
  role: Role
  waiting: WaitingInvitation | undefined
}

function entriesOf(
  made: readonly Made[],
  failed: readonly { email: string; fault: SendFault }[],
): AuditEntry[] {
  return [
    ...made.flatMap(({ id, email, waiting }): AuditEntry[] => {
      if (!waiting) return []
      const detail = { email, role: waiting.role, by: id }
      return [{ action: 'invitation.superseded', target: { kind: 'invitation', id: waiting.id }, detail }]
    }),
    ...made.map(
      ({ id, email, role }): AuditEntry => ({
        action: 'invitation.sent',
        target: { kind: 'invitation', id },
        detail: { email, role },
      }),
    ),
    ...failed.map(
      ({ email, fault }): AuditEntry => ({
        action: 'invitation.failed',
        target: { kind: 'email', id: email },
        detail: { reason: fault },
      }),
    ),
  ]
}

/** Only the log knows: this organization must not learn that others have invited an address as well. */
function noteUnmailed(needs: Needs, { requestId }: Caller, count: number): void {
  needs.log.warn(
    { count, requestId },
    'invitations were made and not mailed: their addresses had enough today',
  )
}

function notOneForm(): Refusal {
  return invalidInput([{ field: 'email', message: 'Give either email, or emails for up to 100 people' }])
}
