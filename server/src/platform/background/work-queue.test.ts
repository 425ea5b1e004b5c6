import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { until } from '../../../tests/until.ts'
import { secondsAfter } from '../clock.ts'
import { refuseInsideTransaction, transaction } from '../database/transaction.ts'
import { trusted } from '../ids.ts'
import { ProviderFailure } from '../refusal.ts'
import { listDead, retryDead } from './dead-work.ts'
import { LEASE_SECONDS } from './lease.ts'
import { listenForNotifications } from './notifications.ts'
import { claimNext, enqueue, isEnqueued, type NewWork, withdraw } from './work-items.ts'
import { workQueue } from './work-payload.ts'
import { makeWorker, startWorker, type Work, type WorkQueue } from './work-queue.ts'

let database: FreshDatabase
let now: Date
const clock = { now: () => now }
const wait = (seconds: number) => {
  now = secondsAfter(now, seconds)
}
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(() => {
  now = new Date('2026-11-22T12:00:00Z')
})
afterEach(() => database.pool.query('truncate work_items'))

const soon = { timeout: 15_000, interval: 20 }
const retry = { firstSeconds: 2, lastSeconds: 60 }

const add = (...payloads: unknown[]) =>
  enqueue(database.db, ...payloads.map((payload) => ({ queue: 'tests', payload, now })))
const addOne = (work: Partial<NewWork>) =>
  enqueue(database.db, { queue: 'tests', payload: null, now, ...work })

/** A worker of a node of its own. `done` has the payloads of what it has handled without an error. */
function node(
  handle: (work: Work) => Promise<{ againAt: Date } | undefined | void> = async () => {},
  options: Partial<WorkQueue> = {},
) {
  const { log, lines, text } = recordedLog()
  const done: unknown[] = []
  const queue: WorkQueue = {
    name: 'tests',
    lanes: { default: 2 },
    retry,
    ...options,
    async handle(work) {
      refuseInsideTransaction('a handler')
      const again = await handle(work)
      done.push(work.payload)
      return again
    },
  }
  const needs = { db: database.db, clock, log, random: () => 0 }
  return { worker: makeWorker(queue, needs), queue, needs, done, lines, text }
}

/** What `begun` has when something holds all that is begun until `release`. */
function held() {
  const gate = Promise.withResolvers<void>()
  const begun: unknown[] = []
  const handle = async ({ payload }: Work) => {
    begun.push(payload)
    await gate.promise
  }
  return { handle, begun, release: gate.resolve }
}

const items = async () =>
  (await database.db.selectFrom('work_items').selectAll().orderBy('id').execute()).map((row) => row)

describe('enqueued work', () => {
  it('is there when the transaction commits, and leaves nothing where it is rolled back', async () => {
    const { worker, done } = node()
    const failed = transaction(database.db, async (tx) => {
      await enqueue(tx, { queue: 'tests', payload: 'lost', now })
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await items()).toEqual([])
    await transaction(database.db, (tx) => enqueue(tx, { queue: 'tests', payload: 'kept', now }))
    await worker.drain()
    expect(done).toEqual(['kept'])
    expect(await items()).toEqual([])
  })

  it('is not begun before its time, and dropped where it was not begun in time', async () => {
    const { worker, done, lines } = node()
    await addOne({ payload: 'later', runAt: secondsAfter(now, 10) })
    await addOne({ payload: 'too late', expiresAt: secondsAfter(now, 5), runAt: secondsAfter(now, 10) })
    await worker.drain()
    expect(done).toEqual([])
    wait(10)
    await worker.drain()
    expect(done).toEqual(['later'])
    expect(await items()).toEqual([])
    expect(lines).toContainEqual(
      expect.objectContaining({ queue: 'tests', msg: 'work dropped: not done before it expired' }),
    )
  })

  it('of one key is one item, with the newest payload', async () => {
    const { worker, done } = node()
    await addOne({ key: 'a', payload: 1 })
    await addOne({ key: 'a', payload: 2 })
    await addOne({ key: 'b', payload: 3 })
    expect(await isEnqueued(database.db, 'tests', 'a')).toBe(true)
    await withdraw(database.db, 'tests', 'b')
    await worker.drain()
    expect(done).toEqual([2])
  })

  it('that is renewed while a worker is at it is done once more, and never twice at once', async () => {
    let running = 0
    let most = 0
    const seen: unknown[] = []
    const { worker } = node(async ({ payload }) => {
      most = Math.max(most, ++running)
      seen.push(payload)
      if (payload === 'first') await addOne({ key: 'a', payload: 'second' })
      running -= 1
    })
    await addOne({ key: 'a', payload: 'first' })
    await worker.drain()
    await worker.drain()
    expect([seen, most, await items()]).toEqual([['first', 'second'], 1, []])
  })
})

describe('workers', () => {
  it('of two nodes never do one item twice', async () => {
    const nodes = [node(), node()]
    await add(...Array.from({ length: 60 }, (_, n) => n))
    await Promise.all(nodes.map(({ worker }) => worker.drain()))
    const done = nodes.flatMap((one) => one.done)
    expect(done.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 60 }, (_, n) => n))
  })

  it('take up within seconds what a killed one had begun', async () => {
    await add('orphan')
    // what is left of a process that was killed
    const turn = { queue: 'tests', class: 'default', lastServed: '0' }
    await claimNext(database.db, turn, { lease: randomUUID(), now, until: secondsAfter(now, LEASE_SECONDS) })
    const { worker, done } = node()
    await worker.drain()
    expect(done).toEqual([])
    wait(LEASE_SECONDS)
    await worker.drain()
    expect(done).toEqual(['orphan'])
    expect(LEASE_SECONDS).toBeLessThan(30)
  })

  it('change nothing of what another worker has taken over', async () => {
    const { handle, begun, release } = held()
    const slow = node(handle)
    await add('shared')
    const first = slow.worker.drain()
    await vi.waitFor(() => expect(begun).toEqual(['shared']), soon)
    wait(LEASE_SECONDS)
    const second = held()
    const other = node(second.handle)
    const taken = other.worker.drain()
    await vi.waitFor(() => expect(second.begun).toEqual(['shared']), soon)
    release()
    await first
    expect(await items()).toHaveLength(1)
    second.release()
    await taken
    expect(await items()).toEqual([])
  })

  it('keep an item for as long as they are at it, and hear when they have lost it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      let signal = AbortSignal.abort()
      const { handle, begun, release } = held()
      const { worker, lines } = node((work) => {
        signal = work.signal
        return handle(work)
      })
      await add('long')
      const draining = worker.drain()
      await until(() => begun.length === 1)
      wait(LEASE_SECONDS - 1)
      vi.advanceTimersByTime(5_000)
      const keptUntil = secondsAfter(now, LEASE_SECONDS).getTime()
      await until(async () => (await items())[0]?.run_at.getTime() === keptUntil)
      expect(signal.aborted).toBe(false)
      await database.pool.query('update work_items set lease = gen_random_uuid()')
      vi.advanceTimersByTime(5_000)
      await until(() => signal.aborted)
      release()
      await draining
      expect(await items()).toHaveLength(1)
      expect(lines.map(({ msg }) => msg)).toContain('work taken by somebody else, or withdrawn')
    } finally {
      vi.useRealTimers()
    }
  })

  it('serve organizations in turn, however much one of them has', async () => {
    const { worker, done } = node(undefined, { lanes: { default: 1 } })
    const of = (organization: string, count: number) =>
      enqueue(
        database.db,
        ...Array.from({ length: count }, () => ({
          queue: 'tests',
          organization: trusted.organizationId(organization),
          payload: organization,
          now,
        })),
      )
    await of('1', 20)
    await of('2', 2)
    await of('3', 1)
    await worker.drain()
    expect(done.slice(0, 6)).toEqual(['1', '2', '3', '1', '2', '1'])
    expect(done).toHaveLength(23)
  })

  it('have lanes for each class, which no other class takes', async () => {
    const slow = held()
    const { worker, done } = node(async (work) => (work.payload === 'bulk' ? slow.handle(work) : undefined), {
      lanes: { urgent: 1, bulk: 2 },
    })
    for (let n = 0; n < 5; n++) await addOne({ class: 'bulk', payload: 'bulk' })
    const bulk = worker.drain()
    await vi.waitFor(() => expect(slow.begun).toHaveLength(2), soon)
    await addOne({ class: 'urgent', payload: 'urgent' })
    await worker.drain('urgent')
    expect(done).toEqual(['urgent'])
    slow.release()
    await bulk
    expect(done).toHaveLength(6)
  })

  it('begin what comes while another item is under way', async () => {
    const slow = held()
    const { worker, done } = node(async (work) => (work.payload === 'slow' ? slow.handle(work) : undefined))
    await add('slow')
    const first = worker.drain()
    await vi.waitFor(() => expect(slow.begun).toHaveLength(1), soon)
    await add('quick')
    const second = worker.drain()
    await vi.waitFor(() => expect(done).toEqual(['quick']), soon)
    slow.release()
    await Promise.all([first, second])
  })

  it('do items of one subject one at a time, in their order, also where one fails', async () => {
    let running = 0
    let most = 0
    let fails = true
    const done: unknown[] = []
    const nodes = [1, 2].map(() =>
      node(async ({ payload }) => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        if (payload === 1 && fails) throw new Error('not now')
        done.push(payload)
      }),
    )
    const drainAll = () => Promise.all(nodes.map(({ worker }) => worker.drain()))
    for (let n = 0; n < 6; n++) await addOne({ subject: 'endpoint', payload: n })
    await drainAll()
    expect(done).toEqual([0])
    fails = false
    wait(2)
    // each round of a node may end while the other one has the only item that is next
    for (let round = 0; round < 6; round++) await drainAll()
    expect([done, most]).toEqual([[0, 1, 2, 3, 4, 5], 1])
  })

  it('see the items of one subject in the order of the commits', async () => {
    const { worker, done } = node()
    const first = Promise.withResolvers<void>()
    const enqueued = Promise.withResolvers<void>()
    const slow = transaction(database.db, async (tx) => {
      await enqueue(tx, { queue: 'tests', subject: 'endpoint', payload: 'first', now })
      enqueued.resolve()
      await first.promise
    })
    await enqueued.promise
    const second = addOne({ subject: 'endpoint', payload: 'second' })
    await worker.drain()
    expect(done).toEqual([])
    first.resolve()
    await Promise.all([slow, second])
    await worker.drain()
    expect(done).toEqual(['first', 'second'])
  })

  it('do an item again when its handler says so, which is no failure', async () => {
    let times = 0
    const { worker } = node(async ({ attempts }) => {
      expect(attempts).toBe(1)
      times += 1
      return times < 3 ? { againAt: secondsAfter(now, 20) } : undefined
    })
    await add('again')
    for (let n = 1; n <= 3; n++) {
      await worker.drain()
      expect(times).toBe(n)
      wait(20)
    }
    expect(await items()).toEqual([])
  })

  it('finish what is under way when they stop, and begin nothing more', async () => {
    const slow = held()
    const { worker, done } = node(slow.handle, { lanes: { default: 1 } })
    await add('one', 'two')
    const draining = worker.drain()
    await vi.waitFor(() => expect(slow.begun).toEqual(['one']), soon)
    const stopped = worker.stop()
    slow.release()
    await Promise.all([stopped, draining])
    expect(done).toEqual(['one'])
    expect((await items()).map(({ payload, lease }) => [payload, lease])).toEqual([['two', null]])
  })
})

describe('work that fails', () => {
  it('is tried again after pauses that double, up to a longest one', async () => {
    let tries = 0
    const { worker } = node(() => {
      tries += 1
      return Promise.reject(new Error('not now'))
    })
    await add('failing')
    for (const [n, seconds] of [2, 4, 8, 16, 32, 60, 60].entries()) {
      await worker.drain()
      expect(tries).toBe(n + 1)
      wait(seconds - 1)
      await worker.drain()
      expect(tries).toBe(n + 1)
      wait(1)
    }
  })

  it('together is not tried again together', async () => {
    const { queue, needs } = node(() => Promise.reject(new Error('not now')))
    const shares = [0, 0.5, 1].values()
    const worker = makeWorker(queue, { ...needs, random: () => shares.next().value ?? 0 })
    await add(1, 2, 3)
    await worker.drain()
    const pauses = (await items()).map(({ run_at }) => run_at.getTime() - now.getTime())
    expect(pauses.toSorted((a, b) => a - b)).toEqual([1_600, 1_800, 2_000])
  })

  it('too often is given up, stays, and is done again when it is enqueued anew', async () => {
    let fails = true
    const { worker, done, lines } = node(
      async () => {
        if (fails) throw new Error('never')
      },
      { retry: { ...retry, maxAttempts: 2 } },
    )
    await addOne({ key: 'a', payload: 'stubborn' })
    for (let n = 0; n < 4; n++) {
      await worker.drain()
      wait(60)
    }
    expect(await items()).toMatchObject([{ attempts: 2, lease: null, last_error: 'Error' }])
    expect((await items())[0]?.dead_at).not.toBeNull()
    expect(lines.filter(({ msg }) => msg === 'work given up')).toMatchObject([
      { queue: 'tests', attempts: 2 },
    ])
    fails = false
    await addOne({ key: 'a', payload: 'stubborn' })
    await worker.drain()
    expect([done, await items()]).toEqual([['stubborn'], []])
  })

  it('does not hold up what comes after it in its subject, once it is given up', async () => {
    const { worker, done } = node(
      async ({ payload }) => {
        if (payload === 'bad') throw new Error('never')
      },
      { retry: { ...retry, maxAttempts: 1 } },
    )
    await addOne({ subject: 'endpoint', payload: 'bad' })
    await addOne({ subject: 'endpoint', payload: 'good' })
    await worker.drain()
    await worker.drain()
    expect(done).toEqual(['good'])
  })

  it('that an operator has tried again waits for what of its subject is under way', async () => {
    const slow = held()
    let fails = true
    const { worker, done } = node(
      async (work) => {
        if (work.payload === 'first' && fails) throw new Error('not now')
        if (work.payload === 'second') await slow.handle(work)
      },
      { retry: { ...retry, maxAttempts: 1 } },
    )
    for (const payload of ['first', 'second', 'third']) await addOne({ subject: 'endpoint', payload })
    const draining = worker.drain()
    await until(() => slow.begun.length === 1)
    fails = false
    const [dead] = await listDead(database.db, 10)
    expect(await retryDead(database.db, dead?.id ?? '')).toBe(true)
    slow.release()
    await draining
    wait(1)
    await worker.drain()
    expect(done).toEqual(['second', 'first', 'third'])
    expect(await items()).toEqual([])
  })

  it('is given up at once where it carries what the queue does not take, and says where', async () => {
    const { log, lines, text } = recordedLog()
    const done: unknown[] = []
    const queue = workQueue({
      name: 'tests',
      lanes: { default: 1 },
      retry,
      payload: Type.Object({ user: Type.String(), at: Type.Optional(Type.Array(Type.String())) }),
      async handle({ payload: { user } }) {
        done.push(user)
      },
    })
    const worker = makeWorker(queue, { db: database.db, clock, log })
    await add({ user: 7 }, { user: 'ada', more: true }, { canary: 'ada' }, 'canary', {
      user: 'bob',
      at: ['canary', 1],
    })
    await worker.drain()
    wait(3_600)
    await worker.drain()
    expect(done).toEqual(['ada'])
    const left = await items()
    expect(left.map(({ attempts, dead_at, last_error }) => [attempts, dead_at !== null, last_error])).toEqual(
      [
        [1, true, 'UnusablePayload: the payload must be string at /user'],
        [
          1,
          true,
          expect.stringMatching(/^UnusablePayload: the payload must have required propert(y|ies) user$/),
        ],
        [1, true, 'UnusablePayload: the payload must be object'],
        [1, true, 'UnusablePayload: the payload must be string at /at/1'],
      ],
    )
    expect(lines.filter(({ msg }) => msg === 'work given up')).toHaveLength(4)
    expect(text()).not.toContain('canary')
  })

  it('leaves nothing of its message in the table, and of a confidential queue none in the log', async () => {
    const { worker, text } = node(
      () => {
        const cause = Object.assign(new Error('550 ada@example.com'), { code: 'EENVELOPE' })
        throw new ProviderFailure('mail-server', 'mail.send', { retryable: true, cause })
      },
      { confidential: true },
    )
    await add('secret')
    await worker.drain()
    expect((await items())[0]?.last_error).toBe('ProviderFailure mail-server mail.send EENVELOPE')
    expect(text()).not.toMatch(/ada|550 /)
  })
})

describe('a started worker', () => {
  it('works soon after something was enqueued on any node', async () => {
    const { queue, needs, done } = node()
    const { connectionString } = database
    const notifications = listenForNotifications({ connectionString, log: needs.log, onGap: () => {} })
    const worker = startWorker(queue, { ...needs, notifications, everyMs: 3_600_000 })
    await vi.waitFor(() => expect(notifications.isLive()).toBe(true), soon)
    await add('noticed')
    await vi.waitFor(() => expect(done).toEqual(['noticed']), soon)
    await worker.stop()
    await notifications.close()
  })

  it('works without notifications too, and outlives a database that is away', async () => {
    const { queue, needs, done, lines } = node()
    await database.pool.query('alter table work_items rename to work_items_gone')
    const worker = startWorker(queue, { ...needs, notifications: { on: () => {} }, everyMs: 20 })
    await vi.waitFor(() => expect(lines.map(({ msg }) => msg)).toContain('a work queue cannot be read'), soon)
    await database.pool.query('alter table work_items_gone rename to work_items')
    await add('found')
    await vi.waitFor(() => expect(done).toEqual(['found']), soon)
    await worker.stop()
  })
})
