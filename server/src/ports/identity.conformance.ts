import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freshEmail } from '../../tests/office.ts'
import type { Db } from '../platform/database/database.ts'
import { transaction } from '../platform/database/transaction.ts'
import { type IdentityOrganizationId, trusted } from '../platform/ids.ts'
import { ProviderFailure } from '../platform/refusal.ts'
import { hashToken } from '../platform/secrets/secret.ts'
import type { IdentityPort, Obstructed, RedirectWay } from './identity.ts'

/** An adapter with what stands behind it. */
export interface IdentityHarness {
  identity: IdentityPort
  db: Db
  /** The newest code that was mailed to an address. */
  codeFor(email: string): Promise<string>
  /** Gives an organization single sign-on. */
  connect(organization: IdentityOrganizationId): Promise<void>
  /** Signs a person in where the browser was sent. @returns where the browser comes back to */
  authorize(redirectURL: string, email: string): Promise<URL>
  /** The same of a person with such a subject from then on; undefined: the proper one. */
  setSubject(subject: string | undefined): void
  /** The issuer stops answering, or answers again. */
  setAway(away: boolean): void
  close(): Promise<void>
}

const REDIRECT = 'http://localhost:3000/auth/callback/provider-a'
const WITHIN_MS = 6_000
const browserHash = hashToken('a browser')
const unheardOf = trusted.identityOrganizationId('org_01UNHEARDOFUNHEARDOF')

function unobstructed<Let extends object>(answer: Let | Obstructed | undefined): Let | undefined {
  return answer && !('obstacle' in answer) ? answer : undefined
}

/** What every adapter of the identity port does alike. */
export function describeIdentity(name: string, open: () => Promise<IdentityHarness>): void {
  describe(`the identity port: ${name}`, () => {
    let harness: IdentityHarness
    let identity: IdentityPort
    beforeAll(async () => {
      harness = await open()
      identity = harness.identity
    })
    afterAll(() => harness.close())

    async function member(email: string) {
      await identity.createUser({ email })
      await identity.sendCode({ email, language: 'en', hasAccount: true, browserHash })
      return await harness.codeFor(email)
    }
    const named = (name: string) => ({ name, key: randomUUID() })
    const wrong = (code: string) => ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0')

    it('proves an address by the newest code, once', async () => {
      const email = freshEmail()
      const first = await member(email)
      await identity.sendCode({ email, language: 'en', hasAccount: true, browserHash })
      const code = await harness.codeFor(email)
      if (first !== code)
        expect(await identity.proveByCode({ email, code: first, browserHash })).toBeUndefined()
      expect(await identity.proveByCode({ email, code: wrong(code), browserHash })).toBeUndefined()
      const proven = unobstructed(await identity.proveByCode({ email, code: ` ${code} `, browserHash }))
      expect(proven).toMatchObject({ email })
      expect(await transaction(harness.db, async (tx) => await proven?.spend(tx))).toBe(true)
      expect(await identity.proveByCode({ email, code, browserHash })).toBeUndefined()
    })

    it('sends no code where there is no account, nor where single sign-on is the only way', async () => {
      const [stranger, captured] = [freshEmail(), freshEmail()]
      await identity.sendCode({ email: stranger, language: 'en', hasAccount: false, browserHash })
      await identity.sendCode({
        email: captured,
        language: 'en',
        hasAccount: true,
        browserHash,
        singleSignOnOnly: true,
      })
      for (const email of [stranger, captured]) expect(await harness.codeFor(email)).toBe('')
    })

    it('makes people, organizations and memberships; a membership twice is one', async () => {
      const user = await identity.createUser({ email: freshEmail() })
      const organization = await identity.createOrganization(named('Acme'))
      expect(user).toMatch(/^user_[0-9A-Za-z]{10,64}$/)
      expect(organization).toMatch(/^org_[0-9A-Za-z]{10,64}$/)
      await identity.createMembership({ organization, user, role: 'admin' })
      await identity.createMembership({ organization, user, role: 'admin' })
    })

    it('takes away what was made under a key, however often it is told', async () => {
      const key = randomUUID()
      await identity.createOrganization({ name: 'Unfinished', key })
      for (let times = 0; times < 2; times++) await identity.discardOrganization({ key })
      await identity.discardOrganization({ key: randomUUID() })
    })

    it('changes roles and names, and takes people out, however often it is told', async () => {
      const user = await identity.createUser({ email: freshEmail() })
      const organization = await identity.createOrganization(named('Acme'))
      await identity.createMembership({ organization, user, role: 'member' })
      await identity.createMembership({ organization, user, role: 'admin' })
      await identity.renameOrganization({ organization, name: 'Acme & Sons' })
      for (let times = 0; times < 2; times++) await identity.removeMembership({ organization, user })
      await identity.createMembership({ organization, user, role: 'guest' })
    })

    it('knows a person under another address from then on, however often it is told', async () => {
      const [before, email] = [freshEmail(), freshEmail()]
      const user = await identity.createUser({ email: before })
      for (let times = 0; times < 2; times++) expect(await identity.changeEmail({ user, email })).toBe(true)
      await identity.sendCode({ email, language: 'en', hasAccount: true, browserHash })
      const code = await harness.codeFor(email)
      expect(await identity.proveByCode({ email, code, browserHash })).toMatchObject({ email })
      expect(await identity.createUser({ email, knownAs: user })).toMatch(/^user_/)
      expect(await identity.createUser({ email: before })).not.toBe(user)
    })

    it('takes people away, however often it is told; their address may come back as another person', async () => {
      const email = freshEmail()
      const user = await identity.createUser({ email })
      const organization = await identity.createOrganization(named('Acme'))
      await identity.createMembership({ organization, user, role: 'member' })
      for (let times = 0; times < 2; times++) await identity.deleteUser({ user })
      await identity.removeMembership({ organization, user })
      expect(await identity.createUser({ email })).not.toBe(user)
    })

    it('proves a person of several organizations without choosing one for them', async () => {
      const email = freshEmail()
      const user = await identity.createUser({ email })
      const organizations = []
      for (const name of ['First', 'Second']) {
        const organization = await identity.createOrganization(named(name))
        await identity.createMembership({ organization, user, role: 'member' })
        organizations.push(organization)
      }
      await identity.sendCode({ email, language: 'en', hasAccount: true, browserHash })
      const proven = await identity.proveByCode({ email, code: await harness.codeFor(email), browserHash })
      expect(proven).toMatchObject({ email, session: null })
      const choice = unobstructed(proven)?.choice ?? ''
      const [first, unknown] = [organizations[0] as IdentityOrganizationId, unheardOf]
      expect(await identity.chooseOrganization({ choice, organization: unknown })).toEqual({ session: null })
      expect(await identity.chooseOrganization({ choice, organization: first })).toBeDefined()
    })

    async function comeBack(way: RedirectWay, email: string, state = freshEmail('state')) {
      const started = await identity.startRedirect({ way, state, redirectUri: REDIRECT, loginHint: email })
      if (!started) throw new Error('this way is not offered')
      const callbackUrl = await harness.authorize(started.redirectURL, email)
      return { way, callbackUrl, state, secrets: started.secrets }
    }

    it('asks with state, PKCE and the address to come back to', async () => {
      const start = { way: { kind: 'provider-a' }, state: 'a-state', redirectUri: REDIRECT } as const
      const started = await identity.startRedirect(start)
      const query = Object.fromEntries(new URL(started?.redirectURL ?? '').searchParams)
      expect(query).toMatchObject({
        state: 'a-state',
        redirect_uri: REDIRECT,
        response_type: 'code',
        code_challenge_method: 'S256',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      })
    })

    it('knows a person again by issuer and subject', async () => {
      const email = freshEmail()
      const finish = async (address: string) =>
        unobstructed(await identity.finishRedirect(await comeBack({ kind: 'provider-a' }, address)))
      const [first, second, other] = [await finish(email), await finish(email), await finish(freshEmail())]
      expect(first).toMatchObject({ email, emailVerified: true, emailAuthoritative: true })
      expect([second?.issuer, second?.subject]).toEqual([first?.issuer, first?.subject])
      expect(other?.subject).not.toBe(first?.subject)
    })

    it.each(['', '   ', 'x'.repeat(256)])(
      'takes no person with a name there that tells them from no other: %j',
      async (subject) => {
        harness.setSubject(subject)
        onTestFinished(() => harness.setSubject(undefined))
        const answer = await comeBack({ kind: 'provider-a' }, freshEmail())
        expect(await identity.finishRedirect(answer)).toEqual({ obstacle: 'identity-unusable' })
      },
    )

    it('refuses another state, a code that is none, and what was begun elsewhere', async () => {
      const answer = await comeBack({ kind: 'provider-a' }, freshEmail())
      expect(await identity.finishRedirect({ ...answer, state: 'other' })).toBeUndefined()
      const madeUp = new URL(answer.callbackUrl)
      madeUp.searchParams.set('code', 'made-up')
      expect(await identity.finishRedirect({ ...answer, callbackUrl: madeUp })).toBeUndefined()
      const { secrets } = await comeBack({ kind: 'provider-a' }, freshEmail())
      expect(await identity.finishRedirect({ ...answer, secrets })).toBeUndefined()
    })

    it('brings people of an organization in by its single sign-on', async () => {
      const organization = await identity.createOrganization(named('Acme'))
      const stranger = await identity.createOrganization(named('Other'))
      await harness.connect(organization)
      expect(await identity.hasSingleSignOn(organization)).toBe(true)
      expect(await identity.hasSingleSignOn(stranger)).toBe(false)
      const all = await identity.listSingleSignOn()
      expect([organization, stranger].map((one) => all.has(one))).toEqual([true, false])
      const email = freshEmail()
      const identified = await identity.finishRedirect(await comeBack({ kind: 'sso', organization }, email))
      expect(identified).toMatchObject({ email })
    })

    it('says where the browser will come back to: to the address it was given, or below it', async () => {
      const organization = await identity.createOrganization(named('Acme'))
      await harness.connect(organization)
      for (const way of [{ kind: 'provider-a' }, { kind: 'sso', organization }] as const) {
        const started = await identity.startRedirect({ way, state: 'a-state', redirectUri: REDIRECT })
        const address = new URL(started?.redirectURL ?? '').searchParams.get('redirect_uri')
        expect(started?.redirectUri).toBe(address)
        expect(`${address}/`.startsWith(`${REDIRECT}/`)).toBe(true)
      }
    })

    it("answers where to end the provider's session: at least where to return", () => {
      const returnTo = 'https://office.example/'
      expect(identity.logoutUrl({ returnTo, session: null })).toBe(returnTo)
    })

    it('says within six seconds that the issuer is away', async () => {
      const answer = await comeBack({ kind: 'provider-a' }, freshEmail())
      harness.setAway(true)
      const began = performance.now()
      await expect(identity.finishRedirect(answer)).rejects.toThrow(ProviderFailure)
      expect(performance.now() - began).toBeLessThan(WITHIN_MS)
      harness.setAway(false)
    })

    it('refuses to go outside while a transaction is open', async () => {
      await expect(
        transaction(harness.db, () =>
          identity.proveByCode({ email: freshEmail(), code: '000000', browserHash }),
        ),
      ).rejects.toThrow('inside a database transaction')
    })
  })
}
