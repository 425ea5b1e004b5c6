import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, type Person } from '../../../tests/people.ts'
import { processorTimeOf } from '../../../tests/run/timed.ts'

let office: TestOffice
let founder: Person
beforeAll(async () => {
  office = await openTestOffice({ settings: { TRUST_PROXY: '127.0.0.1' } })
  founder = await newFounder(office)
})
afterAll(() => office.close())

/** Every header that something here reads. */
const HEADERS = [
  ...['accept', 'accept-encoding', 'accept-language', 'accept-profile', 'authorization', 'content-encoding'],
  ...[
    'content-type',
    'cookie',
    'forwarded',
    'host',
    'idempotency-key',
    'if-match',
    'if-none-match',
    'if-range',
  ],
  ...[
    'origin',
    'prefer',
    'range',
    'sec-fetch-site',
    'traceparent',
    'tracestate',
    'user-agent',
    'x-request-id',
  ],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'access-control-request-headers'],
]
/** As much as Node reads of all headers, less what others need. */
const LENGTH = 14_000
const MOST_MS = 150
const TRIES = 3
const PIECES = ['a', ',', ' ', '"', '%cc%81', 'a=b;', 'a ;q=0 ', '"a", ']
const ROUTES = [
  ['POST', '/api/v1/organizations/create'],
  ['GET', '/openapi.json'],
  ['GET', '/rest/v1/messages'],
  ['GET', '/scim/v2/Users'],
] as const

async function answered(method: string, path: string, header: string, value: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    const url = new URL(path, office.baseUrl)
    const headers = { cookie: `atrium_session=${founder.cookie}`, [header]: value }
    const sent = request(url, { method, headers, setHost: header !== 'host' }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject).end()
  })
}

/** The processor time of a request. What the office does beside may disturb once: a slow reader stays slow. */
async function cost(ask: () => Promise<number>): Promise<[status: number, ms: number]> {
  let [status, least] = [0, Number.POSITIVE_INFINITY]
  for (let tries = 0; tries < TRIES && least >= MOST_MS; tries += 1) {
    const took = await processorTimeOf(async () => {
      status = await ask()
    })
    least = Math.min(least, took)
  }
  return [status, least]
}

describe('a header of full length', () => {
  it.each(HEADERS)('%s takes no more than its bytes do, whatever is in it', async (header) => {
    for (const [method, path] of ROUTES) {
      // what is made for the first that asks is no cost of a header
      await answered(method, path, header, 'a')
      for (const piece of PIECES) {
        const value = `${piece.repeat(LENGTH / piece.length)}!`.trim()
        const [status, took] = await cost(() => answered(method, path, header, value))
        expect([path, piece, status < 500, took < MOST_MS]).toEqual([path, piece, true, true])
      }
    }
  })
})
