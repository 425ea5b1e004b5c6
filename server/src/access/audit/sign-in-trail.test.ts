import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInBySingleSignOn, signInFederated, surferOf } from '../../../tests/chapters/surfer.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { codeFor, newFounder, newMember, signInAgain, wholeAuditOf } from '../../../tests/people.ts'
import { type RecordedLog, recordedLog } from '../../../tests/recorded-log.ts'
import { until } from '../../../tests/until.ts'

/** Who came in, who was refused, and from where: in the audit trail and in one line of the log each. */
describe('the trail of sign-ins', () => {
  let office: TestOffice
  let recorded: RecordedLog
  beforeAll(async () => {
    recorded = recordedLog()
    office = await openTestOffice({ atBaseUrl: true, log: recorded.log })
  })
  afterAll(() => office.close())

  const linesOf = (security: string, field: string, value: string) =>
    recorded.lines.filter((line) => line.security === security && line[field] === value)

  it('has who signs in by a code, and from which network', async () => {
    const founder = await newFounder(office)
    await signInAgain(office, founder.email)
    expect((await wholeAuditOf(founder)).at(-1)).toMatchObject({
      action: 'member.signed-in',
      actor: { kind: 'user', id: founder.id, email: founder.email, address: '127.0.0.1' },
      target: { kind: 'user', id: founder.id },
      detail: { method: 'magic_auth' },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const lines = linesOf('sign-in', 'user', founder.id)
    expect(lines.map(({ method }) => method)).toEqual(['magic_auth', 'magic_auth'])
    expect(lines.at(-1)).toMatchObject({ network: '127.0.0.1', requestId: expect.any(String) })
  })

  it('has social sign-in, the choice among several organizations, and single sign-on', async () => {
    const founder = await newFounder(office)
    await signInFederated(office, 'continueWithProviderA', founder.email)
    const { id: second } = await founder.browser.call('createOrganization', { name: 'Second' })
    const browser = office.browser()
    await browser.call('signIn', { email: founder.email })
    const code = await codeFor(office, founder.email)
    const { user } = await browser.call('finalizeMagicAuth', { email: founder.email, code })
    const { pendingAuthenticationToken } = user as { pendingAuthenticationToken: string }
    await browser.call('selectOrganization', { pendingAuthenticationToken, organizationId: second })
    const methods = async (admin: Parameters<typeof wholeAuditOf>[0]) =>
      (await wholeAuditOf(admin))
        .filter(({ action }) => action === 'member.signed-in')
        .map(({ detail }) => detail.method)
    expect(await methods(founder)).toEqual(['oauth'])
    expect(await methods({ browser })).toEqual(['magic_auth'])

    const developer = office.browser()
    await developer.call('devSignIn')
    const { answer } = await signInBySingleSignOn(office, freshEmail().replace('people', 'sso'))
    expect(answer.status).toBe(200)
    expect((await methods({ browser: developer })).slice(-2)).toEqual(['dev', 'sso'])
  })

  it('has who was refused, under each organization of the address, and no address or code in the log', async () => {
    const founder = await newFounder(office)
    const other = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    await other.browser.call('joinOrganization', {
      inviteToken: new URL((await founder.browser.call('getInviteLink')).inviteLink).searchParams.get(
        'invite_token',
      ) as string,
    })
    const guess = { email: other.email, code: '000000' }
    expect((await office.browser().request('finalizeMagicAuth', guess)).status).toBe(400)
    const refused = {
      action: 'member.sign-in-refused',
      actor: { kind: 'user', address: '127.0.0.1' },
      target: { kind: 'user', id: other.id },
      detail: { operation: 'finalizeMagicAuth', reason: 'invalid-code' },
    }
    for (const admin of [founder, other]) {
      await until(async () => (await wholeAuditOf(admin)).at(-1)?.action === refused.action)
      const entry = (await wholeAuditOf(admin)).at(-1)
      expect(entry).toMatchObject(refused)
      expect(entry?.actor).not.toHaveProperty('id')
    }
    expect(linesOf('sign-in-refused', 'user', other.id)).toMatchObject([
      { operation: 'finalizeMagicAuth', reason: 'invalid-code', network: '127.0.0.1' },
    ])
    const said = JSON.stringify(recorded.lines.filter(({ security }) => security))
    for (const secret of [other.email, member.email, guess.code, other.cookie])
      expect(said).not.toContain(secret)
  })

  it('has one line, and no entry, of an unknown address', async () => {
    const before = recorded.lines.length
    const answer = await office.browser().request('finalizeMagicAuth', {
      email: freshEmail(),
      code: '000000',
    })
    const requestId = answer.headers.get('x-request-id') as string
    await until(() => linesOf('sign-in-refused', 'requestId', requestId).length === 1)
    expect(linesOf('sign-in-refused', 'requestId', requestId)).toMatchObject([{ user: null }])
    expect(recorded.lines.slice(before).filter(({ security }) => security)).toHaveLength(1)
  })

  it('has a person whom single sign-on asserts in vain, in the trail of its organization', async () => {
    const developer = office.browser()
    await developer.call('devSignIn')
    const surfer = surferOf(office)
    const email = freshEmail().replace('people', 'sso')
    const { authData } = await surfer.client.call('signIn', { email })
    const end = await surfer.logIn((authData as { redirectURL: string }).redirectURL, freshEmail())
    const code = end.searchParams.get('code') ?? ''
    expect((await surfer.client.request('finalizeOauth', { code })).status).toBe(400)
    const refused = async () => (await wholeAuditOf({ browser: developer })).at(-1)
    await until(async () => (await refused())?.action === 'member.sign-in-refused')
    expect(await refused()).toMatchObject({
      target: { kind: 'organization' },
      detail: { operation: 'finalizeOauth', reason: 'foreign-domain' },
    })
  })

  it('has the refusals of other ways in', async () => {
    const answer = await office.browser().request('selectOrganization', {
      pendingAuthenticationToken: 'pat_nobody',
      organizationId: 'org_nowhere',
    })
    const requestId = answer.headers.get('x-request-id') as string
    await until(() => linesOf('sign-in-refused', 'requestId', requestId).length === 1)
    expect(linesOf('sign-in-refused', 'requestId', requestId)).toMatchObject([
      { operation: 'selectOrganization', reason: 'invalid-pending-authentication-token' },
    ])
  })
})
