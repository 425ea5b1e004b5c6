import type { Server } from '../../platform/http/server.ts'
import { Refusal } from '../../platform/refusal.ts'
import { constantTimeEquals, type Secret } from '../../platform/secret.ts'
import { judgeSubscription } from './rules.ts'

export interface SubscribeProxyNeeds {
  /** Shared with the broker. */
  proxySecret: Secret
}

const SECRET_HEADER = 'x-broker-proxy-secret'

/**
 * `POST /internal/broker/subscribe`: the broker asks whether a connection may subscribe to a channel. No part of the
 * public contract: its "no" is a 200 too, because the broker would retry any other status for ever.
 */
export function serveSubscribeProxy(server: Server, { proxySecret }: SubscribeProxyNeeds): void {
  const expected = proxySecret.reveal()
  void server.register(async (machine) => {
    // whatever the content type says: what cannot be read as JSON is 400
    machine.removeAllContentTypeParsers()
    machine.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
      const body = readJson(text as string)
      if (body) done(null, body)
      else done(new Refusal('invalid', 'The body is not a subscribe request', { error: 'malformed-request' }))
    })
    machine.post(
      '/internal/broker/subscribe',
      {
        onRequest: async (request) => {
          const given = request.headers[SECRET_HEADER]
          if (typeof given !== 'string' || !constantTimeEquals(given, expected))
            throw new Refusal('unauthenticated', 'The proxy secret is missing or wrong')
        },
      },
      async (request) => {
        const { channel, meta } = (request.body ?? {}) as { channel?: unknown; meta?: unknown }
        if (typeof channel !== 'string')
          throw new Refusal('invalid', 'The body is not a subscribe request', { error: 'malformed-request' })
        return judgeSubscription(channel, organizationOfMeta(meta))
      },
    )
  })
}

function readJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** The organization of a connection, from the `meta` of its token. */
export function organizationOfMeta(meta: unknown): unknown {
  return typeof meta === 'object' && meta !== null ? (meta as { org?: unknown }).org : undefined
}
