import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { invitationTokenFor, newFounder, newMember, newPerson } from '../../../tests/people.ts'

type Founder = Awaited<ReturnType<typeof newFounder>>

describe('listInvitation', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  async function invited(founder: Founder, count: number): Promise<string[]> {
    const emails: string[] = []
    for (let n = 0; n < count; n += 1) {
      const email = freshEmail(`guest${n}`)
      await founder.browser.call('sendInvitation', { email })
      emails.unshift(email)
    }
    return emails
  }

  const emailsOf = (page: { data: { email: string }[] }) => page.data.map(({ email }) => email)

  it('is empty without invitations', async () => {
    const { browser } = await newFounder(office)
    expect(await browser.call('listInvitation')).toEqual({ data: [], before: null, after: null })
  })

  it('shows ten, newest first, and leads over all of them and back', async () => {
    const founder = await newFounder(office)
    const emails = await invited(founder, 12)
    const first = await founder.browser.call('listInvitation')
    expect(emailsOf(first)).toEqual(emails.slice(0, 10))
    expect(first.before).toBeNull()
    const second = await founder.browser.call('listInvitation', { after: first.after as string })
    expect(emailsOf(second)).toEqual(emails.slice(10))
    expect(second.after).toBeNull()
    const back = await founder.browser.call('listInvitation', { before: second.before as string })
    expect(emailsOf(back)).toEqual(emails.slice(0, 10))
  })

  it.each([3, '3'])('takes the limit %j', async (limit) => {
    const founder = await newFounder(office)
    const emails = await invited(founder, 4)
    expect(emailsOf(await founder.browser.call('listInvitation', { limit }))).toEqual(emails.slice(0, 3))
  })

  it.each([0, 101, -1, 1.5, '0', '101', '1e2', ' 5', '', true, null])(
    'refuses the limit %j',
    async (limit) => {
      const { browser } = await newFounder(office)
      const answer = await browser.request('listInvitation', { limit: limit as number })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
    },
  )

  it('cursors stay right while invitations are added and revoked', async () => {
    const founder = await newFounder(office)
    const emails = await invited(founder, 6)
    const first = await founder.browser.call('listInvitation', { limit: 2 })
    await invited(founder, 2)
    await founder.browser.call('revokeInvitation', { invitationId: first.data[1]?.id as string })
    const second = await founder.browser.call('listInvitation', { limit: 2, after: first.after as string })
    expect(emailsOf(second)).toEqual(emails.slice(2, 4))
    const back = await founder.browser.call('listInvitation', { limit: 2, before: second.before as string })
    expect(emailsOf(back)).toEqual(emails.slice(0, 2))
    expect(back.before).not.toBeNull()
  })

  it('filters by address in any case, together with every other field', async () => {
    const founder = await newFounder(office)
    const emails = await invited(founder, 3)
    const email = emails[1]?.toUpperCase() as string
    for (let n = 0; n < 3; n += 1) await founder.browser.call('sendInvitation', { email })
    const { organizationId } = founder
    const first = await founder.browser.call('listInvitation', { email, organizationId, limit: '2' })
    expect(first.data.map(({ state }) => state)).toEqual(['pending', 'revoked'])
    const after = first.after as string
    const second = await founder.browser.call('listInvitation', { email, organizationId, limit: 2, after })
    expect(second.data.map(({ state }) => state)).toEqual(['revoked', 'revoked'])
    expect(second.after).toBeNull()
    const between = await founder.browser.call('listInvitation', {
      email,
      after,
      before: second.before as string,
    })
    expect(between.data).toEqual([])
  })

  it('shows every state', async () => {
    const founder = await newFounder(office)
    const [accepted, revoked, expired] = [await newPerson(office), freshEmail(), freshEmail()]
    await founder.browser.call('sendInvitation', { email: expired })
    office.clock.advance(4 * 24 * 60 * 60)
    for (const email of [accepted.email, revoked]) await founder.browser.call('sendInvitation', { email })
    await accepted.browser.call('acceptInvitation', {
      token: await invitationTokenFor(office, accepted.email),
    })
    const { data } = await founder.browser.call('listInvitation', { email: revoked })
    await founder.browser.call('revokeInvitation', { invitationId: data[0]?.id as string })
    office.clock.advance(4 * 24 * 60 * 60)
    const page = await founder.browser.call('listInvitation')
    expect(page.data.map(({ email, state }) => [email, state])).toEqual([
      [revoked, 'revoked'],
      [accepted.email, 'accepted'],
      [expired, 'expired'],
    ])
    expect(page.data[1]?.acceptedAt).toEqual(expect.any(String))
  })

  it('shows tokens only to those who may invite', async () => {
    const founder = await newFounder(office)
    await invited(founder, 1)
    const guest = await newMember(office, founder, 'guest')
    const member = await newMember(office, founder, 'member')
    for (const { token, acceptInvitationUrl } of (await guest.browser.call('listInvitation')).data) {
      expect([token, acceptInvitationUrl]).toEqual(['', ''])
    }
    for (const { token } of (await member.browser.call('listInvitation')).data) {
      expect(token).toMatch(/^inv_/)
    }
  })

  it('lists another organization of the caller’s by its id, with the role they have there', async () => {
    const founder = await newFounder(office, 'First')
    const other = await newFounder(office, 'Second')
    await invited(other, 1)
    await other.browser.call('sendInvitation', { email: founder.email, role: 'guest' })
    await founder.browser.call('acceptInvitation', {
      token: await invitationTokenFor(office, founder.email),
    })
    const { data } = await founder.browser.call('listInvitation', { organizationId: other.organizationId })
    expect(data).toHaveLength(2)
    expect(data.map(({ token, organizationId }) => [token, organizationId])).toEqual(
      Array(2).fill(['', other.organizationId]),
    )
    expect((await founder.browser.call('listInvitation')).data).toEqual([])
  })

  it('answers 404 for an organization that is not theirs, and one that is none', async () => {
    const founder = await newFounder(office)
    const other = await newFounder(office)
    for (const organizationId of [other.organizationId, 'org_00000000000000000000000000', 'x']) {
      const answer = await founder.browser.request('listInvitation', { organizationId })
      expect(answer).toMatchObject({ status: 404, body: { error: 'organization-not-found' } })
    }
  })

  it('does not lead anywhere else by the cursor of another organization', async () => {
    const [one, other] = [await newFounder(office), await newFounder(office)]
    await invited(other, 3)
    const { after } = await other.browser.call('listInvitation', { limit: 1 })
    expect((await one.browser.call('listInvitation', { after: after as string })).data).toEqual([])
  })

  it.each(['x', 'WyJ4Il0'])('refuses the cursor %s', async (cursor) => {
    const { browser } = await newFounder(office)
    for (const field of ['before', 'after'] as const) {
      const answer = await browser.request('listInvitation', { [field]: cursor })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ field }] } })
    }
  })

  it('is refused without an active organization', async () => {
    const { browser } = await newPerson(office)
    expect(await browser.request('listInvitation')).toMatchObject({ status: 403 })
  })
})
