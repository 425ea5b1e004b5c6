import { readCommandLine } from '../scripts/command-line.ts'
import { agents } from './agents/agents.ts'
import { agentsLivekit } from './agents/agents-livekit.ts'
import { browser } from './browser/browser.ts'
import { centrifugo } from './centrifugo/centrifugo.ts'
import { clamav } from './clamav/clamav.ts'
import { clients } from './clients/clients.ts'
import { cost } from './cost/cost.ts'
import { deploy } from './deploy/deploy.ts'
import { docker } from './docker/docker.ts'
import { embeddedMedia } from './embedded-media/embedded-media.ts'
import type { Engine } from './engine.ts'
import { film } from './film/grid.ts'
import { keycloak } from './keycloak/keycloak.ts'
import { laptop } from './laptop/laptop.ts'
import { lighthouse } from './lighthouse/lighthouse.ts'
import { livekit } from './livekit/livekit.ts'
import { livekitPages } from './livekit-pages/livekit-pages.ts'
import { mcp } from './mcp/mcp.ts'
import { model } from './model/model.ts'
import { packages } from './packages/packages.ts'
import { patroni } from './patroni/patroni.ts'
import { postgres15, postgres16, postgres17, postgres18 } from './postgres/postgres.ts'
import { large, processes } from './process/process.ts'
import { prometheus } from './prometheus/prometheus.ts'
import { python } from './python/python.ts'
import { redis } from './redis/redis.ts'
import { minio, s3 } from './s3/s3.ts'
import { schemathesis } from './schemathesis/schemathesis.ts'
import { scim } from './scim/scim.ts'
import { sealed, sealedLivekit } from './sealed/sealed.ts'
import { sealedSeconds } from './sealed/seconds.ts'
import { speed } from './speed/speed.ts'
import { transcriber } from './transcriber/transcriber.ts'
import { within } from './waiting.ts'
import { web } from './web/web.ts'
import { workingDay } from './working-day/working-day.ts'

/**
 * Side by side, one after the other in each, of equal length on two processors: the first need the processor, the second
 * wait for clocks and watch. The web office measures what it paints: beside it the second lane comes to its end.
 */
const LANES: readonly (readonly Engine[])[] = [
  [processes, postgres15, postgres18, packages, python, prometheus, deploy, web],
  [
    schemathesis,
    scim,
    cost,
    keycloak,
    livekit,
    centrifugo,
    redis,
    embeddedMedia,
    sealed,
    livekitPages,
    s3,
    browser,
    workingDay,
    lighthouse,
    model,
    laptop,
  ],
]
/**
 * Tried only where they are named. `speed` measures, and two lanes of engines beside it would make all its figures dear:
 * `.ci/run` tries it by itself. The others by hand and at a release: what PostgreSQL 15 and 18 both do, 16 and 17 do as
 * well; `clients` builds in five languages, and what it finds changes with the document alone; `minio` takes minutes to
 * build, and `s3` asks another store the same; `agents`, `agents-livekit`, `clamav` and `mcp` are large to install,
 * `transcriber` and `film` need packages of Debian's, `docker` runs a daemon of its own, and `large` takes minutes to fill.
 */
const ALONE: readonly Engine[] = [
  speed,
  postgres16,
  postgres17,
  large,
  minio,
  sealedLivekit,
  sealedSeconds,
  clamav,
  agents,
  agentsLivekit,
  mcp,
  clients,
  patroni,
  transcriber,
  film,
  docker,
]
const ENGINES = [...LANES.flat(), ...ALONE]
/** An engine that hangs fails, and the others are still tried. The web office takes 25 minutes on a busy machine. */
const ENGINE_WITHIN_MS = 45 * 60_000

/** `postgres` is every version of it. */
const isCalled = (engine: Engine, name: string) =>
  engine.name === name || engine.name.replace(/-\d+$/, '') === name
const USAGE = `npm run test:engines [-- [name …] [--install] [--retry]]

Our parts on the real engines, all of them where none is named but ${ALONE.map(({ name }) => name).join(', ')}; they are installed first, from pinned recipes. Says
what it skips and why; ends with how many checks have passed, failed, and were skipped.
  --install  installs them, and tries nothing
  --retry    what fails is tried once more, alone, and named
${ENGINES.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`).join('\n')}`

const {
  values: options,
  positionals: asked,
  refuse,
} = readCommandLine({
  usage: USAGE,
  options: { install: { type: 'boolean' }, retry: { type: 'boolean' } },
  names: Number.POSITIVE_INFINITY,
})
const unknown = asked.filter((name) => !ENGINES.some((engine) => isCalled(engine, name)))
if (unknown.length > 0) refuse(`There is no engine ${unknown.join(', ')}.`)

interface Failure {
  /** Of the check. */
  name: string
  line: string
}

interface Outcome {
  passed: number
  failures: Failure[]
  skipped: boolean
}

/** What fails outside of its checks is a failed check too: an engine that does not start. */
const OUTSIDE = 'starts and ends'

const wanted = (engine: Engine) =>
  asked.length === 0 ? !ALONE.includes(engine) : asked.some((name) => isCalled(engine, name))
const outcomes = new Map<Engine, Outcome>()
/** Seconds, with what is installed first. */
const took = new Map<Engine, number>()
const running = new Set<Engine>()
const unattended: string[] = []
// it fails the run, and ends none of the engines that are still tried
process.on('unhandledRejection', (error) => {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  console.log(`  ✗ a promise was rejected that nobody awaits\n  failed: ${reason}`)
  unattended.push(`✗ a promise was rejected that nobody awaits: ${reason}`)
})
process.once('SIGTERM', () => {
  const names = [...running].map(({ name }) => name)
  unattended.push(`✗ it was ended from outside, in the middle of ${names.join(', ')}`)
  conclude()
})
await Promise.all(LANES.map((engines) => tryEach(engines.filter(wanted))))
await tryEach(ALONE.filter(wanted))
if (options.retry) await retryFailed()
conclude()

/** Says what failed once more, where it is still seen when the rest of a long log is cut away, and ends the process. */
function conclude(): never {
  const all = [...outcomes.values()]
  const failures = [...all.flatMap(({ failures }) => failures.map(({ line }) => line)), ...unattended]
  for (const line of failures) console.log(line)
  console.log(
    `seconds: ${[...took].map(([{ name }, seconds]) => `${name} ${Math.round(seconds)}`).join(', ')}`,
  )
  const passed = all.reduce((sum, outcome) => sum + outcome.passed, 0)
  const skipped = all.filter((outcome) => outcome.skipped).length
  console.log(`${passed} passed, ${failures.length} failed, ${skipped} skipped`)
  // not by itself: what an engine that hung has left open would keep this process
  process.exit(failures.length === 0 ? 0 : 1)
}

async function tryEach(engines: readonly Engine[]): Promise<void> {
  for (const engine of engines) {
    const began = performance.now()
    outcomes.set(engine, await tryEngine(engine))
    took.set(engine, (performance.now() - began) / 1_000)
  }
}

/** Once more, alone: the host of a CI machine may stop it for half a minute. What passes only then is named. */
async function retryFailed(): Promise<void> {
  const failed = [...outcomes].filter(([, outcome]) => outcome.failures.length > 0)
  for (const [engine, before] of failed) {
    const now = await tryAgain(engine, before)
    outcomes.set(engine, now)
    if (now.failures.length === 0)
      for (const { line } of before.failures) console.log(`passed only when tried again: ${line.slice(2)}`)
  }
}

/** Only what failed, where the engine can; a check fails that fails twice, and all that fails outside of checks. */
async function tryAgain(engine: Engine, { passed, failures }: Outcome): Promise<Outcome> {
  const names = failures.map(({ name }) => name)
  if (names.includes(OUTSIDE)) return await tryEngine(engine)
  if (engine.tryAgain) {
    const now = await tryEngine(engine, (check) => engine.tryAgain?.(check, names) ?? Promise.resolve())
    return { ...now, passed: passed + Math.max(failures.length - now.failures.length, 0) }
  }
  const now = await tryEngine(engine)
  const twice = now.failures.filter(({ name }) => name === OUTSIDE || names.includes(name))
  for (const failure of now.failures)
    if (!twice.includes(failure)) console.log(`failed only when tried again: ${failure.line.slice(2)}`)
  return { ...now, passed: now.passed + now.failures.length - twice.length, failures: twice }
}

async function tryEngine(
  engine: Engine,
  attempt: Engine['try'] = (check) => engine.try(check),
): Promise<Outcome> {
  console.log(`${engine.name}: ${engine.about}`)
  const outcome: Outcome = { passed: 0, failures: [], skipped: false }
  const reason = await engine.install()
  if (reason !== undefined) {
    console.log(`  - ${engine.name} skipped: ${reason}`)
    return { ...outcome, skipped: true }
  }
  if (options.install) return outcome
  const record = async (name: string, work: () => Promise<void>) => {
    const began = performance.now()
    const error = await work().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    const took = Math.round(performance.now() - began)
    console.log(`  ${error === undefined ? '✓' : '✗'} ${engine.name}: ${name} (${took} ms)`)
    if (error === undefined) {
      outcome.passed += 1
      return
    }
    const reason = error instanceof Error ? error.message : String(error)
    console.log(`  failed: ${reason}`)
    outcome.failures.push({ name, line: `✗ ${engine.name}: ${name}: ${reason}` })
  }
  running.add(engine)
  await within('it ends', attempt(record), ENGINE_WITHIN_MS).catch((error: unknown) =>
    record(OUTSIDE, () => Promise.reject(error)),
  )
  running.delete(engine)
  return outcome
}
