import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PEOPLE_OF_A_TEAM, seedTeams } from '@atrium/server/tests/data/teams.ts'
import pg from 'pg'
import { readCommandLine } from '../../scripts/command-line.ts'
import { installCentrifugo } from '../centrifugo/program.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { type Attendants, connectPeople } from './attendants.ts'
import { leaderOf, type PollNode, pollNodes, readNode } from './poll-nodes.ts'

const { values, number } = readCommandLine({
  usage: `npx node engines/soak/poll.ts [--people N]

So many people (10000), in organizations of ten, connected to one Centrifugo, and four offices on one PostgreSQL, of which
the leader polls who is there. Says what a round takes, how soon people who go are offline, and whether the end of
the leader by kill -9 has anybody shown wrongly; ends with 1 where it has.`,
  options: { people: { type: 'string', default: '10000' } },
})
const people = number('--people', values.people) as number
const LEAVING = Math.ceil(people / 20)
const ROUNDS = 4
/** Behind those that the offices make themselves. */
const FIRST_TEAM = 101
const EVERYBODY_WITHIN_MS = 300_000

const reason = await installCentrifugo()
if (reason) throw new Error(reason)
const folder = await mkdtemp(join(tmpdir(), 'atrium-poll-'))
const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
try {
  const { connectionString, nodes, broker } = await pollNodes(folder, ends)
  const pool = new pg.Pool({ connectionString, max: 2 })
  pool.on('error', () => {})
  ends.push(() => pool.end())
  const to = FIRST_TEAM + Math.ceil(people / PEOPLE_OF_A_TEAM) - 1
  await seedTeams(pool, { from: FIRST_TEAM, to }, 'offline')
  const attendants = await connectPeople(broker, { firstTeam: FIRST_TEAM, people }, ends)
  process.exitCode = (await tryPoll(pool, nodes, attendants)) ? 0 : 1
} finally {
  for (const end of ends.reverse()) await end()
}

async function tryPoll(pool: pg.Pool, nodes: PollNode[], attendants: Attendants): Promise<boolean> {
  const online = () => countOnline(pool)
  const arrived = await secondsUntil('all are online', async () => (await online()) === people)
  console.log(`${people} connected in ${attendants.seconds.toFixed(0)} s, all online ${arrived} s later`)
  await printRounds(nodes)

  const watch = watchOnline(online)
  attendants.leave(LEAVING)
  const left = await secondsUntil('who left is offline', async () => (await online()) === people - LEAVING)
  console.log(`${LEAVING} left: offline ${left} s later, ${watch.lowest()} online at the least`)

  const leader = await leaderOf(nodes)
  await leader.kill()
  attendants.leave(LEAVING)
  const rest = nodes.filter((node) => node !== leader)
  const expected = people - 2 * LEAVING
  const after = await secondsUntil('who left is offline', async () => (await online()) === expected)
  await printRounds(rest)
  const least = await watch.end()
  console.log(
    `the leader killed while ${LEAVING} left: offline ${after} s later, ${least} online at the least`,
  )
  console.log(
    `${attendants.closed()} connections closed by the broker, load average ${loadavg()[0]?.toFixed(1)}`,
  )
  return least === expected && attendants.closed() === 0
}

/** What rounds in which nothing changes take, and what the nodes that are no leader spend meanwhile. */
async function printRounds(nodes: readonly PollNode[]): Promise<void> {
  const leader = await leaderOf(nodes)
  const read = () => Promise.all(nodes.map(readNode))
  const before = await read()
  const at = nodes.indexOf(leader)
  await eventually(
    `${ROUNDS} rounds`,
    async () => (await readNode(leader)).rounds >= (before[at]?.rounds ?? 0) + ROUNDS,
    { withinMs: EVERYBODY_WITHIN_MS, everyMs: 200 },
  )
  const spent = (await read()).map((now, n) => ({
    rounds: now.rounds - (before[n]?.rounds ?? 0),
    seconds: now.seconds - (before[n]?.seconds ?? 0),
    processor: now.processor - (before[n]?.processor ?? 0),
  }))
  const own = spent[at] as (typeof spent)[number]
  const others = spent.filter((_, n) => n !== at).map(({ processor }) => (processor / own.rounds).toFixed(2))
  console.log(
    `${own.rounds} rounds of ${(own.seconds / own.rounds).toFixed(2)} s each; processor in the time of one: ` +
      `the leader ${(own.processor / own.rounds).toFixed(2)} s, the others ${others.join(', ')} s`,
  )
  if (spent.some(({ rounds }, n) => n !== at && rounds > 0))
    throw new Error('a node that is no leader polled')
}

async function countOnline(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(`select count(*)::int as online from presence where status = 'online'`)
  return rows[0].online
}

/** Looks again and again how many are online. */
function watchOnline(online: () => Promise<number>) {
  const over = new AbortController()
  let least = Number.POSITIVE_INFINITY
  const watching = (async () => {
    while (!over.signal.aborted) {
      least = Math.min(least, await online())
      await pause(500)
    }
  })()
  return {
    lowest: () => least,
    async end() {
      over.abort()
      await watching
      return least
    },
  }
}

async function secondsUntil(what: string, is: () => Promise<boolean>): Promise<string> {
  const began = performance.now()
  await eventually(what, is, { withinMs: EVERYBODY_WITHIN_MS, everyMs: 200 })
  return ((performance.now() - began) / 1_000).toFixed(1)
}
