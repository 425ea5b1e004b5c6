import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { openTcpGate } from '../../../tests/run/tcp-gate.ts'
import {
  type DedicatedConnection,
  type DedicatedConnectionOptions,
  keepConnection,
} from './dedicated-connection.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

let connection: DedicatedConnection | undefined
afterEach(() => connection?.close())

const pids: number[] = []
const losses: AbortSignal[] = []
const recorded = recordedLog()

function keep(options: Partial<DedicatedConnectionOptions> = {}): void {
  pids.length = 0
  losses.length = 0
  recorded.lines.length = 0
  connection = keepConnection({
    connectionString: database.connectionString,
    name: 'atrium test',
    log: recorded.log,
    async onOpen(client, lost) {
      const { rows } = await client.query('select pg_backend_pid() as pid')
      losses.push(lost)
      pids.push(rows[0].pid)
    },
    probeEveryMs: 50,
    answerWithinMs: 300,
    ...options,
  })
}

const end = (pid = 0) => database.pool.query('select pg_terminate_backend($1)', [pid])
const messages = () => recorded.lines.map(({ msg }) => msg)

describe('a dedicated connection', () => {
  it('is replaced whenever it is cut, and says so once per outage', async () => {
    keep()
    for (let opened = 1; opened <= 3; opened++) {
      await expect.poll(() => pids.length).toBe(opened)
      await end(pids.at(-1))
    }
    await expect.poll(() => pids.length).toBe(4)
    expect(new Set(pids).size).toBe(4)
    expect(losses.map((lost) => lost.aborted)).toEqual([true, true, true, false])
    await expect
      .poll(messages)
      .toEqual(Array(3).fill(['database connection lost', 'database connection is back']).flat())
  })

  it('is given up when it falls silent', async () => {
    const gate = await openTcpGate(database.connectionString)
    keep({ connectionString: gate.url })
    await expect.poll(() => pids.length).toBe(1)
    gate.freeze()
    await expect.poll(() => losses[0]?.aborted).toBe(true)
    gate.thaw()
    await expect.poll(() => pids.length).toBe(2)
    await connection?.close()
    await gate.close()
  })

  it('is replaced when what is done with it fails', async () => {
    let probes = 0
    keep({
      probe: async () => {
        probes += 1
        if (probes === 2) throw new Error('on purpose')
      },
    })
    await expect.poll(() => pids.length).toBe(2)
  })

  it('says once that the database is away, however often it tries, and never its password', async () => {
    let opened = 0
    keep({
      connectionString: 'postgres://somebody:canary@127.0.0.1:1/none',
      onOpen: async () => {
        opened += 1
      },
    })
    await expect.poll(messages).toEqual(['database connection lost'])
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(messages()).toEqual(['database connection lost'])
    expect(opened).toBe(0)
    expect(recorded.text()).not.toContain('canary')
  })

  it('leaves no timer when it is closed', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    keep({ probeEveryMs: 60_000 })
    await expect.poll(() => pids.length).toBe(1)
    const standing = timers()
    await connection?.close()
    // one fewer: that of the next probe
    expect(timers()).toBeLessThan(standing)
  })

  it('is gone when it is closed, and does not come back', async () => {
    keep()
    await expect.poll(() => pids.length).toBe(1)
    await connection?.close()
    expect(losses[0]?.aborted).toBe(true)
    const count = async () => {
      const client = new pg.Client({ connectionString: database.connectionString })
      await client.connect()
      const { rows } = await client.query('select 1 from pg_stat_activity where pid = $1', [pids[0]])
      await client.end()
      return rows.length
    }
    await expect.poll(count).toBe(0)
    expect(pids).toHaveLength(1)
  })
})
