import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { openWorkosStub, STUB_REGISTRATION, type WorkosStub } from '../../../tests/workos-stub.ts'
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
    codeFor: async (email) => stub.codeFor(email),
    connect: async (organization) => stub.connect(organization),
    authorize: async (redirectURL, email) => stub.authorize(redirectURL, email),
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
  })

  async function signedUp() {
    const [email, browser] = [freshEmail(), office.browser()]
    await browser.call('signUp', { email })
    await browser.call('finalizeMagicAuth', { email, code: stub.codeFor(email) })
    return { email, browser }
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
    const again = office.browser()
    await again.call('signIn', { email })
    const { user } = await again.call('finalizeMagicAuth', { email, code: stub.codeFor(email) })
    if (!('pendingAuthenticationToken' in user)) throw new Error('nothing to choose')
    const { pendingAuthenticationToken } = user
    await again.call('selectOrganization', { pendingAuthenticationToken, organizationId: second.id })
    expect((await again.call('getCurrentUser')).currentOrganizationId).toBe(second.id)
  })

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
    const code = stub.codeFor(email)
    stub.fault = fault
    const calls = stub.calls
    const began = performance.now()
    const answer = await office.browser().request('finalizeMagicAuth', { email, code })
    expect(answer).toMatchObject({ status: 503, body: { code: 503, error: 'provider-unavailable' } })
    expect(performance.now() - began).toBeLessThan(6_000)
    expect(stub.calls).toBe(calls + 1)
    expect((await browser.request('getCurrentUser')).status).toBe(200)
    expect((await browser.request('signOut')).status).toBe(200)
    expect((await browser.request('getCurrentUser')).status).toBe(401)
  })
})
