import type { ChosenStatus } from '@atrium/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { testClock } from '../../../tests/office.ts'
import { foundOrganization, makePerson } from '../../../tests/realtime/presence-world.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { type FakeBroker, fakeBroker } from '../../../tests/vendors/fake-broker.ts'
import { addMembership } from '../../directory/members/memberships.ts'
import { changePresence, type PresenceOwner } from './change-presence.ts'
import { connectivityPoll, type PollOutcome, presenceJobs } from './jobs.ts'

let database: FreshDatabase
let outbox: RecordedOutbox
let broker: FakeBroker
let ada: PresenceOwner
let round: () => Promise<PollOutcome>

const clock = testClock()

/** A node's poll; another call makes that of another node. */
function newPoll(restoreManual = false): () => Promise<PollOutcome> {
  const { db } = database
  const { log } = recordedLog()
  const { signal } = new AbortController()
  const poll = connectivityPoll({ db, clock, broker, log, presenceRules: { restoreManual } })
  return () => {
    clock.advance(15)
    return poll(signal)
  }
}

beforeEach(async () => {
  database = await freshDatabase()
  outbox = await recordOutbox(database)
  broker = fakeBroker()
  ada = await founder()
  round = newPoll()
})
afterEach(() => database.drop())

async function founder(): Promise<PresenceOwner> {
  const user = await makePerson(database.db)
  return { organization: await foundOrganization(database.db, [user]), user }
}

async function colleagueOfAda(): Promise<PresenceOwner> {
  const { organization } = ada
  const user = await makePerson(database.db)
  const membership = { organization: organization.id, user: user.id, role: 'member' } as const
  await addMembership(database.db, membership, clock.now())
  return { organization, user }
}

const connect = ({ organization, user }: PresenceOwner) =>
  broker.connect(organization.identityId, user.identityId)
const cut = ({ organization, user }: PresenceOwner) => broker.cut(organization.identityId, user.identityId)
const choose = (place: PresenceOwner, status: ChosenStatus) =>
  changePresence({ db: database.db, clock, presenceRules: { restoreManual: false } }, place, {
    kind: 'chosen',
    status,
  })
const confirm = (place: PresenceOwner) =>
  changePresence({ db: database.db, clock, presenceRules: { restoreManual: false } }, place, {
    kind: 'connected',
  })

async function truth({ user }: PresenceOwner): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ status: string }>(
    'select status from presence where user_id = $1',
    [user.id],
  )
  return rows[0]?.status
}

/** A present member whom the poll has seen connected. */
async function present(one: PresenceOwner, status: ChosenStatus): Promise<void> {
  connect(one)
  await choose(one, status)
  await round()
}

describe('the connectivity poll', () => {
  it.each(['online', 'away', 'busy'] as const)(
    'ends %s after two misses in a row and says so',
    async (status) => {
      await present(ada, status)
      cut(ada)
      expect(await round()).toMatchObject({ known: true, quiet: false, wentOffline: 0 })
      expect(await truth(ada)).toBe(status)
      expect(await round()).toMatchObject({ wentOffline: 1 })
      expect(await truth(ada)).toBe('offline')
      const events = await outbox.events('status:')
      expect(events.at(-1)?.data).toEqual({ userId: ada.user.identityId, status: 'offline' })
      expect((await round()).wentOffline).toBe(0)
      expect(await outbox.events('status:')).toEqual(events)
    },
  )

  it('ends invisibility for the person alone', async () => {
    await present(ada, 'appear_offline')
    cut(ada)
    await round()
    await round()
    expect(await truth(ada)).toBe('offline')
    expect(await outbox.events('status:')).toEqual([])
    expect(await outbox.events('user:')).toMatchObject([
      {
        channel: `user:${ada.organization.identityId}:${ada.user.identityId}`,
        type: 'status.changed',
        data: { userId: ada.user.identityId, status: 'offline' },
      },
    ])
  })

  it('forgives a miss when the connection is back in the next round', async () => {
    await present(ada, 'busy')
    for (let times = 0; times < 3; times++) {
      cut(ada)
      await round()
      connect(ada)
      await round()
    }
    expect(await truth(ada)).toBe('busy')
  })

  it('keeps who has another device', async () => {
    connect(ada)
    await present(ada, 'away')
    cut(ada)
    await round()
    await round()
    expect(await truth(ada)).toBe('away')
  })

  it('brings who is connected online, once, though their client never said so', async () => {
    const grace = await colleagueOfAda()
    connect(grace)
    expect(await round()).toMatchObject({ cameOnline: 1 })
    expect(await round()).toMatchObject({ cameOnline: 0 })
    expect(await truth(grace)).toBe('online')
    expect(await outbox.events('status:')).toMatchObject([
      { data: { userId: grace.user.identityId, status: 'online' } },
    ])
  })

  it('does not count a person as missed who has shown up since', async () => {
    await present(ada, 'busy')
    cut(ada)
    await round()
    await confirm(ada)
    await round()
    expect(await truth(ada)).toBe('busy')
    await round()
    expect(await truth(ada)).toBe('offline')
  })

  it('leaves a change alone that was made while the broker answered', async () => {
    await present(ada, 'busy')
    cut(ada)
    await round()
    const { connectedUsers } = broker
    broker.connectedUsers = async (organizations) => {
      const census = await connectedUsers(organizations)
      await choose(ada, 'away')
      return census
    }
    await round()
    expect(await truth(ada)).toBe('away')
  })

  it('ignores the connections of strangers, of who is no member, and of unknown organizations', async () => {
    const stranger = await founder()
    broker.connect(ada.organization.identityId, stranger.user.identityId)
    broker.connect(ada.organization.identityId, 'user_0000000000000')
    broker.connect('org_0000000000000', ada.user.identityId)
    expect(await round()).toMatchObject({ cameOnline: 0 })
    expect(await outbox.events('status:')).toEqual([])
  })

  it('removes what is left of who is no longer a member, after telling colleagues', async () => {
    const grace = await colleagueOfAda()
    const invisible = await colleagueOfAda()
    await present(grace, 'busy')
    await present(invisible, 'appear_offline')
    const before = await outbox.events('status:')
    for (const { user } of [grace, invisible])
      await database.pool.query('delete from memberships where user_id = $1', [user.id])
    expect(await round()).toMatchObject({ removed: 2, cameOnline: 0 })
    expect(await truth(grace)).toBeUndefined()
    expect(await truth(invisible)).toBeUndefined()
    expect((await outbox.events('status:')).slice(before.length)).toMatchObject([
      { data: { userId: grace.user.identityId, status: 'offline' } },
    ])
  })

  it('asks about organizations with people in them, by the table or by the broker, and about no others', async () => {
    const elsewhere = await founder()
    await founder()
    await choose(ada, 'busy')
    connect(elsewhere)
    await round()
    expect([...broker.asked].sort()).toEqual(
      [ada.organization.identityId, elsewhere.organization.identityId].sort(),
    )
  })

  it('goes on with those of the table where the broker does not say in which organizations people are', async () => {
    await present(ada, 'busy')
    cut(ada)
    broker.occupiedOrganizations = () => Promise.reject(new Error('no answer'))
    await round()
    expect(await round()).toMatchObject({ known: true, wentOffline: 1 })
    expect(await truth(ada)).toBe('offline')
  })

  it('finds what is left of who was offline and is gone, within some rounds', async () => {
    const grace = await colleagueOfAda()
    await choose(ada, 'busy')
    await present(grace, 'busy')
    cut(grace)
    await round()
    await round()
    expect(await truth(grace)).toBe('offline')
    await database.pool.query('delete from memberships where user_id = $1', [grace.user.id])
    const removed = [(await round()).removed, (await round()).removed]
    expect(removed.toSorted()).toEqual([0, 1])
    expect(await truth(grace)).toBeUndefined()
  })

  it('takes a house that goes dark offline in few transactions, each person told of once', async () => {
    const people = [ada]
    for (let count = 0; count < 11; count += 1) people.push(await colleagueOfAda())
    const elsewhere = await founder()
    for (const one of [...people, elsewhere]) await choose(one, 'busy')
    const hidden = people[1] as PresenceOwner
    await choose(hidden, 'appear_offline')
    await round()
    expect((await round()).wentOffline).toBe(people.length + 1)
    for (const one of [...people, elsewhere]) expect(await truth(one)).toBe('offline')
    const { rows } = await database.pool.query('select distinct xmin::text from presence')
    expect(rows).toHaveLength(2)
    const told = (await outbox.events('status:')).map(
      ({ data }) => data as { userId: string; status: string },
    )
    // appearing offline was told as well, as nothing else
    expect(
      told
        .filter(({ status }) => status === 'offline')
        .map(({ userId }) => userId)
        .sort(),
    ).toEqual([...people, elsewhere].map(({ user }) => user.identityId).sort())
    expect(await outbox.events('user:')).toHaveLength(1)
  })

  it('restores a choice where it is told to', async () => {
    round = newPoll(true)
    await present(ada, 'appear_offline')
    cut(ada)
    await round()
    await round()
    expect(await truth(ada)).toBe('offline')
    connect(ada)
    await round()
    expect(await truth(ada)).toBe('appear_offline')
    expect(await outbox.events('status:')).toEqual([])
  })
})

describe('a broker that cannot be believed', () => {
  const QUIET_ROUNDS = 4

  it('changes nothing by an error, and takes no member offline for a minute after it', async () => {
    await present(ada, 'busy')
    cut(ada)
    await round()
    broker.fail(true)
    for (let times = 0; times < 3; times++)
      expect(await round()).toMatchObject({ known: false, wentOffline: 0, cameOnline: 0 })
    broker.fail(false)
    for (let times = 1; times < QUIET_ROUNDS; times++)
      expect(await round()).toMatchObject({ known: true, quiet: true, wentOffline: 0 })
    expect(await truth(ada)).toBe('busy')
    expect(await round()).toMatchObject({ quiet: false, wentOffline: 1 })
  })

  it('is not believed until the whole minute is over', async () => {
    await present(ada, 'busy')
    broker.fail(true)
    await round()
    broker.fail(false)
    cut(ada)
    clock.advance(27)
    await round()
    // with the one before: missed twice, 57 seconds after the sign
    expect(await round()).toMatchObject({ quiet: true, wentOffline: 0 })
    expect(await round()).toMatchObject({ quiet: false, wentOffline: 1 })
  })

  it('takes no member offline when a store came back empty', async () => {
    await present(ada, 'busy')
    broker.forget()
    for (let times = 0; times < 2; times++)
      expect(await round()).toMatchObject({ quiet: true, wentOffline: 0 })
    broker.recall()
    for (let times = 0; times < QUIET_ROUNDS + 2; times++) await round()
    expect(await truth(ada)).toBe('busy')
    expect(await outbox.events('status:')).toHaveLength(1)
  })

  it('is remembered by the next leader', async () => {
    await present(ada, 'busy')
    broker.restart()
    await round()
    round = newPoll()
    for (let times = 2; times <= QUIET_ROUNDS; times++)
      expect(await round()).toMatchObject({ quiet: true, wentOffline: 0 })
    expect(await round()).toMatchObject({ quiet: false, wentOffline: 1 })
  })

  it('is noticed by a leader that did not see it happen', async () => {
    await present(ada, 'busy')
    broker.restart()
    round = newPoll()
    expect(await round()).toMatchObject({ quiet: true })
    expect(await round()).toMatchObject({ quiet: true, wentOffline: 0 })
  })

  it('still brings those online whom it shows', async () => {
    await round()
    broker.restart()
    connect(ada)
    expect(await round()).toMatchObject({ quiet: true, cameOnline: 1 })
  })
})

describe('the job', () => {
  it('runs every 15 seconds on one node and logs what it cannot know', async () => {
    const recorded = recordedLog()
    const { db } = database
    const { log } = recorded
    const [job] = presenceJobs({
      db,
      clock,
      broker,
      log,
      presenceRules: { restoreManual: false },
    })
    expect(job).toMatchObject({ name: 'presence-poll', everyMs: 15_000 })
    expect(job?.scope ?? 'leader').toBe('leader')
    connect(ada)
    await job?.run(new AbortController().signal)
    expect(recorded.text()).toContain('"cameOnline":1')
    broker.fail(true)
    await job?.run(new AbortController().signal)
    expect(recorded.text()).toContain('cannot say who is connected')
    broker.fail(false)
    broker.restart()
    await job?.run(new AbortController().signal)
    expect(recorded.text()).toContain('the broker is another one, or has forgotten')
    expect(recorded.text()).not.toContain(ada.user.identityId)
  })
})
