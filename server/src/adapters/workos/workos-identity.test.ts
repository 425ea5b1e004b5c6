import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { surferOf } from '../../../tests/chapters/surfer.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { linkTokenOf, mailsTo } from '../../../tests/people.ts'
import { timed } from '../../../tests/run/timed.ts'
import { until } from '../../../tests/until.ts'
import { openWorkosStub, STUB_REGISTRATION, type WorkosStub } from '../../../tests/vendors/workos-stub.ts'
import { describeIdentity } from '../../ports/identity.conformance.ts'

async function openOfficeOnStub() {
  const stub = await openWorkosStub()
  const office = await openTestOffice({
    settings: {
      IDENTITY_PROVIDER: 'workos',
      ...STUB_REGISTRATION,
      WORKOS_API_URL: stub.url,
    },
  })
  const close = async () => {
    await office.close()
    await stub.close()
  }
  return { stub, office, close }
}

describeIdentity('workos, by its stand-in', async () => {
  const { stub, office, close } = await openOfficeOnStub()
  return {
    identity: office.office.needs.identity,
    db: office.database.db,
    async codeFor(email) {
      await office.office.identityWork.settle()
      return stub.codeFor(email)
    },
    connect: async (organization) => stub.connect(organization),
    authorize: async (redirectURL, email) => stub.authorize(redirectURL, email),
    setSubject: (subject) => {
      stub.subject = subject
    },
    setAway: (away) => {
      stub.fault = away ? 'hang' : undefined
    },
    async close() {
      expect(stub.misfits).toEqual([])
      await close()
    },
  }
})

describe('an office on WorkOS', () => {
  let stub: WorkosStub
  let office: TestOffice
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ stub, office, close } = await openOfficeOnStub())
  })
  afterAll(() => close())
  afterEach(() => {
    stub.fault = undefined
    stub.obstacle = undefined
  })

  async function codeFor(email: string) {
    await office.office.identityWork.settle()
    return stub.codeFor(email)
  }
  async function signedUp() {
    const [email, browser] = [freshEmail(), office.browser()]
    await browser.call('signUp', { email })
    await browser.call('finalizeMagicAuth', { email, code: await codeFor(email) })
    return { email, browser }
  }

  /** A person of several organizations, who has proven their address and chosen none. */
  async function undecided(email: string) {
    const again = office.browser()
    await again.call('signIn', { email })
    const { user } = await again.call('finalizeMagicAuth', { email, code: await codeFor(email) })
    if (!('pendingAuthenticationToken' in user)) throw new Error('nothing to choose')
    return { again, pendingAuthenticationToken: user.pendingAuthenticationToken }
  }
  /** The session of WorkOS's that a browser ends when it goes where a sign-out sends it. */
  async function endedBySignOut(browser: ReturnType<TestOffice['browser']>) {
    const { authData } = await browser.call('signOut')
    return new URL(authData.redirectURL).searchParams.get('session_id')
  }

  it('signs up, founds an organization and signs out at WorkOS too', async () => {
    const { browser } = await signedUp()
    const { id } = await browser.call('createOrganization', { name: 'Acme' })
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(id)
    const { authData } = await browser.call('signOut')
    const url = new URL(authData.redirectURL)
    expect(`${url.origin}${url.pathname}`).toBe(`${stub.url}/user_management/sessions/logout`)
    expect(url.searchParams.get('session_id')).toMatch(/^session_/)
    expect(url.searchParams.get('return_to')).toBe(`${office.office.config.frontendUrl}/`)
    expect(stub.misfits).toEqual([])
  })

  it('lets somebody of several organizations choose', async () => {
    const { email, browser } = await signedUp()
    await browser.call('createOrganization', { name: 'First' })
    const second = await browser.call('createOrganization', { name: 'Second' })
    const { again, pendingAuthenticationToken } = await undecided(email)
    await again.call('selectOrganization', { pendingAuthenticationToken, organizationId: second.id })
    expect((await again.call('getCurrentUser')).currentOrganizationId).toBe(second.id)
    expect(await endedBySignOut(again)).toBe(stub.sessionOf(email))
  })

  it('keeps what WorkOS wants back with the choice sealed, and loses it by no failure of WorkOS', async () => {
    const { email, browser } = await signedUp()
    const { id } = await browser.call('createOrganization', { name: 'First' })
    await browser.call('createOrganization', { name: 'Second' })
    const { again, pendingAuthenticationToken } = await undecided(email)
    const { rows } = await office.database.pool.query(
      'select sealed_upstream from pending_sign_ins where spent_at is null',
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].sealed_upstream.toString('latin1')).not.toContain(stub.choiceOf(email))
    const choice = { pendingAuthenticationToken, organizationId: id }
    stub.fault = { status: 500 }
    expect((await again.request('selectOrganization', choice)).status).toBe(503)
    stub.fault = undefined
    expect((await again.request('selectOrganization', choice)).status).toBe(200)
    expect(await endedBySignOut(again)).toBe(stub.sessionOf(email))
  })

  it('lets nobody in whom WorkOS no longer lets in by that proof', async () => {
    const { email, browser } = await signedUp()
    const { id } = await browser.call('createOrganization', { name: 'First' })
    await browser.call('createOrganization', { name: 'Second' })
    const { again, pendingAuthenticationToken } = await undecided(email)
    stub.forgetChoices()
    const choice = { pendingAuthenticationToken, organizationId: id }
    const error = 'invalid-pending-authentication-token'
    expect(await again.request('selectOrganization', choice)).toMatchObject({ status: 400, body: { error } })
    expect((await again.request('getCurrentUser')).status).toBe(401)
  })

  it('begins anew where SECRET_KEY was changed between the proof and the choice', async () => {
    const { email, browser } = await signedUp()
    const { id } = await browser.call('createOrganization', { name: 'First' })
    await browser.call('createOrganization', { name: 'Second' })
    const { pendingAuthenticationToken } = await undecided(email)
    const settings = { IDENTITY_PROVIDER: 'workos', ...STUB_REGISTRATION, WORKOS_API_URL: stub.url }
    const changed = await openTestOffice({
      beside: office,
      settings: { ...settings, SECRET_KEY: 'another'.repeat(8) },
    })
    const choice = { pendingAuthenticationToken, organizationId: id }
    const error = 'invalid-pending-authentication-token'
    const answer = await changed.browser().request('selectOrganization', choice)
    expect(answer).toMatchObject({ status: 400, body: { error } })
    expect((await office.browser().request('selectOrganization', choice)).status).toBe(200)
    await changed.close()
  })

  it('ends the session of a social sign-in into one of several organizations too', async () => {
    const { email, browser } = await signedUp()
    await browser.call('createOrganization', { name: 'First' })
    await browser.call('createOrganization', { name: 'Second' })
    const surfer = surferOf(office)
    const { authData } = await surfer.client.call('continueWithProviderA')
    const { url } = await surfer.visit(stub.authorize(authData.redirectURL, email).href)
    await surfer.client.call('finalizeOauth', { code: url.searchParams.get('code') ?? '' })
    expect(await endedBySignOut(surfer.client)).toBe(stub.sessionOf(email))
  })

  describe.each([
    ['is overrun', { status: 429 }],
    ['errs', { status: 500 }],
    ['says nothing', 'hang' as const],
  ])('while WorkOS %s', (_, fault) => {
    it.each(['signIn', 'resendMagicAuth'] as const)(
      'answers %s alike for known and unknown addresses, without waiting for WorkOS',
      async (ask) => {
        const { email } = await signedUp()
        await office.office.identityWork.settle()
        stub.fault = fault
        const answers = []
        for (const address of [email, freshEmail()]) {
          const { status, body } = await office.browser().request(ask, { email: address })
          answers.push({ status, body })
        }
        expect(answers[0]?.status).toBe(200)
        expect(answers[1]).toEqual(answers[0])
      },
    )
  })

  it.each([
    ['is overrun', 429],
    ['errs', 500],
  ])('answers signUp alike for known and unknown addresses while WorkOS %s', async (_, status) => {
    const { email } = await signedUp()
    stub.fault = { status }
    for (const address of [email, freshEmail()]) {
      const answer = await office.browser().request('signUp', { email: address })
      expect(answer).toMatchObject({ status: 503, body: { error: 'provider-unavailable' } })
    }
  })

  it('asks WorkOS as often for a sign-up of a known address as for one of an unknown one', async () => {
    const { email } = await signedUp()
    const counts = []
    for (const address of [email, freshEmail()]) {
      await office.office.identityWork.settle()
      const before = stub.calls
      await office.browser().call('signUp', { email: address })
      await office.office.identityWork.settle()
      counts.push(stub.calls - before)
    }
    expect(counts).toEqual([2, 2])
  })

  it('has a code sent as soon as WorkOS takes it again', async () => {
    const { email } = await signedUp()
    const used = stub.codeFor(email)
    stub.fault = { status: 429 }
    const calls = stub.calls
    await office.browser().call('signIn', { email })
    await until(async () => stub.calls > calls)
    stub.fault = undefined
    await until(async () => stub.codeFor(email) !== used)
  })

  it('tells of the organization beside the code that WorkOS mails, sent again or not', async () => {
    const founder = await signedUp()
    const { id } = await founder.browser.call('createOrganization', { name: 'Harbour' })
    const inviteToken = await linkTokenOf({ ...founder, id: '', cookie: '' })
    const [email, browser] = [freshEmail(), office.browser()]
    await browser.call('memberSignUp', { email, inviteToken })
    await browser.call('resendMagicAuth', { email })
    const code = await codeFor(email)
    const mails = await mailsTo(office, email)
    expect(mails).toHaveLength(2)
    for (const { text } of mails) expect(text).toContain('makes you a member of "Harbour"')
    const { joined } = await browser.call('finalizeMagicAuth', { email, code })
    expect(joined).toEqual({ organizationId: id, state: 'joined' })
  })

  it.each([
    ['email_verification_required', 400, 'email-not-proven', /code that is mailed/],
    ['mfa_enrollment', 403, 'second-factor-required', /second factor/],
    ['mfa_challenge', 403, 'second-factor-required', /second factor/],
    ['radar_challenge', 403, 'second-factor-required', /second factor/],
    ['authentication_method_not_allowed', 403, 'sign-in-method-not-accepted', /its own way of signing in/],
    ['sso_required', 400, 'single-sign-on-required', /through your organization/],
  ])(
    'says what WorkOS wants where it says %s: by code, by choice and by redirect',
    async (word, status, error, text) => {
      const { email, browser } = await signedUp()
      const { id } = await browser.call('createOrganization', { name: 'First' })
      await browser.call('createOrganization', { name: 'Second' })
      const { again, pendingAuthenticationToken } = await undecided(email)
      await browser.call('signIn', { email })
      const code = await codeFor(email)
      const surfer = surferOf(office)
      const { authData } = await surfer.client.call('continueWithProviderA')
      stub.obstacle = [403, { code: word, message: 'no', pending_authentication_token: 'x', user: {} }]
      const refusal = { status, body: { error, message: expect.stringMatching(text) } }
      expect(await office.browser().request('finalizeMagicAuth', { email, code })).toMatchObject(refusal)
      const choice = { pendingAuthenticationToken, organizationId: id }
      expect(await again.request('selectOrganization', choice)).toMatchObject(refusal)
      const { url } = await surfer.visit(stub.authorize(authData.redirectURL, email).href)
      expect(url.searchParams.get('error')).toBe(error)
    },
  )

  it.each([
    ['errs', { status: 500 }],
    ['is overrun', { status: 429 }],
    ['does not know our key', { status: 401 }],
    ['talks nonsense', { status: 200, body: '<html>' }],
    ['lacks what it should say', { status: 200, body: '{}' }],
    ['says nothing', 'hang' as const],
  ])('answers 503 in one try where WorkOS %s, and harms no session', async (_, fault) => {
    const { email, browser } = await signedUp()
    await browser.call('signIn', { email })
    const code = await codeFor(email)
    stub.fault = fault
    const calls = stub.calls
    const { result, ms, allowance } = await timed(() =>
      office.browser().request('finalizeMagicAuth', { email, code }),
    )
    expect(result).toMatchObject({ status: 503, body: { code: 503, error: 'provider-unavailable' } })
    expect(ms).toBeLessThan(6_000 + allowance)
    expect(stub.calls).toBe(calls + 1)
    expect((await browser.request('getCurrentUser')).status).toBe(200)
    expect((await browser.request('signOut')).status).toBe(200)
    expect((await browser.request('getCurrentUser')).status).toBe(401)
  })

  it('answers 503 where WorkOS answers without an end, and takes little of it', async () => {
    const { email, browser } = await signedUp()
    await browser.call('signIn', { email })
    const code = await codeFor(email)
    stub.fault = 'endless'
    const answer = await office.browser().request('finalizeMagicAuth', { email, code })
    expect(answer).toMatchObject({ status: 503, body: { error: 'provider-unavailable' } })
    expect(stub.endlessBytes).toBeLessThan(50 * 1024 * 1024)
    expect((await browser.request('getCurrentUser')).status).toBe(200)
  })
})
