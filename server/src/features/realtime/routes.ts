import { isUtf8 } from 'node:buffer'
import { ANY_TEXT, ANY_VALUE, type Bounds, overBound } from '../../platform/http/input/bounds.ts'
import { isEncoded } from '../../platform/http/input/encoded-body.ts'
import type { MachineRoutes } from '../../platform/http/machine-routes.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type RotatingSecret, secretCheck } from '../../platform/secrets/secret.ts'
import { deniedSubscription, judgeSubscription } from './rules.ts'

export interface SubscribeProxyNeeds {
  /** Shared with the broker, which sends one of them. */
  proxySecrets: RotatingSecret
}

const SECRET_HEADER = 'x-broker-proxy-secret'
/** What clients send along (`data`) is not read: of it, depth and width count alone. */
const READ: Bounds = {
  ...ANY_TEXT,
  fields: new Map([
    ['channel', ANY_VALUE],
    ['meta', ANY_VALUE],
  ]),
}

/**
 * `POST /internal/broker/subscribe`: the broker asks whether a connection may subscribe to a channel. No part of the
 * public contract: its "no" is a 200 too, because the broker would retry any other status for ever.
 */
export function subscribeProxy({ proxySecrets }: SubscribeProxyNeeds): MachineRoutes {
  const checks = [proxySecrets.current, ...proxySecrets.previous, ...proxySecrets.next].map(secretCheck)
  const isProxySecret = (secret: string) => checks.some((check) => check(secret))
  return {
    prefix: '/internal/broker/',
    anyOrigin: true,
    programsOnly: true,
    addTo(server) {
      server.removeAllContentTypeParsers()
      // Without regard to the content type, what cannot be read as JSON is 400. The type that the broker sends is named
      // too, because Fastify remembers the parser of a named one.
      server.addContentTypeParser(
        ['application/json', '*'],
        { parseAs: 'buffer' },
        ({ headers }, bytes, done) => {
          if (isEncoded(headers)) return done(Refusal.of('encoded-body'))
          const body = readJson(bytes as Buffer)
          if (body) done(null, body)
          else done(notARequest())
        },
      )
      server.post('/internal/broker/subscribe', {
        onRequest: (request, _reply, done) => {
          const secret = request.headers[SECRET_HEADER]
          const isBroker = typeof secret === 'string' && isProxySecret(secret)
          done(
            isBroker
              ? undefined
              : Refusal.of('unauthenticated', { message: 'The proxy secret is missing or wrong' }),
          )
        },
        handler: (request, reply) => {
          const body = (request.body ?? {}) as { channel?: unknown; meta?: unknown }
          const { channel, meta } = body
          if (typeof channel !== 'string') throw notARequest()
          if (overBound(body, READ)) return reply.send(deniedSubscription(channel))
          reply.send(judgeSubscription(channel, organizationOfMeta(meta)))
        },
      })
    },
  }
}

function notARequest(): Refusal {
  return Refusal.of('malformed-request', { message: 'The body is not a subscribe request' })
}

function readJson(bytes: Buffer): object | undefined {
  if (!isUtf8(bytes)) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** The organization of a connection, from the `meta` of its token. */
export function organizationOfMeta(meta: unknown): unknown {
  return typeof meta === 'object' && meta !== null ? (meta as { org?: unknown }).org : undefined
}
