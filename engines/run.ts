import { browser } from './browser/browser.ts'
import { centrifugo } from './centrifugo/centrifugo.ts'
import { deploy } from './deploy/deploy.ts'
import { embeddedMedia } from './embedded-media/embedded-media.ts'
import type { Engine } from './engine.ts'
import { keycloak } from './keycloak/keycloak.ts'
import { lighthouse } from './lighthouse/lighthouse.ts'
import { livekit } from './livekit/livekit.ts'
import { livekitPages } from './livekit-pages/livekit-pages.ts'
import { packages } from './packages/packages.ts'
import { postgresVersions } from './postgres/postgres.ts'
import { processes } from './process/process.ts'
import { prometheus } from './prometheus/prometheus.ts'
import { python } from './python/python.ts'
import { redis } from './redis/redis.ts'
import { s3 } from './s3/s3.ts'
import { schemathesis } from './schemathesis/schemathesis.ts'
import { scim } from './scim/scim.ts'
import { within } from './waiting.ts'
import { web } from './web/web.ts'
import { workingDay } from './working-day/working-day.ts'

/**
 * `npm run test:engines [--install] [--retry] [name …]`: our parts on the real engines, which are installed from pinned
 * recipes, or only that; what fails may be tried once more. Says what it skips and why; ends with `N passed, N failed, N skipped`.
 */

/** Side by side, one after the other in each: the first need the processor, the second wait for clocks. */
const LANES: readonly (readonly Engine[])[] = [
  [
    processes,
    schemathesis,
    ...postgresVersions,
    browser,
    web,
    lighthouse,
    embeddedMedia,
    livekitPages,
    workingDay,
    packages,
    python,
    scim,
    keycloak,
    s3,
    prometheus,
    deploy,
  ],
  [livekit, centrifugo, redis],
]
const ENGINES = LANES.flat()
/** An engine that hangs fails, and the others are still tried. The longest takes five minutes on a busy machine. */
const ENGINE_WITHIN_MS = 20 * 60_000

/** `postgres` is every version of it. */
const isCalled = (engine: Engine, name: string) =>
  engine.name === name || engine.name.replace(/-\d+$/, '') === name
const isOption = (argument: string) => argument.startsWith('--')
const options = process.argv.slice(2).filter(isOption)
const asked = process.argv.slice(2).filter((argument) => !isOption(argument))
const unknown = [
  ...asked.filter((name) => !ENGINES.some((engine) => isCalled(engine, name))),
  ...options.filter((option) => option !== '--install' && option !== '--retry'),
]
if (unknown.length > 0) {
  console.error(
    `There is no engine ${unknown.join(', ')}. There are: ${ENGINES.map((engine) => engine.name).join(', ')}`,
  )
  process.exit(2)
}

interface Outcome {
  passed: number
  /** A line for each check that failed. */
  failures: string[]
  skipped: boolean
}

const wanted = (engine: Engine) => asked.length === 0 || asked.some((name) => isCalled(engine, name))
const outcomes = new Map<Engine, Outcome>()
await Promise.all(LANES.map((engines) => tryEach(engines.filter(wanted))))
if (options.includes('--retry')) await retryFailed()

// once more at the end, where they are still seen when the rest of a long log is cut away
const all = [...outcomes.values()]
const failures = all.flatMap((outcome) => outcome.failures)
for (const failure of failures) console.log(failure)
const passed = all.reduce((sum, outcome) => sum + outcome.passed, 0)
const skipped = all.filter((outcome) => outcome.skipped).length
console.log(`${passed} passed, ${failures.length} failed, ${skipped} skipped`)
// not by itself: what an engine that hung has left open would keep this process
process.exit(failures.length === 0 ? 0 : 1)

async function tryEach(engines: readonly Engine[]): Promise<void> {
  for (const engine of engines) outcomes.set(engine, await tryEngine(engine))
}

/** Once more, alone: the host of a CI machine may stop it for half a minute. What passes only then is named. */
async function retryFailed(): Promise<void> {
  const failed = [...outcomes].filter(([, outcome]) => outcome.failures.length > 0)
  for (const [engine, before] of failed) {
    await tryEach([engine])
    if (outcomes.get(engine)?.failures.length === 0)
      for (const failure of before.failures) console.log(`passed only when tried again: ${failure.slice(2)}`)
  }
}

async function tryEngine(engine: Engine): Promise<Outcome> {
  console.log(`${engine.name}: ${engine.about}`)
  const outcome: Outcome = { passed: 0, failures: [], skipped: false }
  const reason = await engine.install()
  if (reason !== undefined) {
    console.log(`  - ${engine.name} skipped: ${reason}`)
    return { ...outcome, skipped: true }
  }
  if (options.includes('--install')) return outcome
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
    outcome.failures.push(`✗ ${engine.name}: ${name}: ${reason}`)
  }
  // What fails outside a check is a failed check too: an engine that does not start.
  await within('it ends', engine.try(record), ENGINE_WITHIN_MS).catch((error: unknown) =>
    record('starts and ends', () => Promise.reject(error)),
  )
  return outcome
}
