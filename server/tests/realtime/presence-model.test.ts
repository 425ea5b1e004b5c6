import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changePresence, type PresenceOwner } from '../../src/features/presence/change-presence.ts'
import { connectivityPoll } from '../../src/features/presence/jobs.ts'
import { mirrorPresence, type PresenceMirror } from '../../src/features/presence/mirror.ts'
import { listenForNotifications, type Notifications } from '../../src/platform/background/notifications.ts'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { recordedLog } from '../recorded-log.ts'
import { type FakeBroker, fakeBroker } from '../vendors/fake-broker.ts'
import {
  foundOrganization,
  makePerson,
  type PublishingBroker,
  publishingBroker,
  truthOf,
  type Watcher,
  watcher,
} from './presence-world.ts'

/**
 * Random lives of an office: people with several devices connect, drop, choose, and switch organizations, while the
 * broker restarts, errs or forgets, the relay crashes, and the leader changes. In every run what is promised of
 * presence holds. More lives: PRESENCE_MODEL_RUNS=1000, or as many as fit into PRESENCE_MODEL_SECONDS=300.
 */

const RUNS = Number(process.env.PRESENCE_MODEL_RUNS || 60)
const SECONDS = Number(process.env.PRESENCE_MODEL_SECONDS || 0)
const HOW_MANY = SECONDS ? `as many random lives as fit into ${SECONDS} s` : `${RUNS} random lives`
const TIMEOUT_MS = 600_000 + SECONDS * 1_000
const PEOPLE = 3
const ROUND_SECONDS = 15
/** Two misses, the first of which may come a round after the loss. */
const GRACE_ROUNDS = 3

const who = fc.nat({ max: PEOPLE - 1 })
const where = fc.nat({ max: 1 })
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('connect' as const), who, where, says: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('drop' as const), who, where }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('switch' as const), who, where }) },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('choose' as const),
      who,
      where,
      status: fc.constantFrom('online', 'away', 'busy', 'appear_offline'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('poll' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('relay' as const),
      crash: fc.boolean(),
      rows: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('watch' as const), who, where }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('lose-sight' as const), who, where }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('broker-restart', 'broker-forgets', 'broker-errs', 'new-leader', 'news-cut'),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

let database: FreshDatabase
let notifications: Notifications
let mirror: PresenceMirror
let newsCut = false
beforeAll(async () => {
  database = await freshDatabase()
  const { log } = recordedLog()
  const { db, connectionString } = database
  notifications = listenForNotifications({ connectionString, log, onGap: () => mirror?.forgetAll() })
  mirror = mirrorPresence({ db, log, isNotified: () => notifications.isLive() })
  notifications.on('presence_changed', (payload) => newsCut || mirror.hear(payload))
})
afterAll(async () => {
  await notifications.close()
  await mirror.settle()
  await database.drop()
})

interface World {
  places: PresenceOwner[][]
  broker: FakeBroker
  publisher: PublishingBroker
  watchers: Watcher[][]
  restoreManual: boolean
  now: number
  poll(): Promise<void>
  newLeader(): void
  apply(step: Step): Promise<void>
  settle(): Promise<void>
}

async function openWorld(restoreManual: boolean): Promise<World> {
  const { db, pool } = database
  await pool.query(`delete from presence; delete from centrifugo_outbox;
    update presence_poll set generation = null, quiet_until = null`)
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => makePerson(db)))
  const organizations = [await foundOrganization(db, people), await foundOrganization(db, people)]
  const broker = fakeBroker()
  const publisher = publishingBroker(db)
  const { log } = recordedLog()
  const clock = { now: () => new Date(world.now) }
  const needs = { db, clock, presenceRules: { restoreManual } }
  const signal = new AbortController().signal
  const newPoll = () => connectivityPoll({ ...needs, broker, log })
  let poll = newPoll()
  /** Rounds in a row with a broker that can be believed and no sign of life of a person. */
  const silentRounds = new Map<string, number>()

  const world: World = {
    places: people.map((user) => organizations.map((organization) => ({ organization, user }))),
    broker,
    publisher,
    watchers: people.map(() =>
      organizations.map((organization) => watcher(publisher, mirror, organization, people)),
    ),
    restoreManual,
    now: Date.UTC(2026, 10, 21),
    newLeader: () => {
      poll = newPoll()
      silentRounds.clear()
    },
    async poll() {
      world.now += ROUND_SECONDS * 1_000
      const before = await statuses()
      const { known, quiet } = await poll(signal)
      const now = await statuses()
      for (const place of world.places.flat()) {
        const key = `${place.organization.id}:${place.user.id}`
        const connected = broker.isConnected(place.organization.identityId, place.user.identityId)
        const silent = known && !quiet && !connected ? (silentRounds.get(key) ?? 0) + 1 : 0
        silentRounds.set(key, silent)
        if (silent >= GRACE_ROUNDS) expect(now.get(key), 'nobody stays without a connection').toBe('offline')
        if (connected && before.get(key) !== 'offline')
          expect(now.get(key), 'nobody who is connected is taken offline').not.toBe('offline')
        if (quiet || !known) {
          const wentOffline = before.get(key) !== 'offline' && now.get(key) === 'offline'
          expect(wentOffline, 'nobody goes offline in the quiet time after a loss of the broker').toBe(false)
        }
      }
    },
    async apply(taken) {
      world.now += 400
      if ('who' in taken && taken.act !== 'watch' && taken.act !== 'lose-sight') {
        const { organization, user } = placeOf(taken)
        silentRounds.delete(`${organization.id}:${user.id}`)
      }
      await actions[taken.act](taken as never)
    },
    async settle() {
      newsCut = false
      broker.fail(false)
      broker.recall()
      // out of the quiet time, and then through the grace
      for (let rounds = 0; rounds < 5 + GRACE_ROUNDS; rounds++) await world.poll()
      await publisher.relay()
      for (const one of world.watchers.flat()) if (!one.live) await one.hydrate()
    },
  }

  const placeOf = ({ who, where }: { who: number; where: number }) =>
    world.places[who]?.[where] as PresenceOwner
  const watcherOf = ({ who, where }: { who: number; where: number }) =>
    world.watchers[who]?.[where] as Watcher
  const statuses = async () => {
    const known = new Map<string, string>()
    for (const { organization, user } of world.places.flat())
      known.set(`${organization.id}:${user.id}`, 'offline')
    for (const { id } of organizations)
      for (const [user, status] of await truthOf(db, id)) known.set(`${id}:${user}`, status)
    return known
  }
  const connect = async (at: { who: number; where: number }, says: boolean) => {
    const place = placeOf(at)
    broker.connect(place.organization.identityId, place.user.identityId)
    if (says) await changePresence(needs, place, { kind: 'connected' })
  }
  const drop = (at: { who: number; where: number }) => {
    const { organization, user } = placeOf(at)
    broker.cut(organization.identityId, user.identityId)
  }
  type Of<Act extends Step['act']> = Extract<Step, { act: Act }>
  const actions: { [Act in Step['act']]: (taken: Of<Act>) => Promise<unknown> } = {
    connect: (taken) => connect(taken, taken.says),
    drop: async (taken) => drop(taken),
    switch: async (taken) => {
      drop(taken)
      await connect({ who: taken.who, where: 1 - taken.where }, true)
    },
    choose: (taken) => changePresence(needs, placeOf(taken), { kind: 'chosen', status: taken.status }),
    poll: () => world.poll(),
    relay: (taken) => publisher.relay(taken),
    watch: (taken) => watcherOf(taken).hydrate(() => publisher.relay({ rows: 2 })),
    'lose-sight': async (taken) => watcherOf(taken).drop(),
    'broker-restart': async () => {
      broker.restart()
      publisher.restart()
      for (const one of world.watchers.flat()) one.drop()
    },
    // a store that came back empty is whole again after 27 s: at the next round but one
    'broker-forgets': async () => {
      broker.forget()
      await world.poll()
      broker.recall()
    },
    'broker-errs': async () => {
      broker.fail(true)
      await world.poll()
      broker.fail(false)
    },
    'new-leader': async () => world.newLeader(),
    'news-cut': async () => {
      newsCut = !newsCut
    },
  }
  return world
}

/** Each change that others could see, in order, as read from the table after every step. */
function visibleHistory(world: World) {
  const last = new Map<string, string>()
  const changes = new Map<string, string[]>()
  return {
    changes,
    async look() {
      for (const { organization, user } of world.places.flat()) {
        const channel = `status:${organization.identityId}:${user.identityId}`
        const truth = (await truthOf(database.db, organization.id)).get(user.id) ?? 'offline'
        const status = truth === 'appear_offline' ? 'offline' : truth
        if (status === (last.get(channel) ?? 'offline')) continue
        last.set(channel, status)
        changes.set(channel, [...(changes.get(channel) ?? []), status])
      }
    },
  }
}

describe('presence, whatever happens', () => {
  it(`holds its promises in ${HOW_MANY}`, { timeout: TIMEOUT_MS }, async () => {
    let lives = 0
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.boolean(),
      async (steps, restoreManual) => {
        const world = await openWorld(restoreManual)
        const history = visibleHistory(world)
        for (const taken of steps) {
          await world.apply(taken)
          await history.look()
        }
        await world.settle()

        await everyClientEqualsTheTable(world)
        eventsAreTheVisibleChanges(world, history.changes, steps)
        eventsOfOnePersonRise(world)
        invisibilityNeverLeaks(world)
        lives += 1
      },
    )
    const until = performance.now() + SECONDS * 1_000
    do await fc.assert(property, { numRuns: RUNS })
    while (performance.now() < until)
    process.stdout.write(`${lives} random lives\n`)
  })
})

async function everyClientEqualsTheTable(world: World): Promise<void> {
  for (const [where, organization] of (world.places[0] ?? []).map(
    (place, at) => [at, place.organization] as const,
  )) {
    const truth = await truthOf(database.db, organization.id)
    const expected = world.places.map(({ [where]: place }) => {
      const status = (place && truth.get(place.user.id)) ?? 'offline'
      return [place?.user.identityId, status === 'appear_offline' ? 'offline' : status]
    })
    for (const one of world.watchers.map((list) => list[where]))
      expect(one?.shows(), 'a client that hydrated and applied deltas').toEqual(
        Object.fromEntries(expected.sort()),
      )
  }
}

/** What was published is what was to be seen: nothing is missing, and no event tells of what cannot be seen. */
function eventsAreTheVisibleChanges(
  world: World,
  changes: Map<string, string[]>,
  steps: readonly Step[],
): void {
  const published = Map.groupBy(
    world.publisher.published.filter(({ channel }) => channel.startsWith('status:')),
    ({ channel }) => channel,
  )
  for (const [channel, events] of published) {
    const told = events.map(({ status }) => status)
    const repeated = told.filter((status, at) => status === (told[at - 1] ?? 'offline'))
    expect(repeated, 'an event without a visible change').toEqual([])
    const seen = changes.get(channel) ?? []
    expect(told.slice(0, seen.length), `events of ${steps.length} steps`).toEqual(seen)
  }
  expect([...changes.keys()].filter((channel) => !published.has(channel))).toEqual([])
}

function eventsOfOnePersonRise(world: World): void {
  const channels = Map.groupBy(world.publisher.published, ({ channel }) => channel)
  for (const [channel, events] of channels) {
    if (!channel.startsWith('status:')) continue
    const versions = events.map(({ version }) => version ?? 0)
    expect(versions, 'versions rise').toEqual([...new Set(versions)].sort((a, b) => a - b))
  }
}

function invisibilityNeverLeaks(world: World): void {
  for (const { channel, status } of world.publisher.published) {
    expect(status).not.toBe('appear_offline')
    // who joins the organization is told there, and nothing of how they are
    if (channel.startsWith('org:')) expect(status).toBeUndefined()
    // the person's own channel hears only of the end of invisibility
    else if (!channel.startsWith('status:'))
      expect([channel.split(':')[0], status]).toEqual(['user', 'offline'])
  }
}
