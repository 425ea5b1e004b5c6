import { type AtriumClient, type CookieJar, createAtriumClient, createCookieJar } from '@atrium/client'
import { expect } from 'vitest'
import type { TestOffice } from '../office.ts'
import { until } from '../until.ts'

/** A browser that follows redirects and fills in the login page of the sandbox issuers. */
export interface Surfer {
  client: AtriumClient
  cookies: CookieJar
  /** Goes to an address and follows redirects. @returns where it ended, and with what */
  visit(url: string): Promise<{ url: URL; status: number; html: string }>
  /** Goes to a provider, types an address and follows it home. @returns where the front end gets its code */
  logIn(redirectURL: string, email: string): Promise<URL>
  /** Sends the form of a page, and follows where it leads. */
  answer(page: URL, fields: Record<string, string>): Promise<{ url: URL; status: number; html: string }>
}

const HOPS_MAX = 10
const FRONT_END = ['/auth/complete', '/single-sign-on/complete']

export function surferOf(office: TestOffice): Surfer {
  const cookies = createCookieJar()
  const send = async (url: URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    const cookie = cookies.headerFor(url)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    cookies.receive(response.headers.getSetCookie(), url)
    return response
  }
  const follow = async (from: URL, init?: RequestInit) => {
    let url = from
    let response = await send(url, init)
    for (let hops = 0; hops < HOPS_MAX; hops++) {
      const location = response.headers.get('location')
      // the front end is not there: its address is what we came for
      if (!location || FRONT_END.includes(new URL(location, url).pathname)) {
        const end = location ? new URL(location, url) : url
        return { url: end, status: response.status, html: await response.text() }
      }
      url = new URL(location, url)
      response = await send(url)
    }
    throw new Error(`more than ${HOPS_MAX} redirects`)
  }
  const answer = (page: URL, fields: Record<string, string>) =>
    follow(page, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
  return {
    answer,
    client: createAtriumClient({ baseUrl: office.baseUrl, cookies }),
    cookies,
    visit: (url) => follow(new URL(url)),
    async logIn(redirectURL, email) {
      const page = await follow(new URL(redirectURL))
      if (!page.html.includes('name="email"'))
        throw new Error(`no login page but ${page.status} at ${page.url}: ${page.html}`)
      return (await answer(page.url, { email })).url
    },
  }
}

/** Signs a person in at a provider. */
export async function signInFederated(
  office: TestOffice,
  way: 'continueWithProviderA' | 'continueWithProviderB',
  email: string,
) {
  const surfer = surferOf(office)
  const { authData } = await surfer.client.call(way)
  const end = await surfer.logIn(authData.redirectURL, email)
  const code = end.searchParams.get('code') ?? ''
  const answer = await surfer.client.request('finalizeOauth', { code })
  return { surfer, authData, end, code, answer }
}

/** Signs a person in by the single sign-on of their domain. */
export async function signInBySingleSignOn(office: TestOffice, email: string) {
  const surfer = surferOf(office)
  const authData = await startOfSingleSignOn(surfer, email)
  const end = await surfer.logIn(authData.redirectURL, email)
  const code = end.searchParams.get('code') ?? ''
  const answer = await surfer.client.request('finalizeOauth', { code })
  return { surfer, authData, end, code, answer }
}

/** The issuer is of this process: on a busy machine it may answer later than the office waits for it. */
async function startOfSingleSignOn({ client }: Surfer, email: string) {
  let answer = await client.request('signIn', { email })
  await until(async () => {
    if (answer.status === 503) answer = await client.request('signIn', { email })
    return answer.status !== 503
  })
  if (answer.status !== 200 || answer.body.authData.authMethod !== 'sso') throw new Error('no single sign-on')
  return answer.body.authData
}

/** After a change of the address: the account at provider A that was linked by the former one is theirs no longer. */
export async function expectNewLink(
  office: TestOffice,
  { former, next, user }: { former: string; next: string; user: string },
): Promise<void> {
  const old = await signInFederated(office, 'continueWithProviderA', former)
  expect(old.answer.status).toBe(200)
  expect(old.answer.body).not.toMatchObject({ user: { id: user } })
  const again = await signInFederated(office, 'continueWithProviderA', next)
  expect(again.answer.body).toMatchObject({ user: { id: user } })
}
