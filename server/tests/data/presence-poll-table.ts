import { monitorEventLoopDelay } from 'node:perf_hooks'
import pg from 'pg'
import { pino } from 'pino'
import { readCommandLine } from '../../../scripts/command-line.ts'
import { connectivityPoll } from '../../src/features/presence/jobs.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { type IdentityOrganizationId, type IdentityUserId, trusted } from '../../src/platform/ids.ts'
import { testCluster } from '../run/test-cluster.ts'
import { PEOPLE_OF_A_TEAM as PEOPLE, seedTeams } from './teams.ts'

/** Online. */
const SIZES = [2_000, 20_000, 200_000]
const ROUNDS = 5

readCommandLine({
  usage: `npx node server/tests/data/presence-poll-table.ts

What one round of the presence poll costs its leader with ${SIZES.join(', ')} people online, as a table; a stand-in
answers for the broker. It takes no arguments (docs/operations/scale.md).`,
})

const cluster = await testCluster()
const pool = new pg.Pool({ connectionString: cluster.connectionString, max: 2 })
// it ends with its server where something has failed
pool.on('error', () => {})
try {
  await migrate(cluster.connectionString, pino({ level: 'silent' }))
  console.log(
    '| people online | a round, s | processor of the leader, s | of it in 15 s | longest pause of its event loop, ms | memory, MB |',
  )
  console.log('|--:|--:|--:|--:|--:|--:|')
  let have = 0
  for (const size of SIZES) {
    await seedTeams(pool, { from: have / PEOPLE + 1, to: size / PEOPLE }, 'online')
    have = size
    await printRow(size)
  }
} finally {
  await pool.end()
  await cluster.stop()
}

/** All people are connected: nothing changes, which is what nearly all rounds find. */
function standInBroker(size: number) {
  const connected = new Map<IdentityOrganizationId, Set<IdentityUserId>>()
  for (let o = 1; o <= size / PEOPLE; o += 1) {
    const people = Array.from({ length: PEOPLE }, (_, p) =>
      trusted.identityUserId(`user_${(o - 1) * PEOPLE + p + 1}`),
    )
    connected.set(trusted.identityOrganizationId(`org_${o}`), new Set(people))
  }
  return {
    connectedUsers: async () => ({ generation: 'one', connected }),
    occupiedOrganizations: async () => [...connected.keys()],
  }
}

async function printRow(size: number): Promise<void> {
  const needs = {
    db: openDatabase(pool),
    clock: systemClock,
    presenceRules: { restoreManual: false },
    broker: standInBroker(size),
    log: pino({ level: 'silent' }),
  }
  const round = connectivityPoll(needs)
  const signal = new AbortController().signal
  const pauses = monitorEventLoopDelay({ resolution: 5 })
  const all: { seconds: number; processor: number }[] = []
  for (let n = 0; n <= ROUNDS; n += 1) {
    // the first one compiles
    if (n === 1) pauses.enable()
    const startedAt = performance.now()
    const before = process.cpuUsage()
    const outcome = await round(signal)
    const { user, system } = process.cpuUsage(before)
    if (!outcome.known || outcome.cameOnline + outcome.wentOffline + outcome.removed > 0)
      throw new Error(`the round has changed something: ${JSON.stringify(outcome)}`)
    // the first one compiles
    if (n > 0)
      all.push({ seconds: (performance.now() - startedAt) / 1_000, processor: (user + system) / 1e6 })
  }
  pauses.disable()
  const median = (of: (one: (typeof all)[number]) => number) =>
    all.map(of).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] as number
  const processor = median((one) => one.processor)
  const megabytes = Math.round(process.memoryUsage().rss / 1024 ** 2)
  console.log(
    `| ${size.toLocaleString('en')} | ${median((one) => one.seconds).toFixed(2)} | ${processor.toFixed(2)} | ${((processor / 15) * 100).toFixed(1)} % | ${Math.round(pauses.max / 1e6)} | ${megabytes} |`,
  )
}
