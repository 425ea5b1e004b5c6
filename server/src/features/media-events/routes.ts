import type { FastifyRequest } from 'fastify'
import { isEncoded } from '../../platform/http/input/encoded-body.ts'
import { keepListening } from '../../platform/http/input/too-large.ts'
import type { MachineRoutes } from '../../platform/http/machine-routes.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { MediaEvent, MediaEventReceiver } from '../../ports/media-events.ts'

export interface WebhookNeeds {
  receiver: MediaEventReceiver
  /** Takes an event over without waiting; what becomes of it is no concern of the sender's. */
  take(event: MediaEvent): void
  onUnsigned(): void
  /** Told of a signed event that names its parts by nothing that can be meant. */
  onUnusable(): void
  log: Pick<Log, 'warn'>
}

/** Metadata of a room alone may be half a megabyte. */
const BODY_LIMIT_BYTES = 1_024 * 1_024
const REFUSED = { error: 'Failed to receive webhook event' } as const
const TAKEN = JSON.stringify({ code: 200, message: 'Event received' })
const JSON_TYPE = 'application/json; charset=utf-8'
const NO_BODY = Buffer.alloc(0)

/**
 * `POST /webhook`: an event of the media server. The signature is over the bytes of the body, so they are not parsed
 * on their way here. There is one refusal for all: 500, and the sender tries again. What is signed and of no use is
 * taken, counted and told of: it would be the same again. Other methods: 405.
 */
export function mediaWebhook({ receiver, take, onUnsigned, onUnusable, log }: WebhookNeeds): MachineRoutes {
  const accept = ({ headers, body }: FastifyRequest): boolean => {
    const delivery = receiver.receive((body as Buffer | undefined) ?? NO_BODY, headers.authorization)
    switch (delivery.outcome) {
      case 'event':
        take(delivery.event)
        return true
      case 'unusable':
        onUnusable()
        log.warn({ field: delivery.field }, 'an event of the media server is unusable and was dropped')
        return true
      case 'unsigned':
        onUnsigned()
    }
    log.warn({ reason: delivery.outcome }, 'an event of the media server was refused')
    return false
  }
  return {
    prefix: '/webhook',
    exact: true,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    ownErrors: true,
    anyOrigin: true,
    addTo(server) {
      server.removeAllContentTypeParsers()
      server.addContentTypeParser(
        ['application/webhook+json', 'application/json'],
        { parseAs: 'buffer' },
        ({ headers }, body, done) =>
          isEncoded(headers) ? done(Refusal.of('encoded-body')) : done(null, body),
      )
      server.setErrorHandler((error, _request, reply) => {
        log.warn(faultOf(error), 'an event of the media server was refused')
        keepListening(reply)
        return reply.status(500).send(REFUSED)
      })
      server.post('/webhook', (request, reply) => {
        if (accept(request)) return reply.type(JSON_TYPE).send(TAKEN)
        return reply.status(500).send(REFUSED)
      })
    },
  }
}

/** What the log says: a sender's mistake by its code alone, for any client may make it a thousand times a second. */
function faultOf(error: unknown): { reason: string } | { err: unknown } {
  const { statusCode = 500, code = 'malformed' } = error as { statusCode?: number; code?: string }
  return statusCode < 500 ? { reason: code } : { err: error }
}
