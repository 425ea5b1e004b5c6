import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { applyLoad } from './load.ts'
import { prepareOffice } from './office.ts'
import { pinLoad, pinMeasured } from './pinning.ts'
import { freePort, type ServerProcess, startServer } from './server-process.ts'

const BASELINE = fileURLToPath(new URL('subscribe-proxy-baseline.ts', import.meta.url))
const CONNECTIONS = 20
const WARM_UP_SECONDS = 3

export const subscribeProxy: Benchmark = {
  name: 'subscribe-proxy',
  describe:
    'POST /internal/broker/subscribe, as production serves it, against bare node:http that parses the body and answers the same bytes',
  unit: 'requests/s',
  goal: { ratioMin: 0.75 },
  async prepare({ seconds }) {
    const proxySecret = randomBytes(32).toString('base64url')
    const office = await prepareOffice({ BROKER_PROXY_SECRET: proxySecret })
    const closing: (() => Promise<unknown>)[] = [() => office.remove()]
    const close = async () => {
      for (let next = closing.pop(); next; next = closing.pop()) await next()
    }
    try {
      const production = await office.start('production')
      closing.push(() => production.stop())
      const port = await freePort()
      const bare = await startServer({
        script: BASELINE,
        args: [String(port)],
        environment: {},
        port,
        readyPath: '/',
      })
      closing.push(() => bare.stop())
      for (const { pid } of [production, bare]) pinMeasured(pid)
      const unpin = pinLoad()
      closing.push(async () => unpin())

      const request = {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-broker-proxy-secret': proxySecret },
        body: asked(),
      } as const
      const subjectUrl = `${office.url.replace('localhost', '127.0.0.1')}/internal/broker/subscribe`
      const baselineUrl = `http://127.0.0.1:${port}/internal/broker/subscribe`
      const [ours, theirs] = await Promise.all([answer(subjectUrl, request), answer(baselineUrl, request)])
      assert.equal(ours, theirs, 'both sides answer the same bytes')

      const load = (url: string, { pid }: ServerProcess, duration: number) =>
        applyLoad({ ...request, url, pid, connections: CONNECTIONS, seconds: duration })
      const subject = (duration = seconds) => load(subjectUrl, production, duration)
      const baseline = (duration = seconds) => load(baselineUrl, bare, duration)
      for (const side of [subject, baseline]) await side(WARM_UP_SECONDS)
      return { subject: () => subject(), baseline: () => baseline(), close }
    } catch (error) {
      await close()
      throw error
    }
  },
}

/** As Centrifugo asks. */
function asked(): string {
  return JSON.stringify({
    client: '9336a229-2400-4ebc-8c50-0a643d22e8a0',
    transport: 'websocket',
    protocol: 'json',
    encoding: 'json',
    user: 'user_01J9ZK2V7QF3M8T5N6R4X0CWYB',
    channel: 'status:org_01J9ZK2V7QF3M8T5N6R4X0CWYA:user_01J9ZK2V7QF3M8T5N6R4X0CWYC',
    meta: { org: 'org_01J9ZK2V7QF3M8T5N6R4X0CWYA' },
  })
}

async function answer(url: string, request: RequestInit): Promise<string> {
  const response = await fetch(url, request)
  assert.equal(response.status, 200, `${url} answers 200`)
  return await response.text()
}
