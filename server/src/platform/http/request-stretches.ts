import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WaitingHolder } from '../database/waiting-budget.ts'
import { beginStretch } from '../timing/loop-stretch.ts'
import { placeOf } from './request-record.ts'

/** A request that held the event loop: nothing of its content. */
export interface HeldLoop {
  request: FastifyRequest
  /** The id of the operation, or the pattern of the route. */
  operation: string
  /** Of the body, as its head says; undefined where it does not. */
  bytes: number | undefined
  /** Of the processor, in one stretch. */
  ms: number
}

/**
 * Watches every request of a server: where one holds the event loop for `HELD_MS` in one stretch, `onHeld` is told. It is
 * added first, so that all other hooks are of the stretch too.
 */
export function watchStretches(server: FastifyInstance, onHeld: (held: HeldLoop) => void): void {
  server.decorateRequest('onLoopHeld', function (this: FastifyRequest, ms: number) {
    const { operation, route } = placeOf(this)
    onHeld({ request: this, operation: operation ?? route, bytes: bytesOf(this), ms })
  })
  server.decorateRequest('loopMs', 0)
  server.decorateRequest('waitedMs', 0)
  server.addHook('onRequest', (request, _reply, done) => {
    beginStretch(holderOf(request))
    done()
  })
  // ahead of the parser, which hears of the same end
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request)) payload.once('end', () => beginStretch(holderOf(request)))
    done(null, payload)
  })
}

/** For whom the database answers: see `newWaitingBudget`. Of a server that is watched. */
export function holderOf(request: FastifyRequest): WaitingHolder {
  return request as FastifyRequest & WaitingHolder
}

function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined
}

function bytesOf({ raw: { headers } }: FastifyRequest): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}
