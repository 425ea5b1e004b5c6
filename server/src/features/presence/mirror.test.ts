import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { type Colleague, joinedBy, newColleague } from '../../../tests/realtime/colleagues.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { until } from '../../../tests/until.ts'
import { listenForNotifications, type Notifications } from '../../platform/background/notifications.ts'
import { mirrorPresence, type PresenceMirror } from './mirror.ts'

let office: TestOffice
let ada: Colleague
let mirror: PresenceMirror
let notifications: Notifications
/** What reaches the mirror under test: everything, until a test says otherwise. */
let deliver: (payload: string) => void

beforeEach(async () => {
  office = await openTestOffice()
  ada = await newColleague(office)
  const { log } = recordedLog()
  const { connectionString, db } = office.database
  deliver = (payload) => mirror.hear(payload)
  notifications = listenForNotifications({ connectionString, log, onGap: () => mirror?.forgetAll() })
  mirror = mirrorPresence({ db, log, isNotified: () => notifications.isLive() })
  notifications.on('presence_changed', (payload) => deliver(payload))
  await until(async () => notifications.isLive())
})
afterEach(async () => {
  await notifications.close()
  await mirror.settle()
  await office.close()
})

async function statusOf({ user, organization }: Colleague): Promise<string | undefined> {
  const [found] = await mirror.find(organization.id, [user.id])
  return found?.status
}

/** Asks until the answer comes from memory. */
async function answersFromMemory(one: Colleague): Promise<void> {
  await until(async () => {
    const before = mirror.counts().fromCopy
    await statusOf(one)
    return mirror.counts().fromCopy > before
  })
}

const set = (one: Colleague, status: 'online' | 'away' | 'busy') =>
  one.browser.call('setPresenceStatus', { status })

describe('the mirror', () => {
  it('answers from memory, also after changes', async () => {
    await answersFromMemory(ada)
    await set(ada, 'busy')
    expect(await statusOf(ada)).toBe('busy')
    const tables = mirror.counts().fromTables
    await answersFromMemory(ada)
    for (let times = 0; times < 20; times++) expect(await statusOf(ada)).toBe('busy')
    expect(mirror.counts().fromTables).toBeLessThanOrEqual(tables + 1)
  })

  it('never answers what is no longer so, though no notification arrives', async () => {
    await answersFromMemory(ada)
    deliver = () => {}
    for (const status of ['busy', 'away', 'online'] as const) {
      await set(ada, status)
      expect(await statusOf(ada)).toBe(status)
    }
  })

  it('makes a new copy after one notification was lost', async () => {
    await answersFromMemory(ada)
    deliver = () => {
      deliver = (payload) => mirror.hear(payload)
    }
    await set(ada, 'busy')
    await set(ada, 'away')
    await answersFromMemory(ada)
    expect(await statusOf(ada)).toBe('away')
  })

  it('answers from memory for an organization in which no change was ever counted', async () => {
    await office.database.pool.query('delete from presence_revisions')
    mirror.forgetAll()
    await answersFromMemory(ada)
  })

  it('gives up a copy that stays behind', async () => {
    await answersFromMemory(ada)
    deliver = () => {}
    await set(ada, 'busy')
    await answersFromMemory(ada)
    expect(await statusOf(ada)).toBe('busy')
  })

  it('takes repeated and late notifications for what they are', async () => {
    const payloads: string[] = []
    await answersFromMemory(ada)
    deliver = (payload) => {
      payloads.push(payload)
      mirror.hear(payload)
    }
    await set(ada, 'busy')
    await set(ada, 'away')
    await until(async () => payloads.length === 2)
    for (const payload of [...payloads, 'nonsense', '{}', '{"organization":"1"}', '[]']) mirror.hear(payload)
    expect(await statusOf(ada)).toBe('away')
    await answersFromMemory(ada)
  })

  it('keeps no copy while it hears nothing', async () => {
    await notifications.close()
    for (let times = 0; times < 3; times++) await statusOf(ada)
    await mirror.settle()
    await statusOf(ada)
    expect(mirror.counts()).toEqual({ fromCopy: 0, fromTables: 4 })
  })

  it('gives each who asks the tables at the same time what they asked for', async () => {
    await notifications.close()
    const grace = await joinedBy(office, ada)
    await set(ada, 'busy')
    const asked = [
      [ada.user.id],
      [grace.user.identityId, ada.user.identityId, grace.user.id],
      ['nonsense'],
      [],
    ]
    const found = await Promise.all(asked.map((ids) => mirror.find(ada.organization.id, ids)))
    const both = [ada, grace].map(({ user }) => user.id).toSorted()
    expect(found.map((people) => people.map(({ id }) => id).toSorted())).toEqual([
      [ada.user.id],
      both,
      [],
      [],
    ])
    expect(found[0]?.[0]?.status).toBe('busy')
    expect(mirror.counts()).toEqual({ fromCopy: 0, fromTables: asked.length })
  })

  it('sees who joins and who leaves at once', async () => {
    await answersFromMemory(ada)
    const grace = await joinedBy(office, ada)
    expect(await statusOf(grace)).toBe('offline')
    await answersFromMemory(grace)
    await office.database.pool.query(`update memberships set status = 'inactive' where user_id = $1`, [
      grace.user.id,
    ])
    expect(await statusOf(grace)).toBeUndefined()
  })

  it('is exact whatever happens while a copy is made', async () => {
    const grace = await joinedBy(office, ada)
    const statuses = ['busy', 'away', 'online'] as const
    for (let times = 0; times < 30; times++) {
      mirror.forgetAll()
      const status = statuses[times % 3] ?? 'busy'
      const reading = Promise.all([statusOf(ada), statusOf(grace)])
      await Promise.all([set(ada, status), set(grace, status), reading])
      expect(await Promise.all([statusOf(ada), statusOf(grace)])).toEqual([status, status])
    }
    await answersFromMemory(ada)
  })
})
