import { browser } from './browser/browser.ts'
import { centrifugo } from './centrifugo/centrifugo.ts'
import type { Engine } from './engine.ts'
import { keycloak } from './keycloak/keycloak.ts'
import { livekit } from './livekit/livekit.ts'
import { packages } from './packages/packages.ts'
import { postgresVersions } from './postgres/postgres.ts'
import { processes } from './process/process.ts'
import { prometheus } from './prometheus/prometheus.ts'
import { redis } from './redis/redis.ts'
import { s3 } from './s3/s3.ts'
import { schemathesis } from './schemathesis/schemathesis.ts'
import { within } from './waiting.ts'

/**
 * `npm run test:engines [--install] [name …]`: our parts on the real engines, which are installed from pinned recipes,
 * or only that. Says what it skips and why; ends with `N passed, N failed, N skipped`.
 */

/** Side by side, one after the other in each: the first need the processor, the second wait for clocks. */
const LANES: readonly (readonly Engine[])[] = [
  [processes, schemathesis, ...postgresVersions, browser, packages, keycloak, s3, prometheus],
  [livekit, centrifugo, redis],
]
const ENGINES = LANES.flat()
/** An engine that hangs fails, and the others are still tried. The longest takes five minutes on a busy machine. */
const ENGINE_WITHIN_MS = 20 * 60_000

/** `postgres` is every version of it. */
const isCalled = (engine: Engine, name: string) =>
  engine.name === name || engine.name.replace(/-\d+$/, '') === name
const installOnly = process.argv.includes('--install')
const asked = process.argv.slice(2).filter((argument) => argument !== '--install')
const unknown = asked.filter((name) => !ENGINES.some((engine) => isCalled(engine, name)))
if (unknown.length > 0) {
  console.error(
    `There is no engine ${unknown.join(', ')}. There are: ${ENGINES.map((engine) => engine.name).join(', ')}`,
  )
  process.exit(2)
}

const counts = { passed: 0, failed: 0, skipped: 0 }
const failures: string[] = []
const wanted = (engine: Engine) => asked.length === 0 || asked.some((name) => isCalled(engine, name))
await Promise.all(LANES.map((engines) => tryEach(engines.filter(wanted))))
// once more at the end, where they are still seen when the rest of a long log is cut away
for (const failure of failures) console.log(failure)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
// not by itself: what an engine that hung has left open would keep this process
process.exit(counts.failed === 0 ? 0 : 1)

async function tryEach(engines: readonly Engine[]): Promise<void> {
  for (const engine of engines) await tryEngine(engine)
}

async function tryEngine(engine: Engine): Promise<void> {
  console.log(`${engine.name}: ${engine.about}`)
  const reason = await engine.install()
  if (reason !== undefined) {
    counts.skipped += 1
    console.log(`  - ${engine.name} skipped: ${reason}`)
    return
  }
  if (installOnly) return
  const record = async (name: string, work: () => Promise<void>) => {
    const began = performance.now()
    const error = await work().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    counts[error === undefined ? 'passed' : 'failed'] += 1
    const took = Math.round(performance.now() - began)
    console.log(`  ${error === undefined ? '✓' : '✗'} ${engine.name}: ${name} (${took} ms)`)
    if (error === undefined) return
    const reason = error instanceof Error ? error.message : String(error)
    console.log(reason)
    failures.push(`✗ ${engine.name}: ${name}: ${reason}`)
  }
  // What fails outside a check is a failed check too: an engine that does not start.
  await within('it ends', engine.try(record), ENGINE_WITHIN_MS).catch((error: unknown) =>
    record('starts and ends', () => Promise.reject(error)),
  )
}
