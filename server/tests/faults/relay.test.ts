import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { until } from '../until.ts'
import { chance, rounds, tellFigures } from './figures.ts'

const PROCESS = new URL('../../src/platform/background/fixtures/relay-process.ts', import.meta.url)
const PARTITIONS = [0, 1, 2, 3]
const NEVER = 0
/** Left over each time, more or less. */
const ROWS_OF_A_LIFE = 100

let database: FreshDatabase
let folder: string
beforeEach(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'atrium-relay-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})

/** Rows that are numbered from one on. */
async function append(first: number, last: number): Promise<void> {
  await database.pool.query(
    `insert into centrifugo_outbox (method, payload, partition)
     select 'publish', jsonb_build_object('n', n), n % 4 from generate_series($1::int, $2::int) n`,
    [first, last],
  )
}

async function waiting(): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::int as n from centrifugo_outbox')
  return rows[0].n as number
}

/** A relay that kills itself once it has handed over so many, right after a publication. */
function startRelay(file: string, quota: number): ChildProcess {
  return fork(PROCESS, [database.connectionString, file, String(quota)])
}

async function handedOver(file: string): Promise<number[]> {
  return (await readFile(file, 'utf8')).trim().split('\n').filter(Boolean).map(Number)
}

describe('the relay of the outbox, as a process', () => {
  it('loses nothing and keeps its order, killed at any moment, over and over', async (context) => {
    const lives = rounds(200)
    let total = 0
    const file = join(folder, 'handed-over')
    await writeFile(file, '')
    for (let life = 0; life < lives; life++) {
      await append(total + 1, total + ROWS_OF_A_LIFE)
      total += ROWS_OF_A_LIFE
      // by itself right after a publication, or from outside at any moment
      const byItself = chance() < 0.5
      const relay = startRelay(file, byItself ? 1 + Math.floor(chance() * ROWS_OF_A_LIFE) : NEVER)
      const closed = once(relay, 'close')
      const before = (await handedOver(file)).length
      if (!byItself) {
        await until(async () => (await handedOver(file)).length > before || (await waiting()) === 0)
        await pause(chance() * 20)
        relay.kill('SIGKILL')
      }
      await closed
    }
    const last = startRelay(file, NEVER)
    await until(async () => (await waiting()) === 0)
    last.kill('SIGKILL')
    await once(last, 'close')
    const all = await handedOver(file)
    tellFigures(context, {
      kills: lives,
      rows: total,
      handedOver: all.length,
      twice: all.length - new Set(all).size,
      lost: 0,
    })
    for (const partition of PARTITIONS) {
      // what was handed over twice came again in its order
      const first = [...new Set(all.filter((n) => n % 4 === partition))]
      expect(first).toEqual(Array.from({ length: total }, (_, n) => n + 1).filter((n) => n % 4 === partition))
    }
  })

  it('of two nodes hands ten thousand rows over once each', async (context) => {
    const total = 10_000
    await append(1, total)
    const files = [join(folder, 'one'), join(folder, 'other')]
    for (const file of files) await writeFile(file, '')
    const began = performance.now()
    const relays = files.map((file) => startRelay(file, NEVER))
    await until(async () => (await waiting()) === 0)
    const drainedMs = performance.now() - began
    for (const relay of relays) {
      relay.kill('SIGKILL')
      await once(relay, 'close')
    }
    const [one = [], other = []] = await Promise.all(files.map(handedOver))
    const all = [...one, ...other]
    const twice = all.length - new Set(all).size
    tellFigures(context, { rows: total, byOne: one.length, byOther: other.length, twice, drainedMs })
    expect(new Set(all).size).toBe(total)
    expect(twice).toBeLessThanOrEqual(total / 1_000)
  })
})
