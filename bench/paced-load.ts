import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export interface Asked {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  /** Each `{n}` becomes the number of the request. */
  body?: string
}

export interface Paced {
  requests: readonly Asked[]
  perSecond: number
  seconds: number
  /** Requests under way at the same time; what would come on top is left out. */
  underWayMax: number
}

export interface Answered {
  status: number
  /** From the moment when it should have been sent. */
  ms: number
  url: string
}

/** Asks so many times a second, whether or not the answers keep up: as a crowd does, and a loop does not. */
export async function pace({ requests, perSecond, seconds, underWayMax }: Paced): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: underWayMax })
  const answers: Promise<Answered>[] = []
  let underWay = 0
  const began = performance.now()
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const due = began + (n * 1_000) / perSecond
    const early = due - performance.now()
    if (early > 0) await pause(early)
    const asked = requests[n % requests.length]
    if (!asked || underWay >= underWayMax) continue
    underWay += 1
    const answer = ask(agent, asked, n).then((status) => {
      underWay -= 1
      return { status, ms: performance.now() - due, url: asked.url }
    })
    answers.push(answer)
  }
  try {
    return await Promise.all(answers)
  } finally {
    agent.destroy()
  }
}

/** @returns 0 where no answer came */
function ask(agent: Agent, { url, method, headers, body }: Asked, n: number): Promise<number> {
  return new Promise((resolve) => {
    const asking = request(url, { agent, method, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', () => resolve(0))
    })
    asking.on('error', () => resolve(0))
    asking.end(body?.replaceAll('{n}', `${n}`))
  })
}
