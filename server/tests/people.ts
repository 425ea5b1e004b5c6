import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import type { AuditEntry, Role } from '@atrium/contract'
import { startSession } from '../src/access/session.ts'
import { nameFromEmail } from '../src/directory/display-name.ts'
import { ensureUser, findUserByEmail } from '../src/directory/users.ts'
import { insertPilotToken } from '../src/features/sign-in/sign-up/sign-up-store.ts'
import { secondsAfter } from '../src/platform/clock.ts'
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

/** Somebody signed in, with the browser they did it in. */
export interface Person {
  email: string
  id: string
  browser: AtriumClient
  /** The value of the session cookie. */
  cookie: string
}

/** What the sandbox inbox has for an address, newest first. */
export async function mailsTo(office: TestOffice, email: string): Promise<SandboxMail[]> {
  const response = await fetch(`${office.baseUrl}/sandbox/mail?to=${encodeURIComponent(email)}`, {
    headers: { accept: 'application/json' },
  })
  return (await response.json()) as SandboxMail[]
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

/**
 * Somebody new who is signed in, as a sign-up by e-mailed code leaves them. Made without its requests and mails, which
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
  const cookies = createCookieJar()
  const visitor = {
    requestId: 'a-test',
    address: '127.0.0.1',
    cookies: { read: () => undefined, write: cookies.set, remove: () => {} },
    device: '',
    tellLimit: () => {},
  }
  await startSession(needs, visitor, { user: id, email, organization: null, method: 'magic_auth' })
  const browser = createAtriumClient({ baseUrl: office.baseUrl, cookies })
  return { email, id, browser, cookie: cookies.get('atrium_session') as string }
}

/** Signs a new person up and in, as a person does. Without an organization. */
export async function signedUp(office: TestOffice, email = freshEmail()): Promise<Person> {
  const browser = office.browser()
  await browser.call('signUp', { email })
  const code = await codeFor(office, email)
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
  const before = (await mailsTo(office, email)).length
  await browser.call('signIn', { email })
  // another node may be at the delivery: the code before this one is of no use any more
  await until(async () => (await mailsTo(office, email)).length > before)
  const { user } = await browser.call('finalizeMagicAuth', { email, code: await codeFor(office, email) })
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

/** A new person whom an admin has invited in a role, and who works in that organization. */
export async function newMember(office: TestOffice, admin: Person, role: Role): Promise<Person> {
  const person = await newPerson(office)
  await admin.browser.call('sendInvitation', { email: person.email, role })
  // inviters are shown it: quicker than to wait for the mail
  const { data } = await admin.browser.call('listInvitation', { email: person.email, limit: 1 })
  await person.browser.call('acceptInvitation', { token: data[0]?.token as string })
  return person
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
