import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, conversationOf } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const beat = (person: Chatter, status: string) => person.rest.rpc('update_presence', { p_status: status })
const rowsSeenBy = async (person: Chatter) => {
  const { data, error } = await person.rest.from('presence').select().order('user_id')
  if (error) throw error
  return data
}

describe('rows of presence', () => {
  it('are of everybody in the organization of the token, as the heartbeat says, and of nobody else', async () => {
    const { ada, ben, founder } = await conversationOf(office)
    const cleo = await chatterOf(office, await newMember(office, founder, 'guest'))
    const stranger = await chatterOf(office, await newFounder(office, 'Elsewhere'))
    await beat(stranger, 'online')
    await beat(ben, 'away')
    // also of a colleague with whom no conversation has been opened
    expect(await rowsSeenBy(cleo)).toEqual([
      { user_id: Number(ada.id), status: 'offline', last_seen_at: null },
      { user_id: Number(ben.id), status: 'away', last_seen_at: expect.stringMatching(/\+00:00$/) },
      { user_id: Number(cleo.id), status: 'offline', last_seen_at: null },
    ])
    const one = await cleo.rest.from('presence').select('status').eq('user_id', ben.id).single()
    expect(one.data).toEqual({ status: 'away' })
    expect((await cleo.rest.from('presence').select().eq('user_id', stranger.id)).data).toEqual([])
    expect((await rowsSeenBy(stranger)).map(({ user_id }) => user_id)).toEqual([Number(stranger.id)])
    await office.database.pool.query(
      `update chat_presence set last_seen_at = last_seen_at - interval '91 s' where user_id = $1`,
      [ben.id],
    )
    const late = await ada.rest.from('presence').select().in('status', ['online', 'away'])
    expect(late.data).toEqual([])
  })

  it('are masked as peer_status is: who appears offline cannot be told from who is', async () => {
    const { ada, ben, founder } = await conversationOf(office)
    const cleo = await chatterOf(office, await newMember(office, founder, 'member'))
    const seen = async (person: Chatter) => {
      const { data } = await ada.rest
        .from('presence')
        .select('status,last_seen_at')
        .eq('user_id', person.id)
        .single()
      return data
    }
    // invisible from the beginning: as if they had never been there
    await cleo.browser.call('setPresenceStatus', { status: 'appear_offline' })
    await beat(cleo, 'online')
    expect(await seen(cleo)).toEqual({ status: 'offline', last_seen_at: null })

    await ben.browser.call('setPresenceStatus', { status: 'online' })
    await beat(ben, 'online')
    expect(await seen(ben)).toMatchObject({ status: 'online' })
    await ben.browser.call('setPresenceStatus', { status: 'appear_offline' })
    const hidden = await seen(ben)
    expect(hidden).toMatchObject({ status: 'offline' })
    await beat(ben, 'online')
    expect(await seen(ben)).toEqual(hidden)
    const dm = await ada.rest.rpc('get_recent_dm_presence').single()
    expect(dm.data).toMatchObject(hidden as object)
  })

  it('cannot be written, and are gone with the membership', async () => {
    const { ada, ben } = await conversationOf(office)
    const written = await ben.rest.from('presence').insert({ user_id: Number(ben.id), status: 'online' })
    expect(written).toMatchObject({ status: 403, error: { code: '42501' } })
    await ada.browser.call('removeMember', { id: ben.id })
    expect((await rowsSeenBy(ada)).map(({ user_id }) => user_id)).toEqual([Number(ada.id)])
    // with the token that they still hold: refused, or nothing is there
    expect((await ben.rest.from('presence').select()).data ?? []).toEqual([])
  })
})
