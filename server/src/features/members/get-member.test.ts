import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

describe('getMember', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('answers one member as the list does, and as the others see them', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    await member.browser.call('setPresenceStatus', { status: 'appear_offline' })
    const { data } = await founder.browser.call('listMembers', { query: member.email })
    expect(await founder.browser.call('getMember', { id: member.id })).toEqual(data[0])
    expect(data[0]?.presenceStatus).toBe('offline')
  })

  it('finds none of another organization, none who left, and nothing under another word', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const member = await newMember(office, founder, 'member')
    await member.browser.call('removeMember', { id: member.id })
    for (const id of [other.id, member.id, '0', '999999999999999999', 'x', founder.email])
      expect(await founder.browser.request('getMember', { id })).toMatchObject({
        status: 404,
        body: { code: 404, error: 'member-not-found' },
      })
  })
})

describe('listMembers by presence', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('lists who appears so, with and without a text, and tells of none who is invisible', async () => {
    const founder = await newFounder(office)
    const ids: Record<string, string> = {}
    for (const status of ['busy', 'away', 'appear_offline'] as const) {
      const member = await newMember(office, founder, 'member')
      await member.browser.call('updateProfile', { displayName: `Somebody ${status}` })
      await member.browser.call('setPresenceStatus', { status })
      ids[status] = member.id
    }
    const listed = async (presence: 'online' | 'away' | 'busy' | 'offline', query = '') => {
      const { data, page } = await founder.browser.call('listMembers', { presence, query })
      expect(page.total).toBe(data.length)
      return data.map(({ id }) => id)
    }
    expect(await listed('busy')).toEqual([ids.busy])
    expect(await listed('away', 'somebody')).toEqual([ids.away])
    expect(await listed('offline', 'somebody')).toEqual([ids.appear_offline])
    expect((await listed('offline')).sort()).toEqual([founder.id, ids.appear_offline].sort())
    expect(await listed('online')).toEqual([])
    expect(
      await founder.browser.request('listMembers', { presence: 'appear_offline' } as never),
    ).toMatchObject({
      status: 400,
    })
  })
})
