import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type AtriumClient, type CookieJar, createAtriumClient, createCookieJar } from '@atrium/client'
import { connectRealtime, type Realtime, type ReceivedEvent } from '@atrium/client/realtime'
import { expectStatus } from './expect.ts'
import { firstMail, nextCode } from './mailbox.ts'
import { patientFetch, waitFor } from './patience.ts'
import type { Office } from './walk.ts'

/** A person with an address and a browser. */
export interface Person {
  email: string
  client: AtriumClient
  cookies: CookieJar
}

const SOON_MS = 10_000

/** A word with letters and digits that are new to the office. */
export function fresh(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`
}

/** A person unknown to the office. */
export function newcomer(office: Office, name = 'visitor'): Person {
  return personWith(office, `${fresh(name)}@acceptance.example`)
}

/** A person with that address at a browser without cookies. */
export function personWith(office: Office, email: string): Person {
  const cookies = createCookieJar()
  // long enough for patience with a rate limit of a minute
  const client = createAtriumClient({ baseUrl: office.url, cookies, fetch: patientFetch, timeoutMs: 120_000 })
  return { email, client, cookies }
}

/** A person who has signed up and in, and is a member of no organization yet. */
export async function signedUp(office: Office, name?: string): Promise<Person> {
  const person = newcomer(office, name)
  const { email, client } = person
  expectStatus(await client.request('signUp', { email }), 201)
  const { code } = await firstMail(office, email)
  assert.ok(code, 'the mail to a newcomer has a code')
  expectStatus(await client.request('finalizeMagicAuth', { email, code }), 200)
  return person
}

/** A connected device of a person, and the events that reach it from then on. */
export async function listening({
  client,
}: Pick<Person, 'client'>): Promise<{ device: Realtime; events: ReceivedEvent[] }> {
  const device = await connectRealtime(client)
  const events: ReceivedEvent[] = []
  device.on('event', (event) => void events.push(event))
  try {
    await waitFor(
      'a connection',
      SOON_MS,
      async () => device.statusOf(device.userId) === 'online' || undefined,
    )
  } catch (error) {
    device.close()
    throw error
  }
  return { device, events }
}

/** Starts a sign-in with an emailed code and reads that code. */
export async function startSignIn(office: Office, { email, client }: Person): Promise<string> {
  return await nextCode(office, email, async () => {
    const { body } = expectStatus(await client.request('signIn', { email }), 200)
    assert.deepEqual(body, { authData: { authMethod: 'magic_auth' } })
  })
}

const SESSION_COOKIES = ['__Host-atrium_session', 'atrium_session'] as const

/** The session cookie that the person's browser holds. */
export function sessionOf(person: Person): { name: string; value: string } | undefined {
  for (const name of SESSION_COOKIES) {
    const value = person.cookies.get(name)
    if (value) return { name, value }
  }
  return undefined
}

/** The `Cookie` header of that browser, for a raw request. */
export function cookieHeaderOf(office: Office, person: Person): string {
  return person.cookies.headerFor(new URL(office.url)) ?? ''
}
