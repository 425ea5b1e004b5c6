import { type Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export interface Asked {
  /** From the root of the office. */
  path: string
  body?: object
  cookie?: string
  /** Without one, each request has a connection of its own. */
  agent?: Agent
}

export interface Answer {
  /** 0 where no answer came. */
  status: number
  ms: number
  retryAfterSeconds: number
  body: string
  /** Why no answer came: `ECONNREFUSED`, `ECONNRESET`. */
  failure?: string
}

/** POSTs, or GETs where there is no body. Never throws. */
export function ask(url: string, { path, body, cookie, agent }: Asked): Promise<Answer> {
  const began = performance.now()
  return new Promise((resolve) => {
    const ms = () => performance.now() - began
    const fail = (failure = 'unknown') =>
      resolve({ status: 0, ms: ms(), retryAfterSeconds: 0, body: '', failure })
    const headers = {
      ...(cookie && { cookie }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const asking = request(new URL(path, url), {
      method: body ? 'POST' : 'GET',
      headers,
      agent: agent ?? false,
    })
    asking.on('error', ({ code }: NodeJS.ErrnoException) => fail(code))
    asking.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('error', ({ code }: NodeJS.ErrnoException) => fail(code))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          ms: ms(),
          retryAfterSeconds: Number(response.headers['retry-after'] ?? 0),
          body: text,
        }),
      )
    })
    asking.end(body && JSON.stringify(body))
  })
}

/** Asks so many times a second until told to stop, whether or not answers keep up. */
export async function keepAsking<Reply>(
  perSecond: number,
  send: (n: number) => Promise<Reply>,
  stop: AbortSignal,
): Promise<Reply[]> {
  const replies: Promise<Reply>[] = []
  const began = performance.now()
  for (let n = 0; !stop.aborted; n++) {
    const early = began + (n * 1_000) / perSecond - performance.now()
    if (early > 0) await pause(early)
    replies.push(send(n))
  }
  return await Promise.all(replies)
}

/** Runs `work`, and measures beside it how long the slowest request took that has nothing to wait for. */
export async function besideIdleRequests<Result>(
  url: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; slownessMs: number }> {
  let over = false
  let slownessMs = 0
  const measuring = (async () => {
    while (!over) {
      slownessMs = Math.max(slownessMs, (await ask(url, { path: '/health/live' })).ms)
      await pause(20)
    }
  })()
  const result = await work().finally(() => {
    over = true
  })
  await measuring
  return { result, slownessMs }
}
