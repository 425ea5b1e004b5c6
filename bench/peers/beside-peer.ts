import assert from 'node:assert/strict'
import type { Contest } from '../benchmark.ts'
import { applyLoad, type Load } from '../load.ts'
import { type Ends, pinSides, underLoad } from '../opening.ts'
import type { ServerProcess } from '../server-process.ts'

/** One side of a contest of two products with different requests. */
export interface PeerSide {
  server: ServerProcess
  request: Pick<Load, 'url' | 'method' | 'headers' | 'body' | 'next'>
  /** Of one answer: that it holds what the contest is about. */
  check(answer: unknown): void
}

interface BesidePeer {
  ours: PeerSide
  theirs: PeerSide
  connections: number
  seconds: number
}

/** Each side with its own requests, under the same load. Checks first that each answers what it is asked. */
export async function besidePeer(ends: Ends, contest: BesidePeer): Promise<Omit<Contest, 'close'>> {
  const { ours, theirs, connections, seconds } = contest
  pinSides(ends, ours.server, theirs.server)
  for (const side of [ours, theirs]) await checkAnswer(side)
  const under = (side: PeerSide) => (duration: number) =>
    applyLoad({ ...side.request, pid: side.server.pid, connections, seconds: duration })
  return await underLoad(seconds, { subject: under(ours), baseline: under(theirs) })
}

async function checkAnswer({ request, check }: PeerSide): Promise<void> {
  const { url, method, next, headers, body } = request
  const different = next?.() ?? { ...(headers && { headers }), ...(body !== undefined && { body }) }
  const answer = await fetch(url, { method, ...different })
  const text = await answer.text()
  assert.equal(answer.status, 200, `${url} answered ${answer.status}: ${text.slice(0, 400)}`)
  check(JSON.parse(text))
}
