import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import type { Benchmark, Sample } from './benchmark.ts'
import { prepareOffice } from './office.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const BASELINE = fileURLToPath(new URL('cold-start-baseline.ts', import.meta.url))

/** What a person waits for who has just installed it: the database is made meanwhile. */
export const firstStart: Benchmark = {
  name: 'first-start',
  describe: 'first `serve` on an empty data folder until ready, against bare node:http until it answers',
  unit: 'ms',
  goal: { subjectMax: 5_000 },
  async prepare() {
    return {
      async subject() {
        const office = await prepareOffice()
        try {
          const running = await office.start('development')
          await running.stop()
          return { value: running.readyAfterMs }
        } finally {
          await office.remove()
        }
      },
      baseline: bareStart,
      close: async () => {},
    }
  },
}

/** What a restart or an upgrade costs. */
export const laterStart: Benchmark = {
  name: 'later-start',
  describe: '`serve` on data that is there until ready, against bare node:http until it answers',
  unit: 'ms',
  goal: { subjectMax: 2_000 },
  async prepare() {
    const office = await prepareOffice()
    const start = async (): Promise<Sample> => {
      const running = await office.start('development')
      await running.stop()
      return { value: running.readyAfterMs }
    }
    try {
      await start()
    } catch (error) {
      await office.remove()
      throw error
    }
    return { subject: start, baseline: bareStart, close: () => office.remove() }
  },
}

async function bareStart(): Promise<Sample> {
  const bare = await startBare()
  await bare.stop()
  return { value: bare.readyAfterMs }
}

/** Bare node:http, in a process of its own. */
export async function startBare(): Promise<ServerProcess> {
  const port = await freePort()
  return await startServer({
    script: BASELINE,
    args: [String(port)],
    environment: {},
    port,
    readyPath: '/',
  })
}
