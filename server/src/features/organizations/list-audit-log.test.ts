import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, newPerson } from '../../../tests/people.ts'

describe('listAuditLog', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  async function renamed(times: number) {
    const founder = await newFounder(office, 'Name 0')
    const { organizationId } = founder
    for (let n = 1; n <= times; n += 1) {
      await founder.browser.call('updateOrganization', { organizationId, name: `Name ${n}` })
    }
    return founder
  }

  it('shows who did what to what, when, from where and in which request, newest first', async () => {
    const founder = await renamed(0)
    const { organizationId } = founder
    const answer = await founder.browser.request('updateOrganization', { organizationId, name: 'Name 1' })
    const log = await founder.browser.call('listAuditLog')
    expect(log).toEqual({
      data: [
        {
          id: '2',
          at: expect.stringMatching(/Z$/),
          actor: { kind: 'user', id: founder.id, email: founder.email, address: '127.0.0.1' },
          action: 'organization.renamed',
          target: { kind: 'organization', id: organizationId },
          requestId: answer.headers.get('x-request-id'),
          detail: { from: 'Name 0', to: 'Name 1' },
        },
        {
          id: '1',
          at: expect.any(String),
          actor: { kind: 'user', id: founder.id, email: founder.email, address: '127.0.0.1' },
          action: 'organization.created',
          target: { kind: 'organization', id: organizationId },
          requestId: expect.any(String),
          detail: { name: 'Name 0' },
        },
      ],
      before: null,
      after: null,
    })
  })

  it('leads through all of it by cursors, while more is written', async () => {
    const founder = await renamed(5)
    const first = await founder.browser.call('listAuditLog', { limit: 4 })
    expect(first.data.map(({ id }) => id)).toEqual(['6', '5', '4', '3'])
    await founder.browser.call('resetInviteLink')
    const second = await founder.browser.call('listAuditLog', { limit: 4, after: first.after as string })
    expect(second.data.map(({ id }) => id)).toEqual(['2', '1'])
    expect(second.after).toBeNull()
    const back = await founder.browser.call('listAuditLog', { limit: 4, before: second.before as string })
    expect(back.data).toEqual(first.data)
    const top = await founder.browser.call('listAuditLog', { before: back.before as string })
    expect(top.data.map(({ id }) => id)).toEqual(['7'])
    expect(top.before).toBeNull()
  })

  it('shows ten where nothing else is asked for', async () => {
    const founder = await renamed(11)
    expect((await founder.browser.call('listAuditLog')).data).toHaveLength(10)
  })

  it.each([0, 101, 1.5, '4', null])('refuses the limit %j', async (limit) => {
    const founder = await renamed(0)
    const answer = await founder.browser.request('listAuditLog', { limit: limit as number })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'limit' }] } })
  })

  it.each(['guest', 'member', 'moderator'] as const)(
    'is refused to a %s, whatever the body',
    async (role) => {
      const founder = await renamed(0)
      const member = await newMember(office, founder, role)
      for (const limit of [5, 500]) {
        expect(await member.browser.request('listAuditLog', { limit })).toMatchObject({
          status: 403,
          body: { error: 'role-not-allowed' },
        })
      }
    },
  )

  it('shows nothing of other organizations, whatever the cursor', async () => {
    const [one, other] = [await renamed(0), await renamed(3)]
    const { after } = await other.browser.call('listAuditLog', { limit: 1 })
    const { data } = await one.browser.call('listAuditLog', { after: after as string })
    expect(data.every(({ actor }) => actor.id === one.id)).toBe(true)
    const { browser } = await newPerson(office)
    expect(await browser.request('listAuditLog')).toMatchObject({ status: 403 })
  })

  it('refuses cursors that are none, those of another list among them', async () => {
    const founder = await renamed(0)
    for (let n = 0; n < 2; n += 1) {
      await founder.browser.call('sendInvitation', { email: `x${n}-${Date.now()}@people.example` })
    }
    const { after } = await founder.browser.call('listInvitation', { limit: 1 })
    for (const cursor of ['x', after as string]) {
      const answer = await founder.browser.request('listAuditLog', { after: cursor })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'after' }] } })
    }
  })
})
