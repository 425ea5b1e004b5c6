import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, freemem, loadavg, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ChosenStatus } from '@atrium/contract'
import { statusChannel } from '@atrium/contract/events'
import { openFilesMax } from '@atrium/server/src/platform/open-files.ts'
import { readCommandLine } from '../../scripts/command-line.ts'
import { installCentrifugo } from '../centrifugo/program.ts'
import type { Ends } from '../processes.ts'
import { installRedis } from '../redis/redis.ts'
import { CONNECTIONS_OF_A_PERSON, type Crowd, gatherCrowd } from './crowd.ts'
import { type Sample, slopeOf, type Watched, watchPrograms } from './samples.ts'
import { employ, openStage, type Person, type Stage } from './stage.ts'

const USAGE = `npx node engines/soak/soak.ts [--minutes N] [--connections N] [--changes N] [--json file]

Two offices, two Centrifugo nodes and Redis on this machine, with so many connections (1000), while people change
their status so many times a second (10), for so many minutes (60). Says what was held, what was told and lost, how
memory and descriptors went, and what this machine had left, and writes it as JSON (node_modules/.cache/soak.json);
ends with 1 where anything was lost or grew. docs/operations/soak.md says what a machine needs for more.`

const { values, number, refuse } = readCommandLine({
  usage: USAGE,
  options: {
    minutes: { type: 'string', default: '60' },
    connections: { type: 'string', default: '1000' },
    changes: { type: 'string', default: '10' },
    json: { type: 'string', default: 'node_modules/.cache/soak.json' },
  },
})
const minutes = number('--minutes', values.minutes)
const connections = number('--connections', values.connections)
const perSecond = number('--changes', values.changes)
/** Of a program that holds half of the connections, beside them. */
const OTHER_FILES = 500
const files = openFilesMax() ?? Number.POSITIVE_INFINITY
const most = 2 * (files - OTHER_FILES)
if (connections > most)
  refuse(`A process may open ${files} files: that is enough for ${most} connections. See ulimit -n`)

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SAMPLE_EVERY_MS = 5_000
const SAY_EVERY_MS = 60_000
const STATUSES: readonly ChosenStatus[] = ['online', 'away', 'busy']
/** Later than this an event counts as lost. */
const HEARD_WITHIN_MS = 60_000
/** Of a run that is long enough to tell growth from warming up. */
const FLAT_FROM_MINUTES = 30
const SLOPE_MAX_MB = 5

const reason = (await installCentrifugo()) ?? (await installRedis())
if (reason) throw new Error(reason)
const say = (line: string) => console.log(line)
const folder = await mkdtemp(join(tmpdir(), 'atrium-soak-'))
const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
try {
  const stage = await openStage(folder, ends)
  const people = await employ(stage, Math.max(50, Math.ceil(connections / CONNECTIONS_OF_A_PERSON)))
  say(`${people.length} people at two offices, ${connections} connections at two brokers are made`)
  const began = performance.now()
  const crowd = await gatherCrowd(people, stage.brokers, connections)
  ends.push(async () => crowd.close())
  const seconds = (performance.now() - began) / 1_000
  say(`${crowd.listening} connections in ${seconds.toFixed(0)} s, ${crowd.failed} failed`)
  process.exitCode = (await hold(stage, people, crowd)) ? 0 : 1
} finally {
  for (const end of ends.reverse()) await end()
}

interface Change {
  /** Milliseconds since 1970. */
  began: number
  /** Connections that listened when it was answered. */
  listeners: number
  heard: number
}

interface Told {
  changes: number
  failed: number
  expected: number
  heard: number
  /** From the request to each connection. */
  times: number[]
  /** Of the requests themselves. */
  asked: number[]
}

async function hold(stage: Stage, people: readonly Person[], crowd: Crowd): Promise<boolean> {
  const watch = watchPrograms()
  const over = AbortSignal.timeout((minutes as number) * 60_000)
  const changing = keepChanging(people, crowd, over)
  let saidAt = performance.now()
  while (!over.aborted) {
    await watch.look()
    if (performance.now() - saidAt >= SAY_EVERY_MS) {
      saidAt = performance.now()
      say(`${closedOf(crowd)} closed, load average ${loadavg()[0]?.toFixed(1)}`)
    }
    await pause(SAMPLE_EVERY_MS)
  }
  const told = await changing
  const counted = await countedBy(stage)
  return await report(told, crowd, watch.programs(), counted)
}

async function keepChanging(people: readonly Person[], crowd: Crowd, over: AbortSignal): Promise<Told> {
  const told: Told = { changes: 0, failed: 0, expected: 0, heard: 0, times: [], asked: [] }
  /** One at a time for each person, so that what is heard belongs to it. */
  const underWay = new Map<string, Change & { status: string }>()
  crowd.onHeard = ({ channel, status, at }) => {
    const change = underWay.get(channel)
    if (change?.status !== status) return
    change.heard += 1
    told.times.push(at - change.began)
  }
  const change = async (person: Person, turn: number) => {
    const channel = statusChannel(person.organization, person.id)
    const status = STATUSES[turn % STATUSES.length] as ChosenStatus
    const asked = { began: Date.now(), status, listeners: crowd.listenersOf(channel), heard: 0 }
    underWay.set(channel, asked)
    const isDone = await person.client.call('setPresenceStatus', { status }).then(
      () => true,
      () => false,
    )
    told.changes += 1
    told.asked.push(Date.now() - asked.began)
    if (!isDone) told.failed += 1
    const deadline = performance.now() + HEARD_WITHIN_MS
    while (isDone && asked.heard < asked.listeners && performance.now() < deadline) await pause(20)
    if (isDone) {
      told.expected += asked.listeners
      told.heard += Math.min(asked.heard, asked.listeners)
    }
    underWay.delete(channel)
  }
  const all: Promise<void>[] = []
  const began = performance.now()
  for (let n = 0; !over.aborted; n++) {
    const early = began + (n * 1_000) / (perSecond as number) - performance.now()
    if (early > 0) await pause(early)
    const person = people[n % people.length] as Person
    if (underWay.has(statusChannel(person.organization, person.id))) continue
    all.push(change(person, Math.floor(n / people.length) + 1))
  }
  await Promise.all(all)
  return told
}

/** What the parts say of connections themselves. */
async function countedBy({ offices, brokers }: Stage): Promise<Record<string, number>> {
  const read = async (url: string, name: string) => {
    const text = await (await fetch(url)).text()
    return Number(new RegExp(`^${name}(?:{[^}]*})? ([\\d.e+]+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  }
  const counted: Record<string, number> = {}
  for (const [at, url] of offices.entries())
    counted[`office ${at + 1}: http_connections_open`] = await read(`${url}/metrics`, 'http_connections_open')
  for (const [at, { apiUrl }] of brokers.entries())
    counted[`broker ${at + 1}: centrifugo_node_num_clients`] = await read(
      apiUrl.replace(/api$/, 'metrics'),
      'centrifugo_node_num_clients',
    )
  return counted
}

async function report(
  told: Told,
  crowd: Crowd,
  programs: readonly Watched[],
  counted: Record<string, number>,
): Promise<boolean> {
  const lost = told.expected - told.heard
  const result = {
    minutes,
    asked: connections,
    listening: crowd.listening,
    failed: crowd.failed,
    closed: Object.fromEntries(crowd.closed),
    resubscribed: Object.fromEntries(crowd.resubscribed),
    counted,
    changes: told.changes,
    changesFailed: told.failed,
    events: told.expected,
    lost,
    answerMs: spread(told.asked),
    heardMs: spread(told.times),
    programs: programs.filter(({ samples }) => samples.length > 2).map(summaryOf),
    machine: {
      processors: availableParallelism(),
      loadAverage: loadavg()[0],
      freeMegabytes: Math.round(freemem() / 2 ** 20),
    },
  }
  const file = resolve(ROOT, values.json)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(result, undefined, 2)}\n`)
  say(JSON.stringify(result, undefined, 2))
  const grown = result.programs.filter(({ megabytesIn10Minutes }) => megabytesIn10Minutes > SLOPE_MAX_MB)
  const isFlat = (minutes as number) < FLAT_FROM_MINUTES || grown.length === 0
  const isHeld = crowd.listening === connections && closedOf(crowd) === 0
  say(`${isHeld ? 'all' : 'not all'} connections held, ${lost} events lost, ${told.failed} changes failed`)
  return isHeld && lost === 0 && told.failed === 0 && isFlat
}

function closedOf({ closed }: Crowd): number {
  return [...closed.values()].reduce((sum, count) => sum + count, 0)
}

function summaryOf({ name, samples }: Watched) {
  const settled = samples.slice(Math.floor(samples.length / 3))
  const [first, last] = [settled[0] as Sample, settled.at(-1) as Sample]
  const rounded = (value: number) => Math.round(value * 100) / 100
  return {
    name,
    megabytes: [rounded(first.megabytes), rounded(last.megabytes)],
    megabytesIn10Minutes: rounded(slopeOf(settled, 'megabytes')),
    descriptors: [first.descriptors, last.descriptors],
    processorShare: rounded(settled.reduce((sum, { share }) => sum + share, 0) / settled.length),
  }
}

function spread(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN)
  return { p50: at(0.5), p99: at(0.99), longest: at(1) }
}
