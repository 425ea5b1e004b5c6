import { randomBytes } from 'node:crypto'
import type { Benchmark } from './benchmark.ts'
import { missingCentrifugo, placeCentrifugo, startCentrifugo } from './centrifugo.ts'
import { signUp } from './first-person.ts'
import { changeAt, listen, subscribed, timeChanges } from './listener.ts'
import { prepareOffice } from './office.ts'
import { pinLoad, pinMeasured } from './pinning.ts'

const CHANGES = 200
const WARM_UP_CHANGES = 50

export const statusChangeCentrifugo: Benchmark = {
  name: 'status-change-centrifugo',
  describe:
    'POST /presence/status until it arrives at a subscribed client, through table, outbox and a real Centrifugo v5 (median), against a direct publish to the same Centrifugo',
  unit: 'ms',
  goal: { overheadMax: 10, overheadP99Max: 50 },
  missing: missingCentrifugo,
  async prepare() {
    const place = await placeCentrifugo(randomBytes(48).toString('base64'))
    const office = await prepareOffice({
      BROKER: 'centrifugo',
      BROKER_TOKEN_SECRET: place.secret,
      BROKER_PROXY_SECRET: place.secret,
      CENTRIFUGO_API_KEY: place.secret,
      CENTRIFUGO_API_URL: `http://127.0.0.1:${place.internalPort}`,
      BROKER_PUBLIC_URL: `ws://127.0.0.1:${place.port}/connection/websocket`,
    })
    const closing: (() => Promise<unknown>)[] = [() => office.remove()]
    const close = async () => {
      for (let next = closing.pop(); next; next = closing.pop()) await next()
    }
    try {
      const development = await office.start('development')
      const person = await signUp(office.url).finally(() => development.stop())
      const production = await office.start('production')
      closing.push(() => production.stop())
      const databaseUrl = await office.databaseUrl()
      const proxyUrl = `${office.url}/internal/broker/subscribe`
      const centrifugo = await startCentrifugo(place, closing, { databaseUrl, proxyUrl })
      for (const { pid } of [production, centrifugo]) pinMeasured(pid)
      const unpin = pinLoad()
      closing.push(async () => unpin())

      const ours = await subscribed(office.url, person)
      closing.push(async () => ours.close())
      const theirs = await listen(
        centrifugo.url,
        JSON.stringify({ id: 1, connect: { token: centrifugo.token } }),
        '"id":1',
      )
      closing.push(async () => theirs.close())
      const subject = (changes: number) => timeChanges(ours, changeAt(office.url, person.cookie), changes)
      const baseline = (changes: number) =>
        timeChanges(theirs, (status) => centrifugo.publish({ status }), changes)
      for (const side of [subject, baseline]) await side(WARM_UP_CHANGES)
      return { subject: () => subject(CHANGES), baseline: () => baseline(CHANGES), close }
    } catch (error) {
      await close()
      throw error
    }
  },
}
