import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import type { AuditEntry, Role } from '@atrium/contract'
import { recordAudit } from '../src/access/audit/audit-trail.ts'
import { startSession } from '../src/access/sessions/session.ts'
import { activateOrganization } from '../src/access/sessions/session-store.ts'
import { nameFromEmail } from '../src/directory/display-name.ts'
import { putMembership } from '../src/directory/members/memberships.ts'
import { findOrganization } from '../src/directory/organizations.ts'
import { ensureUser, findUserByEmail, findUserById } from '../src/directory/users.ts'
import { makeRecoveryToken } from '../src/features/sign-in/recovery/make-recovery-link.ts'
import { insertPilotToken } from '../src/features/sign-in/sign-up/sign-up-store.ts'
import { secondsAfter } from '../src/platform/clock.ts'
import type { Db } from '../src/platform/database/database.ts'
import { transaction } from '../src/platform/database/transaction.ts'
import { type OrganizationId, trusted, type UserId } from '../src/platform/ids.ts'
import { hashToken, newToken } from '../src/platform/secrets/secret.ts'
import { freshEmail, type TestOffice } from './office.ts'
import { until } from './until.ts'

export interface SandboxMail {
  to: string
  subject: string
  text: string
  html: string
  code?: string
  link?: string
  at: string
}

/** A signed-in person, with their browser. */
export interface Person {
  email: string
  id: string
  browser: AtriumClient
  /** The value of the session cookie. */
  cookie: string
}

/** What the sandbox inbox has for an address, newest first. */
export async function mailsTo(office: TestOffice, email: string): Promise<SandboxMail[]> {
  let mails: SandboxMail[] = []
  // an office that is too busy refuses
  await until(async () => {
    const response = await fetch(`${office.baseUrl}/sandbox/mail?to=${encodeURIComponent(email)}`, {
      headers: { accept: 'application/json' },
    })
    const answer: unknown = await response.json()
    if (response.ok) mails = answer as SandboxMail[]
    return response.ok
  })
  return mails
}

/** The newest code mailed to an address. */
export async function codeFor(office: TestOffice, email: string): Promise<string> {
  let code: string | undefined
  // another node may be at its delivery
  await until(async () => {
    code = (await mailsTo(office, email)).find((mail) => mail.code)?.code
    return code !== undefined
  })
  return code as unknown as string
}

/** The code that is mailed for what `ask` asks: not one from before it, nor another mail that arrives meanwhile. */
export async function freshCodeFor(
  office: TestOffice,
  email: string,
  ask: () => Promise<unknown>,
): Promise<string> {
  const codes = async () => (await mailsTo(office, email)).flatMap(({ code }) => code ?? [])
  const before = await codes()
  await ask()
  let fresh: string | undefined
  // another node may be at the delivery
  await until(async () => {
    fresh = (await codes()).find((code) => !before.includes(code))
    return fresh !== undefined
  })
  return fresh as unknown as string
}

/**
 * A new person who is signed in, as a sign-up by e-mailed code leaves them. Made without its requests and mails, which
 * were most of the time of many tests. Without an organization.
 */
export async function newPerson(office: TestOffice, email = freshEmail()): Promise<Person> {
  // another identity provider has to know them
  if (office.office.config.workos) return await signedUp(office, email)
  const { needs } = office.office
  const now = office.clock.now()
  const identityId = await needs.identity.createUser({ email, knownAs: undefined })
  const user = { identityId, email, displayName: nameFromEmail(email), emailVerified: true }
  await ensureUser(needs.db, user, now)
  const { id } = (await findUserByEmail(needs.db, email)) ?? {}
  if (!id) throw new Error(`${email} has just been made and is not there`)
  return { email, id, ...(await signedInBrowser(office, { email, id })) }
}

/** A browser with a session, as by an e-mailed code: without its requests and mails. */
export async function signedInBrowser(
  office: TestOffice,
  { email, id }: { email: string; id: UserId },
  organization: OrganizationId | null = null,
): Promise<Pick<Person, 'browser' | 'cookie'>> {
  const cookies = createCookieJar()
  const visitor = {
    requestId: 'a-test',
    address: '127.0.0.1',
    cookies: { read: () => undefined, hasAny: () => false, write: cookies.set, remove: () => {} },
    userAgent: undefined,
    language: 'en' as const,
    tellLimit: () => {},
  }
  const start = { user: id, email, organization, method: 'magic_auth' } as const
  await startSession(office.office.needs, visitor, start)
  const browser = createAtriumClient({ baseUrl: office.baseUrl, cookies })
  return { browser, cookie: cookies.get('atrium_session') as string }
}

/** Signs a new person up and in, as a person does. Without an organization. */
export async function signedUp(office: TestOffice, email = freshEmail()): Promise<Person> {
  const browser = office.browser()
  const code = await freshCodeFor(office, email, () => browser.call('signUp', { email }))
  const answer = await browser.request('finalizeMagicAuth', { email, code })
  const cookie = /atrium_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
  if (answer.status !== 200 || !cookie) throw new Error(`sign-up failed: ${answer.status}`)
  return { email, id: answer.body.user.id, browser, cookie }
}

/** A new person who has founded an organization and works in it as its admin. */
export async function newFounder(
  office: TestOffice,
  name = 'Acme',
): Promise<Person & { organizationId: string }> {
  const person = await newPerson(office)
  const { id } = await person.browser.call('createOrganization', { name })
  return { ...person, organizationId: id }
}

/** Signs a known person in by a fresh code, in a browser of its own. */
export async function signInAgain(office: TestOffice, email: string) {
  const browser = office.browser()
  const code = await freshCodeFor(office, email, () => browser.call('signIn', { email }))
  const { user } = await browser.call('finalizeMagicAuth', { email, code })
  return { browser, user }
}

/** The token in the newest invitation that was mailed to an address. */
export async function invitationTokenFor(office: TestOffice, email: string): Promise<string> {
  let link: string | undefined
  // another node may be at its delivery
  await until(async () => {
    link = (await mailsTo(office, email)).find((mail) => mail.link?.includes('invitation_token='))?.link
    return link !== undefined
  })
  return new URL(link as unknown as string).searchParams.get('invitation_token') as string
}

/**
 * A new person in the organization that an admin works in, in a role, who works there too. Made without an invitation:
 * its requests and its mail were most of the time of many tests, and the mail is delivered while they look.
 * @param known in place of a new person; where they work elsewhere, they go on working there
 */
export async function newMember(
  office: TestOffice,
  admin: Person,
  role: Role,
  known?: Person,
): Promise<Person> {
  // another identity provider has to know them
  if (office.office.config.workos) return await invitedMember(office, admin, role, known)
  const person = known ?? (await newPerson(office))
  const organization = await workplaceOf(office, admin)
  const user = trusted.userId(person.id)
  const now = office.clock.now()
  await transaction(office.database.db, async (tx) => {
    await putMembership(tx, { organization, user, role, status: 'active' }, now)
    await activateOrganization(tx, (await sessionOf(tx, person)).id, organization)
    await recordAudit(
      tx,
      organization,
      { user: { id: user }, requestId: 'a-test', address: '127.0.0.1' },
      now,
      {
        action: 'member.joined',
        target: { kind: 'user', id: user },
        detail: { role, way: 'link' },
      },
    )
  })
  office.office.callers.forget(user)
  return person
}

/** The same by an invitation, as people do it: for tests that look at what is left of one. */
export async function invitedMember(
  office: TestOffice,
  admin: Person,
  role: Role,
  known?: Person,
): Promise<Person> {
  const person = known ?? (await newPerson(office))
  await admin.browser.call('sendInvitation', { email: person.email, role })
  // inviters are shown it: quicker than to wait for the mail
  const { data } = await admin.browser.call('listInvitation', { email: person.email, limit: 1 })
  await person.browser.call('acceptInvitation', { token: data[0]?.token as string })
  return person
}

async function workplaceOf(office: TestOffice, person: Person): Promise<OrganizationId> {
  const { organization } = await sessionOf(office.database.db, person)
  if (!organization) throw new Error(`${person.email} works in no organization`)
  return trusted.organizationId(organization)
}

/** A person's newest session that works in an organization, else the newest. */
async function sessionOf(db: Db, person: Person): Promise<{ id: string; organization: string | null }> {
  return await db
    .selectFrom('sessions')
    .select(['id', 'active_organization_id as organization'])
    .where('user_id', '=', trusted.userId(person.id))
    .where('revoked_at', 'is', null)
    .orderBy((row) => row('active_organization_id', 'is', null))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

/** The token of an organization's invite link. */
export async function linkTokenOf(member: Person): Promise<string> {
  const { inviteLink } = await member.browser.call('getInviteLink')
  return new URL(inviteLink).searchParams.get('invite_token') as string
}

/** What the audit trail of an admin's organization says was done there, oldest first: but for sign-ins. */
export async function auditOf(admin: Pick<Person, 'browser'>): Promise<AuditEntry[]> {
  return (await wholeAuditOf(admin)).filter(({ action }) => action !== 'member.signed-in')
}

/** The same with sign-ins. */
export async function wholeAuditOf(admin: Pick<Person, 'browser'>): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page = await admin.browser.call('listAuditLog', { limit: 100, ...(after ? { after } : {}) })
    entries.unshift(...page.data.reverse())
    after = page.after
  }
  return entries
}

/** A fresh pilot token, as the command line makes it. */
export async function pilotTokenOf(office: TestOffice, lifetimeSeconds = 3_600): Promise<string> {
  const token = newToken('pilot')
  const now = office.clock.now()
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  await insertPilotToken(office.database.db, { tokenHash: hashToken(token), note: '', expiresAt }, now)
  return token
}

/** The token of a link that an operator has made for an admin. */
export async function recoveryTokenOf(
  { office, database, clock }: TestOffice,
  { id, organizationId }: Pick<Person, 'id'> & { organizationId: string },
): Promise<string> {
  const organization = await findOrganization(database.db, trusted.identityOrganizationId(organizationId))
  const user = await findUserById(office.needs.db, trusted.userId(id))
  if (!organization || !user) throw new Error('there is nobody to make a link for')
  return await transaction(database.db, (tx) => makeRecoveryToken(tx, organization, user, clock.now()))
}
