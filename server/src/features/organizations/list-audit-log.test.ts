import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDirectory, newGroup } from '../../../tests/chapters/scim.ts'
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

  it('shows what a directory did, by its connection too', async () => {
    const directory = await newDirectory(office)
    await newGroup(directory)
    const list = async (filter: object) =>
      (await directory.founder.browser.call('listAuditLog', filter)).data.map(({ action }) => action)
    const did = ['directory-group.created']
    expect(await list({ actorKind: 'directory' })).toEqual(did)
    expect(await list({ actorKind: 'directory', actorId: directory.connectionId })).toEqual(did)
    expect(await list({ actorKind: 'user', actorId: directory.connectionId })).not.toContain(did[0])
  })

  it('shows what fits: by author, action and time, page by page', async () => {
    const founder = await renamed(3)
    const moderator = await newMember(office, founder, 'moderator')
    const { room } = await moderator.browser.call('createRoom', { name: 'Kitchen' })
    await founder.browser.call('deleteRoom', { roomId: room.id })
    const token = await founder.browser.call('createServiceToken', { name: 'P', operations: ['createRoom'] })
    await office.program(token.token).call('createRoom', { name: 'Cellar' })
    const list = async (filter: object) => {
      const { data } = await founder.browser.call('listAuditLog', { limit: 100, ...filter })
      return data.map(({ action, id }) => `${id} ${action}`)
    }
    const all = await list({})
    const fitting = (pattern: RegExp) => all.filter((one) => pattern.test(one))
    expect(await list({ action: 'organization.renamed' })).toEqual(fitting(/renamed/))
    expect(await list({ action: 'webhook.created' })).toEqual([])
    const { data } = await founder.browser.call('listAuditLog', { limit: 100 })
    const by = (id: string, kind: string) =>
      data
        .filter(({ actor }) => actor.id === id && actor.kind === kind)
        .map(({ action, id: n }) => `${n} ${action}`)
    expect(by(moderator.id, 'user').length).toBeGreaterThan(0)
    expect(await list({ actorKind: 'user', actorId: moderator.id })).toEqual(by(moderator.id, 'user'))
    expect(await list({ actorKind: 'token', actorId: token.id })).toEqual(by(token.id, 'token'))
    expect(await list({ actorKind: 'token' })).toEqual(by(token.id, 'token'))
    expect(await list({ actorKind: 'operator' })).toEqual([])
    expect(await list({ actorId: 'nobody' })).toEqual([])
    const [first, last] = [data.at(-1)?.at as string, data[0]?.at as string]
    expect(await list({ since: first })).toEqual(all)
    expect(await list({ until: first })).toEqual([])
    expect(await list({ since: last, action: 'room.created' })).toEqual(all.slice(0, 1))
    // pages of what fits
    const filter = { action: 'organization.renamed', limit: 2 } as const
    const page = await founder.browser.call('listAuditLog', filter)
    const rest = await founder.browser.call('listAuditLog', { ...filter, after: page.after as string })
    expect([...page.data, ...rest.data].map(({ detail }) => detail.to)).toEqual([
      'Name 3',
      'Name 2',
      'Name 1',
    ])
    expect(rest.after).toBeNull()
    for (const wrong of [{ action: 'room.painted' }, { actorKind: 'ghost' }, { since: 'yesterday' }])
      expect(await founder.browser.request('listAuditLog', wrong as never)).toMatchObject({ status: 400 })
  })

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
