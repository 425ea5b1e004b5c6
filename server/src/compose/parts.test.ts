import { createHook } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../tests/fresh-database.ts'
import { readConfig } from '../configuration/config.ts'
import { systemClock } from '../platform/clock.ts'
import { openLog } from '../platform/log.ts'
import { type OfficeContext, openers, openOffice } from './office.ts'
import type { Opening, Part } from './part.ts'

type Name = keyof typeof openers
const NAMES = Object.keys(openers) as Name[]

/** Of what async_hooks tells: what runs on, or keeps something of the operating system, until it is ended. */
const LASTING = new Set(['Timeout', 'TCPSERVERWRAP', 'PROCESSWRAP', 'WORKER'])

const OF_THE_OFFICE = /\/server\/src\/(?!compose\/parts\.test)/

let database: FreshDatabase
let context: OfficeContext
/** Not through the pool of the tests: its timers would be among those that are looked for. */
let observer: pg.Client
const alive = new Map<number, string>()
const hook = createHook({
  init(id, type) {
    if (!LASTING.has(type)) return
    const { stack = '' } = new Error(type)
    // the runner of the tests has timers too
    if (OF_THE_OFFICE.test(stack)) alive.set(id, stack)
  },
  destroy: (id) => void alive.delete(id),
})

beforeAll(async () => {
  database = await freshDatabase()
  const { connectionString } = database
  observer = new pg.Client({ connectionString })
  await observer.connect()
  const settings = {
    ATRIUM_ENV: 'test',
    DATA_DIR: join(tmpdir(), `atrium-test-${randomBytes(5).toString('hex')}`),
    LOG_LEVEL: 'silent',
  }
  const config = readConfig(settings, '/nowhere')
  const log = openLog({ level: config.logLevel, forPeople: false })
  context = { config, log, clock: systemClock, connectionString }
  hook.enable()
})

afterAll(async () => {
  hook.disable()
  await observer.end()
  await database.drop()
})

/** What an office has open: connections to its database by name, and how everything else was made. */
async function whatIsOpen(): Promise<string[]> {
  const { rows } = await observer.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name <> ''`,
  )
  return [...rows.map(({ name }) => `connection ${name}`), ...alive.values()]
}

async function expectNothingOpen(): Promise<void> {
  await expect.poll(whatIsOpen).toEqual([])
}

/** A stack that fails when it has taken so many, as if what follows in a part could not be opened. */
function failingStack(stack: AsyncDisposableStack, after: number) {
  let taken = 0
  const failing = {
    defer(close: () => PromiseLike<void> | void) {
      stack.defer(close)
      taken += 1
      if (taken === after) throw new Error('planned')
    },
  }
  return { stack: failing as AsyncDisposableStack, isUsedUp: () => taken < after }
}

type Opener = (opening: Opening, ...given: unknown[]) => Part | Promise<Part>

/** Openers of which one is changed: by what it is opened with, and by what comes of it. */
function openersWith(
  name: Name,
  change: { opening?(opening: Opening): Opening; part?(part: Part): Part },
): typeof openers {
  const open = openers[name] as Opener
  const changed: Opener = (opening, ...given) => {
    const part = open(change.opening?.(opening) ?? opening, ...given)
    const then = change.part ?? ((opened: Part) => opened)
    return part instanceof Promise ? part.then(then) : then(part)
  }
  return { ...openers, [name]: changed }
}

describe('an office', () => {
  it('has connections, timers, a thread and a child, and leaves none of them when it closes', async () => {
    const office = await openOffice(context)
    try {
      office.start()
      office.uploads.startImageCheck()
      await office.metrics.officePage.current()
      await expect.poll(() => office.notifications.isLive() && office.jobs.isLeader()).toBe(true)
      const connections = ['notifications', 'jobs', 'broker'].map((name) => `connection atrium ${name}`)
      const expected = [...connections, ...kindsOf('Timeout', 'WORKER', 'PROCESSWRAP')]
      await expect
        .poll(async () => (await whatIsOpen()).map((line) => line.split('\n')[0]))
        .toEqual(expect.arrayContaining(expected))
    } finally {
      await office.close()
    }
    await expectNothingOpen()
  })
})

const kindsOf = (...types: string[]) => types.map((type) => `Error: ${type}`)

describe.each(NAMES)('where the part %s', (name) => {
  it('fails to open, nothing is left', async () => {
    for (let after = 1; ; after += 1) {
      let isUsedUp = () => true
      const failing = openersWith(name, {
        opening(opening) {
          const planned = failingStack(opening.stack, after)
          isUsedUp = planned.isUsedUp
          return { ...opening, stack: planned.stack }
        },
        part() {
          throw new Error('planned')
        },
      })
      await expect(openOffice(context, failing)).rejects.toThrow('planned')
      await expectNothingOpen()
      if (isUsedUp()) return
    }
  })

  it('fails to start, nothing is left', async () => {
    for (let after = 1; ; after += 1) {
      let isUsedUp = () => true
      const failing = openersWith(name, {
        part: (part) => ({
          ...part,
          start(stack) {
            const planned = failingStack(stack, after)
            isUsedUp = planned.isUsedUp
            part.start?.(planned.stack)
            throw new Error('planned')
          },
        }),
      })
      const office = await openOffice(context, failing)
      expect(() => office.start()).toThrow('planned')
      await office.close()
      await expectNothingOpen()
      if (isUsedUp()) return
    }
  })
})
