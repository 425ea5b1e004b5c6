import { randomBytes } from 'node:crypto'
import type { Benchmark, Sample } from './benchmark.ts'
import { applyLoad, type Load } from './load.ts'
import { prepareOffice } from './office.ts'
import { openContest, openProduction, underLoad } from './opening.ts'

const CONNECTIONS = 20

/** What a second process brings on one machine: the database and the load want its cores too. */
export const twoNodes: Benchmark = {
  name: 'two-nodes',
  describe: 'POST /user/get by two nodes on one database, against one of them (processor time: of all nodes)',
  unit: 'requests/s',
  goal: { ratioMin: 0.9 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const secret = { SECRET_KEY: randomBytes(48).toString('base64') }
      const { office, running, person, base } = await openProduction(ends, secret)
      const settings = { ...secret, DATABASE_URL: await office.databaseUrl() }
      // it lives, and is not ready: sockets have one broker here, and no request of this one needs it
      const second = await prepareOffice(settings, { readyPath: '/health/live' })
      ends.push(() => second.remove())
      const beside = await second.start('production')
      ends.push(() => beside.stop())
      const ask = (at: string, pid: number, connections: number, duration: number) => {
        const load: Load = { url: `${at}/user/get`, method: 'POST', pid, connections, seconds: duration }
        return applyLoad({ ...load, headers: { cookie: person.cookie } })
      }
      return await underLoad(seconds, {
        subject: async (duration) =>
          together(
            await Promise.all([
              ask(base, running.pid, CONNECTIONS / 2, duration),
              ask(second.url.replace('localhost', '127.0.0.1'), beside.pid, CONNECTIONS / 2, duration),
            ]),
          ),
        baseline: (duration) => ask(base, running.pid, CONNECTIONS, duration),
      })
    }),
}

/** Rates added up; of everything else the mean of all requests. */
function together(samples: readonly Sample[]): Sample {
  const value = samples.reduce((sum, sample) => sum + sample.value, 0)
  const names = Object.keys(samples[0]?.details ?? {})
  const mean = (name: string) =>
    samples.reduce((sum, sample) => sum + (sample.details?.[name] ?? Number.NaN) * sample.value, 0) / value
  return { value, details: Object.fromEntries(names.map((name) => [name, mean(name)])) }
}
