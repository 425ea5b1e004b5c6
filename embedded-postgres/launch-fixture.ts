import { isMainThread, Worker } from 'node:worker_threads'
import { holdDataFolder } from './hold-data-folder.ts'
import { startEmbeddedPostgres } from './start-embedded-postgres.ts'

// A process for the tests to kill: `node launch-fixture.ts start|start-in-worker|hold <dataDir>`. Says in one line of
// JSON what came of it, and stays. A worker cannot tie PostgreSQL to its life, so there PostgreSQL outlives a kill.
const [action = '', dataDir = ''] = process.argv.slice(2)
const keepAlive = setInterval(() => {}, 1_000)

function say(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}

async function act(): Promise<object> {
  if (action === 'hold') {
    await holdDataFolder(dataDir, () => ({ pid: process.pid, url: 'http://localhost:3000' }))
    return {}
  }
  const log = { info() {}, warn() {} }
  const { connectionString, adopted, home } = await startEmbeddedPostgres({ dataDir, log })
  return { connectionString, adopted, home }
}

if (action === 'start-in-worker' && isMainThread) {
  new Worker(new URL(import.meta.url), { argv: [action, dataDir] })
} else {
  try {
    say(await act())
  } catch (error) {
    clearInterval(keepAlive)
    say({ failure: (error as Error).message })
  }
}
