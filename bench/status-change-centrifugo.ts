import { randomBytes } from 'node:crypto'
import type { Benchmark } from './benchmark.ts'
import { missingCentrifugo, placeCentrifugo, startCentrifugo } from './centrifugo.ts'
import { changeAt, listen, subscribed, timeBothSides } from './listener.ts'
import { openContest, openProduction, pinSides } from './opening.ts'

export const statusChangeCentrifugo: Benchmark = {
  name: 'status-change-centrifugo',
  describe:
    'POST /presence/status until it arrives at a subscribed client, through table, outbox and a real Centrifugo v5 (median), against a direct publish to the same Centrifugo',
  unit: 'ms',
  goal: { overheadMax: 10, overheadP99Max: 50 },
  missing: missingCentrifugo,
  prepare: () =>
    openContest(async (ends) => {
      const place = await placeCentrifugo(randomBytes(48).toString('base64'))
      const { office, running, person } = await openProduction(ends, {
        BROKER: 'centrifugo',
        BROKER_TOKEN_SECRET: place.secret,
        BROKER_PROXY_SECRET: place.secret,
        CENTRIFUGO_API_KEY: place.secret,
        CENTRIFUGO_API_URL: `http://127.0.0.1:${place.internalPort}`,
        BROKER_PUBLIC_URL: `ws://127.0.0.1:${place.port}/connection/websocket`,
      })
      const databaseUrl = await office.databaseUrl()
      const proxyUrl = `${office.url}/internal/broker/subscribe`
      const centrifugo = await startCentrifugo(place, ends, { databaseUrl, proxyUrl })
      pinSides(ends, running, centrifugo)

      const ours = await subscribed(office.url, person)
      ends.push(async () => ours.close())
      const greeting = JSON.stringify({ id: 1, connect: { token: centrifugo.token } })
      const theirs = await listen(centrifugo.url, greeting, '"id":1')
      ends.push(async () => theirs.close())
      return await timeBothSides(
        { listener: ours, change: changeAt(office.url, person.cookie) },
        { listener: theirs, change: (status) => centrifugo.publish({ status }) },
      )
    }),
}
