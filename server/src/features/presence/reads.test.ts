import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { type Colleague, joinedBy, newColleague } from '../../../tests/realtime/colleagues.ts'
import { trusted } from '../../platform/ids.ts'
import { changePresence } from './change-presence.ts'
import { presenceOf } from './reads.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

/** Their last connection is gone for longer than the grace. */
async function lose(one: Colleague, restoreManual: boolean): Promise<void> {
  const needs = { db: office.database.db, clock: office.clock, presenceRules: { restoreManual } }
  await changePresence(needs, one, { kind: 'lost' })
}

describe('presenceOf', () => {
  it('answers for everybody who was asked for what others see of them', async () => {
    const ada = await newColleague(office)
    const grace = await joinedBy(office, ada)
    const silent = await joinedBy(office, ada)
    const stranger = await newColleague(office)
    await ada.browser.call('setPresenceStatus', { status: 'busy' })
    await grace.browser.call('setPresenceStatus', { status: 'appear_offline' })
    await stranger.browser.call('setPresenceStatus', { status: 'busy' })
    const ids = [ada, grace, silent, stranger].map(({ user }) => user.id)
    expect(await presenceOf(office.database.db, ada.organization.id, ids)).toEqual(
      new Map([
        [ada.user.id, 'busy'],
        [grace.user.id, 'offline'],
        [silent.user.id, 'offline'],
        [stranger.user.id, 'offline'],
      ]),
    )
    expect(await presenceOf(office.database.db, ada.organization.id, [])).toEqual(new Map())
    const nobody = trusted.userId('999999999')
    expect(await presenceOf(office.database.db, ada.organization.id, [nobody])).toEqual(
      new Map([[nobody, 'offline']]),
    )
  })
})

describe('the manual status in the profile', () => {
  const shown = async ({ browser }: Colleague) => (await browser.call('getCurrentUser')).manualStatus

  it('is the last explicit choice in the active organization', async () => {
    const ada = await newColleague(office)
    expect(await shown(ada)).toBeNull()
    await ada.browser.call('confirmPresence')
    expect(await shown(ada)).toBeNull()
    for (const [status, read] of [
      ['busy', 'busy'],
      ['away', 'away'],
      ['appear_offline', 'offline'],
      ['online', 'online'],
    ] as const) {
      await ada.browser.call('setPresenceStatus', { status })
      expect(await shown(ada)).toBe(read)
      await ada.browser.call('confirmPresence')
      expect(await shown(ada)).toBe(read)
    }
  })

  it('ends when connectivity overrides it', async () => {
    const ada = await newColleague(office)
    await ada.browser.call('setPresenceStatus', { status: 'busy' })
    await lose(ada, false)
    expect(await shown(ada)).toBeNull()
    await ada.browser.call('confirmPresence')
    expect(await shown(ada)).toBeNull()
  })

  it('outlives a lost connection where it is restored', async () => {
    const restoring = await openTestOffice({
      beside: office,
      settings: { PRESENCE_RESTORE_MANUAL: 'true' },
    })
    try {
      const ada = await newColleague(restoring)
      const grace = await joinedBy(restoring, ada)
      await ada.browser.call('setPresenceStatus', { status: 'appear_offline' })
      await lose(ada, true)
      expect(await shown(ada)).toBe('offline')
      const { identityId: userId } = ada.user
      expect(await ada.browser.call('confirmPresence')).toEqual({ userId, status: 'appear_offline' })
      const seen = await grace.browser.call('getPresenceSnapshot', { userIds: [userId] })
      expect(seen).toEqual({ statuses: [{ userId, status: 'offline' }] })
    } finally {
      await restoring.close()
    }
  })
})
