import { type AtriumClient, type CookieJar, createAtriumClient, createCookieJar } from '@atrium/client'
import { mailedCode } from '../mailbox.ts'
import type { Visitor, WebOffice } from './visitor.ts'

/** Somebody with an account, and what they can do without the pages. */
export interface WebPerson {
  email: string
  name: string
  client: AtriumClient
  /** Puts the session into a browser. */
  enter(visitor: Pick<Visitor, 'context'>): Promise<void>
  /** The same person with another session. */
  signInAgain(): Promise<Pick<WebPerson, 'enter' | 'client'>>
}

let count = 0

/** A new person, made by the interface: founder of an organization, joined by an invite token, or in none. */
export async function newPerson(
  office: Pick<WebOffice, 'url'>,
  name: string,
  way?: { found: string } | { inviteToken: string },
): Promise<WebPerson> {
  count += 1
  const email = `${name.toLowerCase().replaceAll(' ', '.')}-${count}@people.example`
  const cookies = createCookieJar()
  const client = createAtriumClient({ baseUrl: office.url, cookies })
  await client.call('signUp', { email })
  await client.call('finalizeMagicAuth', { email, code: await mailedCode(office.url, email) })
  await client.call('updateProfile', { displayName: name })
  if (way && 'found' in way) await client.call('createOrganization', { name: way.found })
  else if (way) await client.call('joinOrganization', { inviteToken: way.inviteToken })
  return {
    ...{ email, name, client },
    enter: (visitor) => putInto(office, visitor, cookies),
    async signInAgain() {
      const others = createCookieJar()
      const second = createAtriumClient({ baseUrl: office.url, cookies: others })
      await second.call('signIn', { email })
      await second.call('finalizeMagicAuth', { email, code: await mailedCode(office.url, email) })
      return { client: second, enter: (visitor) => putInto(office, visitor, others) }
    },
  }
}

async function putInto(
  office: Pick<WebOffice, 'url'>,
  { context }: Pick<Visitor, 'context'>,
  cookies: CookieJar,
): Promise<void> {
  const header = cookies.headerFor(new URL(`${office.url}/user/get`)) ?? ''
  const pairs = header.split('; ').map((pair) => pair.split('='))
  await context.addCookies(
    pairs.map(([cookie = '', ...value]) => ({ name: cookie, value: value.join('='), url: office.url })),
  )
}

/** The token of the invite link of somebody's organization. */
export async function inviteTokenOf({ client }: WebPerson): Promise<string> {
  const { inviteLink } = await client.call('getInviteLink')
  return new URL(inviteLink).searchParams.get('invite_token') ?? ''
}

/** Signs up by the pages, up to the question for the name. */
export async function signUpByPages(office: WebOffice, { page }: Visitor, email: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await enterCode(office, { page }, email)
  await page.getByRole('heading', { name: 'Show your face' }).waitFor()
}

/** On the page that asks for the code. */
export async function enterCode(
  office: WebOffice,
  { page }: Pick<Visitor, 'page'>,
  email: string,
): Promise<void> {
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  // as people copy it
  const code = (await mailedCode(office.url, email)).replace(/^.../, '$& ')
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}
