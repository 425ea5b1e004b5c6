import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../tests/fresh-database.ts'
import { recordedLog } from '../../tests/recorded-log.ts'
import { readConfig } from '../configuration/config.ts'
import { countDead, purgeDead, readWorkBacklog } from '../platform/background/dead-work.ts'
import { enqueue } from '../platform/background/work-items.ts'
import { makeWorker, type WorkQueue } from '../platform/background/work-queue.ts'
import { secondsAfter } from '../platform/clock.ts'
import { doctor } from './doctor/doctor.ts'
import { addWorkCommands } from './work-commands.ts'

describe('background work that was given up', () => {
  let database: FreshDatabase
  const now = new Date('2026-11-22T12:00:00Z')
  const { log, lines } = recordedLog()
  let fails = true
  const queue: WorkQueue = {
    name: 'tests',
    lanes: { default: 1 },
    retry: { firstSeconds: 1, lastSeconds: 1, maxAttempts: 1 },
    async handle() {
      if (fails) throw new Error('canary of a secret')
    },
  }
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  const drain = (at = now) => makeWorker(queue, { db: database.db, clock: { now: () => at }, log }).drain()

  async function givenUp(count: number): Promise<string[]> {
    fails = true
    const payloads = Array.from({ length: count }, (_, n) => ({ secret: `canary ${n}` }))
    await enqueue(database.db, ...payloads.map((payload) => ({ queue: 'tests', payload, now })))
    await drain()
    const rows = await database.db.selectFrom('work_items').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  }

  async function command(...args: string[]): Promise<string> {
    const printed: string[] = []
    const program = new Command().exitOverride()
    addWorkCommands(program, {
      configuration: async () =>
        readConfig({ ATRIUM_ENV: 'test', DATABASE_URL: database.connectionString }, '/nowhere'),
      logOf: () => log,
      print: (line) => void printed.push(line),
      complain: (line) => void printed.push(line),
      end: () => undefined,
    })
    await program.parseAsync(['node', 'atrium', 'work', ...args])
    return printed.join('\n')
  }
  const findings = async () =>
    (await doctor({ DATABASE_URL: database.connectionString }, '/nowhere')).filter(
      ({ part }) => part === 'background work',
    )

  it('is named by the doctor, listed without what it holds, tried again and dropped', async () => {
    expect(await findings()).toMatchObject([{ ok: true, says: 'nothing was given up' }])
    expect(await command('list')).toBe('Nothing was given up')
    const [first = '', second = ''] = await givenUp(2)
    expect(await findings()).toMatchObject([
      { ok: true, warns: true, says: expect.stringContaining('2 of tests. Look with: npx atrium work list') },
    ])
    const listed = await command('list')
    expect(listed).toMatch(
      new RegExp(`^${second}  tests: given up at 2026-11-22T12:00:00.000Z after 1 tries`),
    )
    expect(listed).not.toContain('canary')
    await command('drop', first)
    await command('retry', second)
    fails = false
    await drain(secondsAfter(new Date(), 60))
    expect(await countDead(database.db)).toEqual([])
    expect(await database.db.selectFrom('work_items').selectAll().execute()).toEqual([])
    await expect(command('retry', second)).rejects.toThrow('Nothing was given up under')
    await expect(command('drop', 'x')).rejects.toThrow('Nothing was given up under x')
    const commands = lines.filter(({ security }) => security === 'operator-command')
    expect(commands.map((line) => line.command)).toEqual(['work.drop', 'work.retry'])
  })

  it('is counted beside what waits, and purged in the end', async () => {
    await givenUp(1)
    await enqueue(
      database.db,
      { queue: 'tests', payload: 1, now: secondsAfter(now, -30) },
      { queue: 'tests', payload: 2, now, runAt: secondsAfter(now, 3_600) },
    )
    const expected = {
      queue: 'tests',
      class: 'default',
      waiting: 2,
      dead: 1,
      oldestDueSeconds: 30,
      oldestSeconds: 30,
    }
    expect(await readWorkBacklog(database.db, now)).toEqual([expected])
    await purgeDead(database.db, now)
    expect(await countDead(database.db)).toEqual([{ queue: 'tests', count: 1 }])
    await purgeDead(database.db, secondsAfter(now, 1))
    expect(await countDead(database.db)).toEqual([])
  })
})
