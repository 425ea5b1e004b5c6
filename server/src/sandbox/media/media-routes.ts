import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { MediaFault } from '@atrium/embedded-media/api/api-messages.ts'
import { NEWER_SIGNAL_PATH, SIGNAL_PATH } from '@atrium/embedded-media/api/join-request.ts'
import { type Answer, refusalOf, unreadableBody } from '@atrium/embedded-media/api/twirp.ts'
import { unexpectedType } from '@atrium/embedded-media/api/twirp-codec.ts'
import type { EmbeddedMedia } from '@atrium/embedded-media/start-embedded-media.ts'
import { AGENT_PATH } from '@atrium/embedded-media/workers/workers.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { serveUpgrades } from '../../platform/http/connections/upgrades.ts'
import type { Server } from '../../platform/http/server.ts'

interface CallPath {
  service: string
  method: string
}

/**
 * The API of the embedded media server, `POST <prefix>/livekit.<Service>/<Method>`. LiveKit's SDK for JavaScript forgets
 * the path of the address it is given, so that the same answers at the root too.
 */
export function serveCalls(server: Server, media: EmbeddedMedia, prefixes: readonly string[]): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
    for (const prefix of prefixes)
      scope.post<{ Params: CallPath }>(
        `${prefix}/:service/:method`,
        { errorHandler: (error, request, reply) => void send(reply, answerTo(error, request)) },
        async ({ params, headers, body }, reply) => {
          const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
          return send(reply, await media.answerCall({ ...params, headers, body: bytes }))
        },
      )
  })
}

/** Where workers register, by a token alone. */
export function serveWorkers(server: Server, media: EmbeddedMedia): void {
  const accept = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    media.acceptUpgrade(request, socket, head)
  serveUpgrades(server, { path: AGENT_PATH, accept, close: () => media.close() })
}

/** Where clients come in: from pages of any origin, by a token alone. */
export function serveSignals(server: Server, media: EmbeddedMedia): void {
  const accept = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    media.acceptUpgrade(request, socket, head)
  for (const path of [SIGNAL_PATH, NEWER_SIGNAL_PATH]) {
    serveUpgrades(server, { path, accept, close: () => media.close() })
    server.get(`${path}/validate`, async (request, reply) => {
      const { status, text } = await media.validate(request.raw)
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8')
      // a page that may not read the answer would take a refusal for a server that is away; it asks for no cookies
      if (!reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-origin', '*')
      return reply.status(status).send(text)
    })
  }
}

/** What Fastify throws before a call is looked at belongs to its form. */
function answerTo(error: unknown, request: FastifyRequest): Answer {
  const { code } = error as { code?: unknown }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return refusalOf(unexpectedType(request.headers['content-type']))
  if (typeof code === 'string' && code.startsWith('FST_ERR_CTP_')) return unreadableBody()
  return refusalOf(new MediaFault('internal', 'the call failed'))
}

/** Bytes, not text: a charset in the type makes the SDK miss the code of a refusal. */
function send(reply: FastifyReply, answer: Answer | undefined): FastifyReply {
  if (answer) return reply.status(answer.status).header('content-type', answer.contentType).send(answer.body)
  reply.hijack()
  reply.raw.destroy()
  return reply
}
