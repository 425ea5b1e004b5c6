import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Sample } from './benchmark.ts'
import { signUp } from './first-person.ts'
import { connected } from './noisy-tenants.ts'
import { prepareOffice } from './office.ts'
import { type Ends, openBare, openContest, pinSides } from './opening.ts'
import { processorTime } from './processor-time.ts'

const BASELINE = fileURLToPath(new URL('outgoing-webhooks-baseline.ts', import.meta.url))
const EVENTS = 2_000
const ROOMS = 200
const ALL_WITHIN_MS = 5 * 60_000

/** A receiver that takes everything at once. */
interface Receiver {
  url: string
  /** Resolves once that many deliveries have come from now on. */
  take(count: number): Promise<void>
}

export const outgoingWebhooks: Benchmark = {
  name: 'outgoing-webhooks',
  describe: `${EVENTS} events of ${ROOMS} rooms until one fast receiver has them all (deliveries a second), through outbox, queue, signature and a note of each, in development (production sends to https only), against bare node:http that signs and posts as many from its memory, 24 at a time`,
  unit: 'requests/s',
  goal: { ratioMin: 0.05 },
  prepare: () =>
    openContest(async (ends) => {
      const office = await prepareOffice()
      ends.push(() => office.remove())
      const running = await office.start('development')
      ends.push(() => running.stop())
      const person = await signUp(office.url)
      const databaseUrl = await office.databaseUrl()
      const receiver = await openReceiver(ends)
      const bare = await openBare(ends, BASELINE, [receiver.url])
      await makeWebhook(office.url, person.cookie, receiver.url)
      await connected(databaseUrl, (client) => client.query('update webhooks set verified_at = now()'))
      pinSides(ends, running, bare)
      const subject = () => sample(running.pid, receiver, () => happen(databaseUrl, person.organizationId))
      const baseline = () =>
        sample(bare.pid, receiver, async () => {
          const asked = await fetch(`${bare.base}/?count=${EVENTS}`, { method: 'POST' })
          assert.equal(asked.status, 200)
        })
      for (const side of [subject, baseline]) await side()
      return { subject, baseline }
    }),
}

async function sample(pid: number, receiver: Receiver, begin: () => Promise<void>): Promise<Sample> {
  const used = processorTime(pid) ?? Number.NaN
  const all = receiver.take(EVENTS)
  const began = performance.now()
  await Promise.all([all, begin()])
  const seconds = (performance.now() - began) / 1_000
  return {
    value: EVENTS / seconds,
    details: { 'cpu µs': ((processorTime(pid) ?? Number.NaN) - used) / EVENTS },
  }
}

async function openReceiver(ends: Ends): Promise<Receiver> {
  let waiting: { left: number; resolve: () => void } | undefined
  const server: Server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.end()
      if (!waiting) return
      waiting.left -= 1
      if (waiting.left === 0) waiting.resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    take: (count) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('the deliveries did not all come')), ALL_WITHIN_MS)
        waiting = {
          left: count,
          resolve() {
            clearTimeout(late)
            resolve()
          },
        }
      }),
  }
}

async function makeWebhook(url: string, cookie: string, receiver: string): Promise<void> {
  const made = await fetch(`${url}/api/v1/organizations/webhooks/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ url: receiver, events: ['room.created'] }),
  })
  assert.equal(made.status, 201, await made.text())
}

/** Events of an organization, as if rooms were made. */
async function happen(databaseUrl: string, organizationId: string): Promise<void> {
  await connected(databaseUrl, (client) =>
    client.query(
      `insert into centrifugo_outbox (method, payload, partition)
       select 'publish', jsonb_build_object('channel', 'org:' || $1::text, 'data', jsonb_build_object(
         'id', gen_random_uuid(), 'type', 'room.created', 'time', to_char(now() at time zone 'utc',
         'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', jsonb_build_object('roomId', 'room-' || n % $3::int, 'name', 'Room ' || n))), n % 4
       from generate_series(1, $2::int) n`,
      [organizationId, EVENTS, ROOMS],
    ),
  )
}
