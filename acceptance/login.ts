import assert from 'node:assert/strict'
import type { Person } from './person.ts'
import type { Office } from './walk.ts'

/** Where a browser ended. */
export interface Page {
  url: URL
  status: number
  html: string
}

const HOPS_MAX = 10
/** Pages of the front end, which need not be there. */
const LANDINGS = ['/auth/complete', '/calendar/complete']

/** Goes where a sign-in leads, as far as a page for a person. */
export async function atLogin(office: Office, person: Person, redirectURL: string): Promise<Page> {
  return await follow(office, person, new URL(redirectURL))
}

/**
 * Types an address into the login page of a sandbox issuer.
 * @param landing the page of the front end that it leads to
 * @returns the front end's address, with the code
 */
export async function logIn(
  office: Office,
  person: Person,
  redirectURL: string,
  email: string,
  landing = '/auth/complete',
): Promise<URL> {
  const { url, html } = await atLogin(office, person, redirectURL)
  assert.match(html, /<form/, `a login page at ${url.pathname}`)
  const end = await follow(office, person, url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email }).toString(),
  })
  assert.equal(end.url.pathname, landing, `comes back to the front end: ${end.html.slice(0, 300)}`)
  return end.url
}

async function follow(office: Office, person: Person, from: URL, first?: RequestInit): Promise<Page> {
  let url = from
  let init: RequestInit = first ?? {}
  for (let hops = 0; hops < HOPS_MAX; hops++) {
    const headers = new Headers(init.headers)
    const cookie = person.cookies.headerFor(url)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    // a jar serves one office: its front end and its issuers are the same one here
    if (url.origin === new URL(office.url).origin)
      person.cookies.receive(response.headers.getSetCookie(), url)
    const location = response.headers.get('location')
    const next = location ? new URL(location, url) : undefined
    if (!next || LANDINGS.includes(next.pathname))
      return { url: next ?? url, status: response.status, html: await response.text() }
    await response.body?.cancel()
    url = next
    init = {}
  }
  throw new Error(`more than ${HOPS_MAX} redirects from ${from.pathname}`)
}
