import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from '../scripts/command-line.ts'
import { describeCompared, runAgainst } from './against/against.ts'
import { commitNamed, sentenceOfMissing } from './against/checkout.ts'
import { type AgainstLoad, LOADS } from './against/loads.ts'
import { avatarFinalize } from './avatar-finalize.ts'
import type { Benchmark, BenchmarkOptions } from './benchmark.ts'
import { calendarEvents } from './calendar-events.ts'
import { chatMessages, chatRecentDms } from './chat.ts'
import { chatPage, chatPageCost } from './chat-page.ts'
import { chatSearch } from './chat-search.ts'
import { chatSend } from './chat-send.ts'
import { firstStart, laterStart } from './cold-start.ts'
import { measure } from './contest.ts'
import { scimCreate, scimList } from './directory.ts'
import { embeddedMedia, embeddedMediaLoop, embeddedMediaPicture } from './embedded-media.ts'
import { exportMessages } from './export.ts'
import { fanOut } from './fan-out.ts'
import { knock } from './knock.ts'
import { describeLayers } from './layers/layers.ts'
import { finalizeMagicAuth, finalizeOauth, signInByMail } from './logins.ts'
import { machine, revision } from './machine.ts'
import { membersFirstPage, membersLastPage, membersList, membersListLarge } from './members-list.ts'
import { metricsScrape, metricsScrapeSmall } from './metrics-scrape.ts'
import { noisyNeighbour } from './noisy-neighbour.ts'
import { outgoingWebhooks } from './outgoing-webhooks.ts'
import {
  peerBetterAuthInvitation,
  peerBetterAuthMembers,
  peerBetterAuthSession,
} from './peers/better-auth.ts'
import { peerFastify } from './peers/fastify.ts'
import { peerPostgraphile } from './peers/postgraphile.ts'
import { peerPromClient } from './peers/prom-client.ts'
import { peerSocketIo } from './peers/socket-io.ts'
import { canPin } from './pinning.ts'
import { presenceSnapshot } from './presence-snapshot.ts'
import { waitForQuiet } from './processor-time.ts'
import { describeOutcome, describeRound } from './report.ts'
import { rest } from './rest.ts'
import { roomEntered } from './room-entered.ts'
import { roomToken, roomTokenOpened } from './room-token.ts'
import { roomsList } from './rooms-list.ts'
import { statusChange } from './status-change.ts'
import { statusChangeCentrifugo } from './status-change-centrifugo.ts'
import { subscribeProxy } from './subscribe-proxy.ts'
import { twoNodes } from './two-nodes.ts'
import { userGet } from './user-get.ts'
import { webhook } from './webhook.ts'

/** `npm run bench`: each benchmark against its baseline, side by side in one run. Fails where a goal is missed. */

const BENCHMARKS: readonly Benchmark[] = [
  userGet,
  twoNodes,
  subscribeProxy,
  webhook,
  metricsScrape,
  metricsScrapeSmall,
  roomToken,
  roomTokenOpened,
  presenceSnapshot,
  membersList,
  membersListLarge,
  membersFirstPage,
  membersLastPage,
  signInByMail,
  finalizeMagicAuth,
  finalizeOauth,
  roomsList,
  statusChange,
  statusChangeCentrifugo,
  roomEntered,
  knock,
  avatarFinalize,
  calendarEvents,
  fanOut,
  chatMessages,
  chatRecentDms,
  chatPage,
  chatPageCost,
  chatSend,
  chatSearch,
  scimList,
  scimCreate,
  outgoingWebhooks,
  exportMessages,
  noisyNeighbour,
  embeddedMedia,
  embeddedMediaLoop,
  embeddedMediaPicture,
  firstStart,
  laterStart,
  rest,
]
/** Other products, which are brought from the registry: measured where they are asked for. */
const PEERS: readonly Benchmark[] = [
  peerFastify,
  peerBetterAuthSession,
  peerBetterAuthMembers,
  peerBetterAuthInvitation,
  peerPostgraphile,
  peerSocketIo,
  peerPromClient,
]
const RESULTS = join(import.meta.dirname, 'results')
const USUAL = { rounds: 5, seconds: 5 }
const QUIET_WITHIN_MS = 20_000
const AGAINST_WARM_UP_SECONDS = 8

const USAGE = `npm run bench [-- name …] [--rounds N] [--seconds N] [--chapter C …] [--against COMMIT | --layers | --peers]

Rounds: ${USUAL.rounds} or more, and ${noisyNeighbour.usual?.rounds} of ${noisyNeighbour.name}. Seconds of load for one sample: ${USUAL.seconds}, and ${noisyNeighbour.usual?.seconds}.
Chapters: of ${noisyNeighbour.name}, such as --chapter "chat pages"; all where none is said.
Against: the office of that commit beside this one, under the same load in turn: processor time of each for a request, of
  ${LOADS.map(({ name }) => name).join(', ')}; below 1 it is dearer now.
Peers: beside other products, which are brought from the registry of npm:
  ${PEERS.map(({ name }) => name).join(', ')}.
Layers: of one of these, where what a request costs goes: processor time and allocations by folder, promises, system calls.
${BENCHMARKS.map(({ name, describe }) => `  ${name.padEnd(24)} ${describe}`).join('\n')}`

/** On the command line. */
type Said = Partial<BenchmarkOptions & { rounds: number }>

process.exitCode = await main()

async function main(): Promise<number> {
  const { values, positionals, refuse, number } = readCommandLine({
    usage: USAGE,
    names: Number.POSITIVE_INFINITY,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      chapter: { type: 'string', multiple: true },
      against: { type: 'string' },
      layers: { type: 'boolean' },
      peers: { type: 'boolean' },
    },
  })
  const rounds = values.rounds === undefined ? undefined : number('--rounds', values.rounds)
  const seconds = values.seconds === undefined ? undefined : number('--seconds', values.seconds)
  const { against: commit, layers: byLayers } = values
  if ([commit !== undefined, byLayers, values.peers].filter(Boolean).length > 1)
    refuse('--against, --layers and --peers are different things: say one')
  if (commit !== undefined || byLayers) {
    if ((rounds ?? USUAL.rounds) < USUAL.rounds) refuse(`--rounds is ${rounds}: ${USUAL.rounds} or more`)
    const none = positionals.filter((name) => !LOADS.some((load) => load.name === name))
    if (none.length > 0) refuse(`Neither against a commit nor by layers: ${none.join(', ')}.`)
    const loads = LOADS.filter((load) => positionals.length === 0 || positionals.includes(load.name))
    const measuring = { ...USUAL, ...given({ rounds, seconds }) }
    return commit === undefined ? await layers(loads, measuring) : await against(commit, loads, measuring)
  }
  const asked = values.peers ? PEERS : BENCHMARKS
  const every = [...BENCHMARKS, ...PEERS]
  const unknown = positionals.filter((name) => !every.some((benchmark) => benchmark.name === name))
  if (unknown.length > 0) refuse(`There is no benchmark ${unknown.join(', ')}.`)
  const said: Said = {
    ...given({ rounds, seconds }),
    ...(values.chapter && { chapters: values.chapter }),
  }
  const chosen = positionals.length === 0 ? asked : every.filter(({ name }) => positionals.includes(name))
  for (const { name, usual = USUAL } of chosen)
    if ((said.rounds ?? usual.rounds) < usual.rounds)
      refuse(`--rounds is ${said.rounds}: ${name} wants ${usual.rounds} or more`)
  tellOfMachine()

  let missed = 0
  for (const benchmark of chosen) {
    const met = await run(benchmark, said).catch((error: unknown) => {
      console.error(`  could not be measured: ${error instanceof Error ? error.message : error}`)
      return false
    })
    if (!met) missed += 1
  }
  return missed === 0 ? 0 : 1
}

function given<Name extends string>(numbers: Record<Name, number | undefined>): { [name in Name]?: number } {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined)) as {
    [name in Name]?: number
  }
}

function tellOfMachine(): void {
  const { cores, cpu, memoryGb, system, node } = machine()
  console.log(`${cores} × ${cpu}, ${memoryGb} GB, ${system}, Node ${node}`)
  if (!canPin) console.log('Processes are not pinned to cores here.')
}

async function layers(loads: readonly AgainstLoad[], { seconds }: { seconds: number }): Promise<number> {
  tellOfMachine()
  for (const load of loads) console.log(await describeLayers(load, seconds))
  return 0
}

async function against(
  name: string,
  loads: readonly AgainstLoad[],
  measuring: { rounds: number; seconds: number },
): Promise<number> {
  const commit = await commitNamed(name)
  if (commit === undefined) {
    console.error(sentenceOfMissing(name))
    return 1
  }
  tellOfMachine()
  console.log(`Against ${commit}; processor time of the office for a request, ${measuring.rounds} rounds`)
  const warmUpSeconds = AGAINST_WARM_UP_SECONDS
  const compared = await runAgainst(commit, loads, { ...measuring, warmUpSeconds })
  console.log(describeCompared(compared))
  mkdirSync(RESULTS, { recursive: true })
  const result = { commit, revision: revision(), machine: machine(), ...measuring, compared }
  writeFileSync(
    join(RESULTS, `against-${commit.slice(0, 8)}.json`),
    `${JSON.stringify(result, null, 2)}
`,
  )
  return 0
}

async function run(benchmark: Benchmark, said: Said): Promise<boolean> {
  const { name, describe, unit, goal } = benchmark
  const measuring = { ...USUAL, ...benchmark.usual, ...said }
  console.log(`\n${name}: ${describe}`)
  const missing = benchmark.missing?.()
  if (missing !== undefined) {
    console.log(`  SKIPPED: ${missing}`)
    return true
  }
  const facts = { machine: machine(), canPin, revision: revision(), at: new Date().toISOString() }
  const outcome = await measure(benchmark, {
    ...measuring,
    quiet: () => waitForQuiet(QUIET_WITHIN_MS),
    onRound: (round, number) => console.log(describeRound(round, number, unit)),
  })
  console.log(describeOutcome(benchmark, outcome))
  mkdirSync(RESULTS, { recursive: true })
  const result = { name, describe, unit, goal, ...facts, ...measuring, ...outcome }
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
  return outcome.goalMet
}
