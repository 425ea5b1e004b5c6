import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { type Message, newSid, webhookText } from '../api/api-messages.ts'
import type { Faults } from '../faults.ts'
import { type Clock, pause } from '../timers.ts'
import type { Emit } from './rooms.ts'

export interface WebhookNeeds {
  clock: Clock
  onWarning(error: unknown, message: string): void
  faults: Faults
  apiKey: string
  apiSecret: string
  /** Where webhooks go; undefined until the office listens. */
  url(): string | undefined
  /** Before each attempt after the first. */
  retryAfterMs?: readonly number[] | undefined
}

export interface WebhookCounts {
  delivered: number
  /** Given up after the last attempt, refused, or too old and too many before the first. */
  lost: number
  waiting: number
}

export interface WebhookSender {
  emit: Emit
  counts(): WebhookCounts
  close(): void
}

interface Waiting {
  event: string
  text: string
  queuedAtMs: number
}

const RETRY_AFTER_MS = [1_000, 2_000, 4_000, 8_000]
const AGE_MAX_MS = 30_000
const DEPTH_MAX = 200
const TOKEN_SECONDS = 300

/**
 * Sends webhooks with the manners of the media server: each queue (a room's, a recording's) in order and by itself,
 * five attempts of the same bytes, what is too old or too many dropped before its first.
 */
export function openWebhookSender(needs: WebhookNeeds): WebhookSender {
  const { clock, onWarning, faults } = needs
  const queues = new Map<string, Waiting[]>()
  const closing = new AbortController()
  const counts = { delivered: 0, lost: 0 }

  const work = async (name: string, queue: Waiting[]) => {
    for (let next = queue[0]; next && !closing.signal.aborted; next = queue[0]) {
      const isOld = clock.now().getTime() - next.queuedAtMs > AGE_MAX_MS
      const sent = !isOld && (await deliver(needs, next.text, closing.signal))
      counts[sent ? 'delivered' : 'lost'] += 1
      if (!sent && !closing.signal.aborted)
        onWarning(undefined, `the media server gave a webhook up: ${next.event}`)
      queue.shift()
    }
    queues.delete(name)
  }
  const enqueue = (name: string, waiting: Waiting) => {
    const queue = queues.get(name)
    if (!queue) {
      const fresh = [waiting]
      queues.set(name, fresh)
      work(name, fresh).catch((err) => onWarning(err, 'the media server lost webhooks'))
    } else if (queue.length > DEPTH_MAX) counts.lost += 1
    else queue.push(waiting)
  }

  return {
    emit(event, payload, queue) {
      if (faults.current.dropWebhooks || closing.signal.aborted) return
      const queuedAtMs = clock.now().getTime()
      const at = queuedAtMs + faults.current.clockAheadSeconds * 1_000
      const createdAt = BigInt(Math.floor(at / 1_000))
      const text = webhookText({ event, ...payload, id: newSid('EV'), createdAt } satisfies Message)
      enqueue(queue, { event, text, queuedAtMs })
      if (faults.current.duplicateWebhooks) enqueue(queue, { event, text, queuedAtMs })
    },
    counts: () => ({
      ...counts,
      waiting: [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    }),
    close: () => closing.abort(),
  }
}

async function deliver(needs: WebhookNeeds, body: string, signal: AbortSignal): Promise<boolean> {
  const headers = {
    authorization: await signatureOf(needs, body),
    'content-type': 'application/webhook+json',
    'user-agent': 'Go-http-client/1.1',
  }
  for (const waitMs of [0, ...(needs.retryAfterMs ?? RETRY_AFTER_MS)]) {
    if (waitMs > 0) await pause(waitMs, signal)
    if (signal.aborted) return false
    const status = await post(needs.url(), headers, body, signal)
    if (status !== undefined && status < 300) return true
    const isWorthAnother = status === undefined || status === 429 || (status >= 500 && status !== 501)
    if (!isWorthAnother) return false
  }
  return false
}

/** The status of the answer; undefined where none came. */
async function post(
  url: string | undefined,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (url === undefined) return undefined
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

/** No `Bearer`: the token stands alone in its header. It carries the hash of the very bytes. */
async function signatureOf(needs: WebhookNeeds, body: string): Promise<string> {
  const { clockAheadSeconds } = needs.faults.current
  const now = Math.floor(needs.clock.now().getTime() / 1_000) + clockAheadSeconds
  return await new SignJWT({ sha256: createHash('sha256').update(body).digest('base64') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(needs.apiKey)
    .setNotBefore(now)
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_SECONDS)
    .sign(new TextEncoder().encode(needs.apiSecret))
}
