import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { signUpAt } from '../process/office-process.ts'
import { rounds, tellFigures } from './figures.ts'
import { openNodesHarness } from './nodes.ts'
import { type Answer, ask, keepAsking } from './requests.ts'

const SLOW_CLIENTS = 30
/** Half a minute in which a request has to arrive, a round of the check (5 s), and a busy machine. */
const CUT_WITHIN_MS = 45_000
const SLOPE_MAX_MB = 1
/** Under it a slope says nothing: the heap is still growing to its size. */
const SLOPE_FROM_MINUTES = 30

const harness = openNodesHarness()

/** Sends the head of a request, and a byte of its body each second. @returns how long it was let */
function trickle(port: number): Promise<number> {
  const began = performance.now()
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /auth/sign-up HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n',
  )
  const dripping = setInterval(() => socket.write(' '), 1_000)
  socket.on('error', () => {})
  socket.resume()
  socket.on('end', () => socket.end())
  return new Promise((resolve) =>
    socket.on('close', () => {
      clearInterval(dripping)
      resolve(performance.now() - began)
    }),
  )
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024
}

/** By least squares, in ten minutes. */
function slopeOf(samples: readonly { minute: number; megabytes: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map(({ megabytes }) => megabytes))]
  const above = samples.reduce((sum, { minute, megabytes }) => sum + (minute - x) * (megabytes - y), 0)
  return (10 * above) / samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
}

/** Beside the minutes that it lasts: the start, the last slow ones, and the end of the office. */
const AROUND_MINUTES = 5
const minutes = rounds(2)
const timeout = (minutes + AROUND_MINUTES) * 60_000

it('an office of 256 MB heap outlives slow clients and large bodies, and cuts the slow ones off', {
  timeout,
}, async (context) => {
  const office = await harness.serve({
    settings: { DATABASE_URL: harness.database.connectionString, NODE_OPTIONS: '--max-old-space-size=256' },
  })
  const port = Number(new URL(office.url).port)
  const cookie = (await signUpAt(office.url)).cookie()
  const over = AbortSignal.timeout(minutes * 60_000)
  const displayName = 'x'.repeat(1_000_000)
  const large = keepAsking(
    5,
    () => ask(office.url, { path: '/user/update', body: { displayName }, cookie }),
    over,
  )
  const slow: number[] = []
  const slowly = Promise.all(
    Array.from({ length: SLOW_CLIENTS }, async () => {
      while (!over.aborted) slow.push(await trickle(port))
    }),
  )
  const samples: { minute: number; megabytes: number }[] = []
  const began = performance.now()
  while (!over.aborted) {
    samples.push({
      minute: (performance.now() - began) / 60_000,
      megabytes: await residentMegabytes(office.pid),
    })
    await pause(1_000)
  }
  const answers: Answer[] = await large
  await slowly
  const settled = samples.slice(Math.floor(samples.length / 3))
  const slope = slopeOf(settled)
  tellFigures(context, {
    minutes,
    largeBodies: answers.length,
    slowClients: slow.length,
    slowestCutMs: Math.max(...slow),
    residentMaxMb: Math.max(...samples.map(({ megabytes }) => megabytes)),
    residentLastMb: samples.at(-1)?.megabytes ?? Number.NaN,
    slopeMbIn10Minutes: slope,
  })
  expect(office.hasEnded()).toBe(false)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]))
  expect(Math.max(...slow)).toBeLessThan(CUT_WITHIN_MS)
  if (minutes >= SLOPE_FROM_MINUTES) expect(slope).toBeLessThan(SLOPE_MAX_MB)
  expect(await office.stop()).toEqual({ code: 0, signal: null })
})
