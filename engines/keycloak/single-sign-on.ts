import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import type { FreshOffice } from '../fresh-office.ts'
import { eventually } from '../waiting.ts'
import { openVisitor, type Visitor } from './visitor.ts'

export interface Registration {
  /** Of Ada's address there. */
  domain: string
  /** The path of its sign-out. */
  signOutPath: string
  issuer: string
  clientId: string
  clientSecret: string
}

/** An issuer as the single sign-on of an organization: tried by its administrator, put in force, and left again. */
export async function trySingleSignOn(
  { url, atrium }: FreshOffice,
  { domain, signOutPath, ...registration }: Registration,
  check: Check,
): Promise<void> {
  const admin = openVisitor(url)
  const isBack = (at: URL) => at.origin === url && !at.pathname.startsWith('/auth/callback')
  await check('single sign-on: an administrator tries it and puts it in force', async () => {
    await admin.client.call('devSignIn', {})
    const { id } = await admin.client.call('createOrganization', { name: domain })
    const { email } = await admin.client.call('getCurrentUser')
    await admin.client.call('switchOrganization', { email, organizationId: id })
    await atrium('domain', 'add', id, domain)
    await atrium('domain', 'verify', id, domain, '--without-dns')
    await admin.client.call('saveSingleSignOn', registration)
    const { redirectURL } = await admin.client.call('testSingleSignOn')
    const back = await admin.logIn(redirectURL, 'ada', isBack)
    assert.equal(back.searchParams.get('outcome'), 'passed', back.href)
    await admin.client.call('activateSingleSignOn')
  })
  await check('a sign-out ends the session at the issuer too, and comes back', async () => {
    const ada = openVisitor(url)
    await enter(ada, `ada@${domain}`, isBack)
    const { authData } = await ada.client.call('signOut')
    const left = new URL(authData.redirectURL)
    assert.equal(left.origin, new URL(registration.issuer).origin)
    assert.ok(left.pathname.endsWith(signOutPath), left.href)
    assert.equal((await ada.follow(left.href, isBack)).href.split('?')[0], `${url}/`)
    // who were signed in there still would not be asked for a password
    const { authData: again } = await ada.client.call('signIn', { email: `ada@${domain}` })
    assert.ok(again.authMethod === 'sso')
    const asked = await ada.follow(again.redirectURL, isBack)
    assert.notEqual(asked.origin, url, `${asked.href} is a way in without a password`)
  })
}

async function enter(person: Visitor, email: string, isBack: (at: URL) => boolean): Promise<void> {
  const begin = async () => (await person.client.call('signIn', { email })).authData
  // the office finds the connection by what has just been put in force
  const way = await eventually('single sign-on is in force', async () => {
    const answered = await begin()
    return answered.authMethod === 'sso' && answered
  })
  const back = await person.logIn(way.redirectURL, 'ada', isBack)
  const code = back.searchParams.get('code')
  assert.ok(code, back.href)
  await person.client.call('finalizeOauth', { code })
}
