import { browser } from './browser/browser.ts'
import { centrifugo } from './centrifugo/centrifugo.ts'
import type { Engine } from './engine.ts'
import { keycloak } from './keycloak/keycloak.ts'
import { livekit } from './livekit/livekit.ts'
import { postgresVersions } from './postgres/postgres.ts'
import { prometheus } from './prometheus/prometheus.ts'
import { redis } from './redis/redis.ts'
import { s3 } from './s3/s3.ts'
import { schemathesis } from './schemathesis/schemathesis.ts'

/**
 * `npm run test:engines [name …]`: our parts on the real engines, which are installed from pinned recipes. Says
 * what it skips and why; ends with `N passed, N failed, N skipped`.
 */

const ENGINES: readonly Engine[] = [
  ...postgresVersions,
  browser,
  keycloak,
  centrifugo,
  redis,
  s3,
  prometheus,
  livekit,
  schemathesis,
]

/** `postgres` is every version of it. */
const isCalled = (engine: Engine, name: string) =>
  engine.name === name || engine.name.replace(/-\d+$/, '') === name
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !ENGINES.some((engine) => isCalled(engine, name)))
if (unknown.length > 0) {
  console.error(
    `There is no engine ${unknown.join(', ')}. There are: ${ENGINES.map((engine) => engine.name).join(', ')}`,
  )
  process.exit(2)
}

const counts = { passed: 0, failed: 0, skipped: 0 }
const failures: string[] = []
for (const engine of ENGINES.filter(
  (engine) => asked.length === 0 || asked.some((name) => isCalled(engine, name)),
))
  await tryEngine(engine)
// once more at the end, where they are still seen when the rest of a long log is cut away
for (const failure of failures) console.log(failure)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = counts.failed === 0 ? 0 : 1

async function tryEngine(engine: Engine): Promise<void> {
  console.log(`${engine.name}: ${engine.about}`)
  const reason = await engine.install()
  if (reason !== undefined) {
    counts.skipped += 1
    console.log(`  - skipped: ${reason}`)
    return
  }
  const record = async (name: string, work: () => Promise<void>) => {
    const began = performance.now()
    const error = await work().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    counts[error === undefined ? 'passed' : 'failed'] += 1
    console.log(`  ${error === undefined ? '✓' : '✗'} ${name} (${Math.round(performance.now() - began)} ms)`)
    if (error === undefined) return
    const reason = error instanceof Error ? error.message : String(error)
    console.log(reason)
    failures.push(`✗ ${engine.name}: ${name}: ${reason}`)
  }
  // What fails outside a check is a failed check too: an engine that does not start.
  await engine.try(record).catch((error: unknown) => record('starts', () => Promise.reject(error)))
}
