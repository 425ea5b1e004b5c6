import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, invitedMember, mailsTo, newFounder } from '../../../tests/people.ts'

const freshEmails = (count: number) => Array.from({ length: count }, () => freshEmail())

describe('budgets of invitations', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({
      settings: {
        RATE_LIMIT_INVITATIONS_PER_USER: '5',
        RATE_LIMIT_INVITATIONS_PER_ORGANIZATION: '8',
        RATE_LIMIT_INVITATIONS_PER_EMAIL: '2',
      },
    })
  })
  afterAll(() => office.close())

  it('of a person: what is too much is refused whole, told, and takes nothing of what is left', async () => {
    const founder = await newFounder(office)
    const send = (count: number) => founder.browser.request('sendInvitation', { emails: freshEmails(count) })
    const first = await send(3)
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-limit')).toBe('5')
    expect(first.headers.get('ratelimit-remaining')).toBe('2')
    const second = await send(3)
    expect(second).toMatchObject({ status: 429, body: { error: 'rate-limited' } })
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect((await send(2)).status).toBe(200)
    expect(await founder.browser.request('sendInvitation', { email: freshEmail() })).toMatchObject({
      status: 429,
    })
    expect((await founder.browser.call('listInvitation', { limit: 100 })).data).toHaveLength(5)
  })

  it('of a list that is longer than what anybody may ever send: refused in words, without a time to wait', async () => {
    const founder = await newFounder(office)
    const send = (count: number) => founder.browser.request('sendInvitation', { emails: freshEmails(count) })
    const refused = await send(6)
    const message = 'Give at most 5 addresses: more can never be invited at once here'
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'invalid-input', message, details: [{ field: 'emails', message }] },
    })
    expect(refused.headers.get('retry-after')).toBeNull()
    // nothing was taken for it
    expect((await send(5)).status).toBe(200)
  })

  it('of lists that are sent at the same time: those that are refused take nothing', async () => {
    const founder = await newFounder(office)
    const send = (count: number) => founder.browser.request('sendInvitation', { emails: freshEmails(count) })
    const answers = await Promise.all([send(3), send(3), send(3), send(3)])
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    const left = answers.some(({ status }) => status === 200) ? 2 : 5
    expect((await send(left)).status).toBe(200)
    expect((await send(1)).status).toBe(429)
  })

  it('of an organization: all its people draw on it', async () => {
    const founder = await newFounder(office)
    const member = await invitedMember(office, founder, 'member')
    expect(await founder.browser.request('sendInvitation', { emails: freshEmails(4) })).toMatchObject({
      status: 200,
    })
    expect(await member.browser.request('sendInvitation', { emails: freshEmails(3) })).toMatchObject({
      status: 200,
    })
    expect(await member.browser.request('sendInvitation', { email: freshEmail() })).toMatchObject({
      status: 429,
      body: { error: 'rate-limited' },
    })
  })

  it('of an address: no more mails, and no organization learns that others have invited it', async () => {
    const email = freshEmail()
    const founders = await Promise.all([1, 2, 3, 4].map(() => newFounder(office)))
    const answers = await Promise.all(
      founders.map(({ browser }) => browser.request('sendInvitation', { email })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).toHaveLength(1)
    expect(await mailsTo(office, email)).toHaveLength(2)
    const seen = await Promise.all(
      founders.map(async (founder) => {
        const { data } = await founder.browser.call('listInvitation')
        const trail = await auditOf(founder)
        return [
          data.map(({ state, role }) => [state, role]),
          trail.map(({ action, detail }) => [action, detail]),
        ]
      }),
    )
    expect(new Set(seen.map((one) => JSON.stringify(one)))).toHaveLength(1)
  })

  it('of an address, within one organization: told, whatever others have sent; a day later it works again', async () => {
    const [email, founder] = [freshEmail(), await newFounder(office)]
    const send = () => founder.browser.request('sendInvitation', { email })
    expect([(await send()).status, (await send()).status]).toEqual([200, 200])
    const refused = await send()
    expect(refused).toMatchObject({ status: 429, body: { error: 'invited-often' } })
    expect(refused.headers.get('retry-after')).toBe(String(24 * 60 * 60))
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'invitation.failed',
      detail: { reason: 'invited-often' },
    })
    const { data } = await founder.browser.call('listInvitation')
    expect(data.map(({ state }) => state)).toEqual(['pending', 'revoked'])
    office.clock.advance(24 * 60 * 60)
    expect((await send()).status).toBe(200)
    expect(await mailsTo(office, email)).toHaveLength(3)
  })
})

describe('the budget of invitations of a network', () => {
  it('bounds what all people there send, for whichever organizations', async () => {
    const office = await openTestOffice({
      settings: { RATE_LIMIT_INVITATIONS_PER_ADDRESS: '5', TRUST_PROXY: 'loopback' },
    })
    const from = async (network: string, count: number) => {
      const { cookie } = await newFounder(office)
      const headers = {
        'content-type': 'application/json',
        cookie: `atrium_session=${cookie}`,
        'x-forwarded-for': network,
      }
      const body = JSON.stringify({ emails: freshEmails(count) })
      const path = '/api/v1/organizations/send-invitation'
      return (await fetch(`${office.baseUrl}${path}`, { method: 'POST', headers, body })).status
    }
    expect([await from('192.0.2.1', 3), await from('192.0.2.1', 3)]).toEqual([200, 429])
    expect([await from('192.0.2.2', 3), await from('192.0.2.1', 2), await from('192.0.2.1', 1)]).toEqual([
      200, 200, 429,
    ])
    await office.close()
  })
})
