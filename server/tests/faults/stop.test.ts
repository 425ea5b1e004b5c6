import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BROKER_THAT_IS_AWAY } from '../process/kill-two-nodes.ts'
import { type OfficeProcess, signUpAt } from '../process/office-process.ts'
import { openProxy } from '../process/proxy.ts'
import { until } from '../until.ts'
import { chance, percentiles, rounds, tellFigures } from './figures.ts'
import { openNodesHarness } from './nodes.ts'
import { type Answer, ask, keepAsking } from './requests.ts'

const PER_SECOND = 100
/** Promised: what is under way may take 20 s, and queues 10. */
const STOP_WITHIN_MS = 35_000

const harness = openNodesHarness()

const serve = (settings: Record<string, string> = {}) =>
  harness.serve({ settings: { DATABASE_URL: harness.database.connectionString, ...settings } })

/** Organizations of a name: what was done, with or without a reply. */
async function madeOf(name: string): Promise<number> {
  const { rows } = await harness.database.pool.query('select 1 from organizations where name = $1', [name])
  return rows.length
}

const isMade = ({ status }: Answer) => status === 200

describe('nodes that are told to stop', () => {
  it('under load take no answer away from a request that they have begun, and end well, each time', async (context) => {
    const stops: number[] = []
    const all: Answer[] = []
    let made = 0
    for (let round = 1; round <= rounds(50); round++) {
      const office = await serve()
      const cookie = (await signUpAt(office.url)).cookie()
      const kept = new Agent({ keepAlive: true })
      const over = new AbortController()
      const name = `Round ${round}`
      const send = (n: number) =>
        ask(office.url, {
          path: '/api/v1/organizations/create',
          body: { name },
          cookie,
          ...(n % 2 ? { agent: kept } : {}),
        })
      const load = keepAsking(PER_SECOND, send, over.signal)
      await pause(500 + chance() * 500)
      const began = performance.now()
      office.kill('SIGTERM')
      expect(await office.ended).toEqual({ code: 0, signal: null })
      stops.push(performance.now() - began)
      over.abort()
      const answers = await load
      kept.destroy()
      all.push(...answers)
      const done = await madeOf(name)
      made += done
      // a request without an answer had not been begun
      expect(answers.filter(isMade).length).toBe(done)
    }
    const statuses = new Set(all.map(({ status }) => status))
    tellFigures(context, {
      stops: stops.length,
      requests: all.length,
      answered: all.filter(({ status }) => status > 0).length,
      made,
      cutOff: made - all.filter(isMade).length,
      ...percentiles('stop', stops),
    })
    expect([...statuses].filter((status) => ![0, 200, 503].includes(status))).toEqual([])
    expect(made).toBeGreaterThan(0)
    expect(Math.max(...stops)).toBeLessThan(STOP_WITHIN_MS)
  })

  it('one after the other behind a proxy that asks who is ready fail no request', async (context) => {
    const settings = { ...BROKER_THAT_IS_AWAY, DRAIN_NOTICE_SECONDS: '2' }
    const nodes = [await serve(settings), await serve(settings)]
    const proxy = await openProxy(nodes.map(({ url }) => url))
    const guests = await Promise.all(Array.from({ length: 4 }, () => signUpAt(proxy.url)))
    const name = 'Rolling'
    const answers: Answer[] = []
    let over = false
    const lanes = Promise.all(
      guests.map(async (guest) => {
        const question = { path: '/api/v1/organizations/create', body: { name }, cookie: guest.cookie() }
        while (!over) {
          answers.push(await ask(proxy.url, question))
          await pause(20)
        }
      }),
    )
    const replaced = rounds(4)
    for (let round = 0; round < replaced; round++) {
      await pause(1_000)
      const leaving = nodes.shift() as OfficeProcess
      leaving.kill('SIGTERM')
      // as balancers do: who is not ready is asked no more
      await until(async () => (await ask(leaving.url, { path: '/health/ready' })).status !== 200)
      proxy.lead(nodes.map(({ url }) => url))
      expect(await leaving.ended).toEqual({ code: 0, signal: null })
      nodes.push(await serve(settings))
      proxy.lead(nodes.map(({ url }) => url))
    }
    await pause(1_000)
    over = true
    await lanes
    const failed = answers.filter((answer) => !isMade(answer))
    tellFigures(context, {
      replaced,
      requests: answers.length,
      failed: failed.length,
      retries: proxy.retries(),
      ...percentiles(
        'answer',
        answers.map(({ ms }) => ms),
      ),
    })
    await proxy.close()
    expect(failed).toEqual([])
    // none was done twice by the second try
    expect(await madeOf(name)).toBe(answers.length)
  })
})
