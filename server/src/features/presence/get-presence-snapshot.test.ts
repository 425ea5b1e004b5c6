import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { signInAgain } from '../../../tests/people.ts'
import { type Colleague, joinedBy, newColleague } from '../../../tests/realtime/colleagues.ts'
import { until } from '../../../tests/until.ts'
import type { PresenceMirror } from './mirror.ts'

let office: TestOffice
let ada: Colleague
let grace: Colleague
let stranger: Colleague
beforeAll(async () => {
  office = await openTestOffice()
  ada = await newColleague(office)
  grace = await joinedBy(office, ada)
  stranger = await newColleague(office)
  for (const one of [ada, grace, stranger]) await one.browser.call('setPresenceStatus', { status: 'busy' })
})
afterAll(() => office.close())

function snapshot(of: Colleague, userIds: string[]) {
  return of.browser.call('getPresenceSnapshot', { userIds })
}

const mirror = () => office.office.needs.presenceMirror as PresenceMirror

/** The mirror answers from memory from now on. */
async function warm(of: Colleague): Promise<void> {
  const presenceMirror = mirror()
  await until(async () => {
    const before = presenceMirror.counts().fromCopy
    await snapshot(of, [of.user.id])
    return presenceMirror.counts().fromCopy > before
  })
}

describe.each(['from the tables', 'from memory'])('getPresenceSnapshot %s', (source) => {
  beforeAll(async () => {
    if (source === 'from memory') await warm(ada)
    else mirror().forgetAll()
  })

  it('answers each person once, for either kind of id, ordered by id', async () => {
    const ids = [grace.user.id, ada.user.identityId, grace.user.identityId, ada.user.id, ada.user.id]
    const expected = [ada.user.identityId, grace.user.identityId].sort()
    const { statuses } = await snapshot(ada, ids)
    expect(statuses).toEqual(expected.map((userId) => ({ userId, status: 'busy' })))
  })

  it('leaves out who is unknown or of another organization', async () => {
    const unknown = [
      '',
      '0',
      'a\u0000b',
      'x'.repeat(500),
      '007',
      '-1',
      '99999999999999999999',
      'user_',
      'user_0000000000000',
      'x',
      "'",
      '🦊',
    ]
    const foreign = [stranger.user.id, stranger.user.identityId]
    expect(await snapshot(ada, [...unknown, ...foreign])).toEqual({ statuses: [] })
  })

  it('shows invisibility to the person alone', async () => {
    await grace.browser.call('setPresenceStatus', { status: 'appear_offline' })
    const userIds = [grace.user.id]
    const { identityId: userId } = grace.user
    expect(await snapshot(ada, userIds)).toEqual({ statuses: [{ userId, status: 'offline' }] })
    expect(await snapshot(grace, userIds)).toEqual({ statuses: [{ userId, status: 'appear_offline' }] })
    await grace.browser.call('setPresenceStatus', { status: 'busy' })
  })

  it('answers who has never been there as offline', async () => {
    const silent = await joinedBy(office, ada)
    const { identityId: userId } = silent.user
    expect(await snapshot(ada, [userId])).toEqual({ statuses: [{ userId, status: 'offline' }] })
  })

  it('shows every change at once, also one made at another node', async () => {
    const node = await openTestOffice({ beside: office })
    try {
      const { browser: elsewhere } = await signInAgain(node, grace.email)
      for (const status of ['away', 'online', 'busy', 'away', 'busy'] as const) {
        await elsewhere.call('setPresenceStatus', { status })
        const { statuses } = await snapshot(ada, [grace.user.id])
        expect(statuses[0]?.status).toBe(status)
      }
    } finally {
      await node.close()
    }
  })

  it('takes one to a hundred ids', async () => {
    const ids = Array.from({ length: 101 }, (_, at) => String(at + 1))
    for (const userIds of [[], ids]) {
      const answer = await ada.browser.request('getPresenceSnapshot', { userIds })
      expect(answer.status).toBe(400)
    }
    const malformed = [{}, { userIds: null }, { userIds: 'user_1' }, { userIds: [1] }]
    for (const body of malformed) {
      expect((await ada.browser.request('getPresenceSnapshot', body as never)).status).toBe(400)
    }
    const answer = await ada.browser.request('getPresenceSnapshot', { userIds: ids.slice(0, 100) })
    expect(answer.status).toBe(200)
  })

  it('leaves out who is no longer a member', async () => {
    const leaver = await joinedBy(office, ada)
    await leaver.browser.call('setPresenceStatus', { status: 'online' })
    expect((await snapshot(ada, [leaver.user.id])).statuses).toHaveLength(1)
    await office.database.pool.query('delete from memberships where user_id = $1', [leaver.user.id])
    expect(await snapshot(ada, [leaver.user.id])).toEqual({ statuses: [] })
  })
})
