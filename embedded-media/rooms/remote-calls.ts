import { randomUUID } from 'node:crypto'
import { MediaFault } from '../api/api-messages.ts'
import {
  CONNECTION_TIMEOUT,
  knownFault,
  PAYLOAD_TOO_LARGE,
  RECIPIENT_DISCONNECTED,
  RESPONSE_TIMEOUT,
  remoteFault,
} from '../api/remote-errors.ts'
import type { RemoteAnswer, RemoteCall } from '../messages.ts'

export interface Asked {
  method: string
  payload: string
  /** 0: as long as LiveKit waits where nothing is said. */
  responseTimeoutMs: number
}

/** Calls of methods in clients, by the holder of the API key (`PerformRpc`). */
export interface RemoteCalls {
  /** @param send tells the client of the call @returns the payload of its answer @throws MediaFault */
  call(asked: Asked, send: (call: RemoteCall) => boolean): Promise<string>
  hear(answer: RemoteAnswer): void
  /** Nothing is answered any more: the process has died. */
  giveUp(): void
}

interface Pending {
  resolve(payload: string): void
  fail(fault: MediaFault): void
  acknowledged(): void
}

const PAYLOAD_BYTES_MAX = 15_360
const ACKNOWLEDGED_WITHIN_MS = 2_000
const ANSWERED_WITHIN_MS = 10_000
const WAIT_MS_MAX = 10 * 60_000
const PENDING_MAX = 1_000

export function openRemoteCalls(): RemoteCalls {
  const pending = new Map<string, Pending>()
  return {
    async call({ method, payload, responseTimeoutMs }, send) {
      if (Buffer.byteLength(payload) > PAYLOAD_BYTES_MAX) throw knownFault(PAYLOAD_TOO_LARGE)
      if (pending.size >= PENDING_MAX)
        throw new MediaFault('unavailable', 'too many calls wait for an answer')
      const id = randomUUID()
      const withinMs = Math.min(responseTimeoutMs || ANSWERED_WITHIN_MS, WAIT_MS_MAX)
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const unanswered = setTimeout(() => reject(knownFault(RESPONSE_TIMEOUT)), withinMs)
      const unacknowledged = setTimeout(() => reject(knownFault(CONNECTION_TIMEOUT)), ACKNOWLEDGED_WITHIN_MS)
      pending.set(id, { resolve, fail: reject, acknowledged: () => clearTimeout(unacknowledged) })
      try {
        if (!send({ id, method, payload, responseTimeoutMs: withinMs }))
          throw knownFault(RECIPIENT_DISCONNECTED)
        return await promise
      } finally {
        pending.delete(id)
        clearTimeout(unanswered)
        clearTimeout(unacknowledged)
      }
    },
    hear(answer) {
      const known = pending.get(answer.id)
      if (answer.is === 'acknowledged') known?.acknowledged()
      if (answer.is === 'answered') known?.resolve(answer.payload)
      if (answer.is === 'failed') known?.fail(remoteFault(answer.error))
    },
    giveUp() {
      for (const one of pending.values()) one.fail(knownFault(RECIPIENT_DISCONNECTED))
    },
  }
}
