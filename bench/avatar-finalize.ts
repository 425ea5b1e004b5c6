import assert from 'node:assert/strict'
import sharp from 'sharp'
import type { Benchmark, Sample } from './benchmark.ts'
import { signUp } from './first-person.ts'
import { prepareOffice } from './office.ts'
import { ascending, quantile } from './statistics.ts'

const AT_ONCE = 50
const SIDE_PIXELS = 512
const TYPE = 'image/jpeg'
/** As many as the image check decodes at a time. */
const DECODED_AT_ONCE = 2
const PROBE_EVERY_MS = 5

interface Context {
  url: string
  cookie: string
  image: Buffer
}

/**
 * What a person waits for who finalizes while 49 others do: storage, check in another process, database. `live` is
 * what others of the office wait for meanwhile: the time to an answer that needs nothing but the event loop.
 */
export const avatarFinalize: Benchmark = {
  name: 'avatar-finalize',
  describe: `${AT_ONCE} finalizes of a ${SIDE_PIXELS}-pixel JPEG at once, against the bare decode of as many by sharp, two at a time`,
  unit: 'requests/s',
  goal: { ratioMin: 0.1 },
  async prepare() {
    const office = await prepareOffice({ AVATAR_UPLOAD_TRIES: '0' })
    const development = await office.start('development').catch(async (error: unknown) => {
      await office.remove()
      throw error
    })
    const person = await signUp(office.url).finally(() => development.stop())
    const production = await office.start('production')
    const context = {
      url: office.url.replace('localhost', '127.0.0.1'),
      cookie: person.cookie,
      image: await photo(),
    }
    // the first one waits for the image check to come up
    await finalizeAtOnce(context, 2)
    return {
      subject: () => finalizeAtOnce(context, AT_ONCE),
      baseline: () => decodeAll(context.image),
      async close() {
        await production.stop()
        await office.remove()
      },
    }
  },
}

/** Noise, softened: it compresses like a photograph, not like a drawing. */
function photo(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({
    create: { width: SIDE_PIXELS, height: SIDE_PIXELS, channels: 3, background: 'grey', noise },
  })
    .blur(1.2)
    .jpeg({ quality: 85 })
    .toBuffer()
}

async function finalizeAtOnce(context: Context, count: number): Promise<Sample> {
  const keys: string[] = []
  for (let made = 0; made < count; made += 1) keys.push(await upload(context))
  const probing = probe(context.url)
  const began = performance.now()
  const times = await Promise.all(
    keys.map(async (tmpKey) => {
      await post(context, 'finalize', { tmpKey })
      return performance.now() - began
    }),
  )
  const seconds = (performance.now() - began) / 1_000
  const [sorted, live] = [ascending(times), ascending(await probing.end())]
  return {
    value: count / seconds,
    details: {
      'p50 ms': quantile(sorted, 0.5),
      'p99 ms': quantile(sorted, 0.99),
      'live p50 ms': quantile(live, 0.5),
      'live max ms': quantile(live, 1),
    },
  }
}

async function upload(context: Context): Promise<string> {
  const ticket = (await post(context, 'upload-ticket', { contentType: TYPE })) as Record<string, string>
  const headers = { 'content-type': TYPE }
  const body = new Uint8Array(context.image)
  const response = await fetch(ticket.uploadUrl as string, { method: 'PUT', headers, body })
  assert.equal(response.status, 200, 'the upload is taken')
  return ticket.tmpKey as string
}

async function post(context: Context, step: string, body: object): Promise<unknown> {
  const response = await fetch(`${context.url}/user/avatar/${step}`, {
    method: 'POST',
    headers: { cookie: context.cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text)
}

/** Asks for the sign of life again and again. */
function probe(url: string): { end(): Promise<number[]> } {
  const times: number[] = []
  let ended = false
  const asking = (async () => {
    while (!ended) {
      const began = performance.now()
      await (await fetch(`${url}/health/live`)).arrayBuffer()
      times.push(performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS))
    }
  })()
  return {
    async end() {
      ended = true
      await asking
      return times
    },
  }
}

async function decodeAll(image: Buffer): Promise<Sample> {
  sharp.concurrency(1)
  sharp.cache(false)
  let left = AT_ONCE
  const times: number[] = []
  const began = performance.now()
  const decodeNext = async () => {
    for (; left > 0; ) {
      left -= 1
      const start = performance.now()
      await sharp(image, { failOn: 'warning' }).raw().toBuffer()
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: DECODED_AT_ONCE }, decodeNext))
  const seconds = (performance.now() - began) / 1_000
  const sorted = ascending(times)
  return {
    value: AT_ONCE / seconds,
    details: { 'p50 ms': quantile(sorted, 0.5), 'p99 ms': quantile(sorted, 0.99) },
  }
}
