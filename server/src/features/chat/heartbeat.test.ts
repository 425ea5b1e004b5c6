import type { ChosenStatus } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const beat = async (person: Chatter, status: string) => {
  const answer = await person.rest.rpc('update_presence', { p_status: status })
  expect(answer.status).toBe(204)
}
const choose = (person: Chatter, status: ChosenStatus) => person.browser.call('setPresenceStatus', { status })
/** What one sees of the other, by both functions. */
async function seenBy(person: Chatter): Promise<{ status: string; seen: string | null }> {
  const dm = await person.rest
    .rpc('get_recent_dms')
    .select('peer_user_id,peer_status,peer_last_seen_at')
    .single()
  const presence = await person.rest.rpc('get_recent_dm_presence').single()
  expect(presence.data).toEqual({
    user_id: dm.data?.peer_user_id,
    status: dm.data?.peer_status,
    last_seen_at: dm.data?.peer_last_seen_at,
  })
  return { status: dm.data?.peer_status, seen: dm.data?.peer_last_seen_at }
}
const age = (person: Chatter, seconds: number) =>
  office.database.pool.query(
    'update chat_presence set last_seen_at = last_seen_at - make_interval(secs => $2) where user_id = $1',
    [person.id, seconds],
  )

describe('the heartbeat', () => {
  it('shows a person as they say, until 90 seconds have passed without one', async () => {
    const { ada, ben } = await conversationOf(office)
    expect(await seenBy(ada)).toEqual({ status: 'offline', seen: null })
    await beat(ben, 'online')
    expect((await seenBy(ada)).status).toBe('online')
    await beat(ben, 'away')
    const { status, seen } = await seenBy(ada)
    expect(status).toBe('away')
    await age(ben, 60)
    expect((await seenBy(ada)).status).toBe('away')
    await age(ben, 31)
    const late = await seenBy(ada)
    expect(late.status).toBe('offline')
    expect(Date.parse(late.seen as string)).toBe(Date.parse(seen as string) - 91_000)
    await beat(ben, 'online')
    expect((await seenBy(ada)).status).toBe('online')
    await beat(ben, 'offline')
    expect((await seenBy(ada)).status).toBe('offline')
    expect(await seenBy(ben)).toEqual({ status: 'offline', seen: null })
  })

  it.each(['busy', '', "online'; drop table messages; --", null])('refuses %j', async (status) => {
    const { ada } = await conversationOf(office)
    const answer = await ada.rest.rpc('update_presence', { p_status: status })
    expect(answer).toMatchObject({ status: 400, error: { code: '22023' } })
  })

  it('does not show who appears offline, nor when they were there since', async () => {
    const { ada, ben } = await conversationOf(office)
    await choose(ben, 'online')
    await beat(ben, 'online')
    await age(ben, 30)
    const before = Date.now()
    await choose(ben, 'appear_offline')
    const hidden = await seenBy(ada)
    expect(hidden.status).toBe('offline')
    // since that moment, not since their last heartbeat
    expect(Date.parse(hidden.seen as string)).toBeGreaterThan(before - 5_000)
    await beat(ben, 'online')
    await beat(ben, 'away')
    expect(await seenBy(ada)).toEqual(hidden)
    await choose(ben, 'busy')
    await beat(ben, 'online')
    expect((await seenBy(ada)).status).toBe('online')
  })

  it('shows nothing of who comes back invisible', async () => {
    const { ada, ben } = await conversationOf(office)
    await beat(ben, 'online')
    await age(ben, 500)
    const away = await seenBy(ada)
    expect(away.status).toBe('offline')
    await choose(ben, 'appear_offline')
    await beat(ben, 'online')
    expect(await seenBy(ada)).toEqual(away)
    // the poll takes the invisible away: heartbeats that still come do not bring them back
    await office.database.pool.query(`update presence set status = 'offline' where user_id = $1`, [ben.id])
    await beat(ben, 'online')
    expect(await seenBy(ada)).toEqual(away)
  })
})
