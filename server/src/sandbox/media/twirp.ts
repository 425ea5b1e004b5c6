import type { FastifyReply, FastifyRequest } from 'fastify'
import { isEncoded } from '../../platform/http/input/encoded-body.ts'
import type { Server } from '../../platform/http/server.ts'
import { pause } from '../../platform/timing/pause.ts'
import { type Grants, grantsOf, type TokenKeys } from './access-tokens.ts'
import { MediaFault } from './messages.ts'
import { codecOf, unexpectedType } from './twirp-codec.ts'
import { METHODS, type MethodNeeds } from './twirp-methods.ts'

export interface TwirpNeeds extends TokenKeys, MethodNeeds {}

type Call = FastifyRequest<{ Params: { service: string; method: string } }>

/** Without a token: the method then says what is missing. */
const NO_GRANTS: Grants = {
  identity: '',
  name: '',
  metadata: '',
  attributes: {},
  kind: 'STANDARD',
  video: {},
}

/**
 * The media server's API, `POST <prefix>/livekit.<Service>/<Method>`, in both encodings of Twirp. LiveKit's SDK for
 * JavaScript forgets the path of the address it is given, so that the same answers at the root too.
 */
export function serveTwirp(server: Server, needs: TwirpNeeds, prefixes: readonly string[]): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
    for (const prefix of prefixes)
      scope.post<{ Params: { service: string; method: string } }>(
        `${prefix}/:service/:method`,
        { errorHandler: (error, request, reply) => void sendFault(reply, faultOf(error, request)) },
        (request, reply) => answerCall(needs, request, reply),
      )
  })
}

async function answerCall(needs: TwirpNeeds, request: Call, reply: FastifyReply): Promise<FastifyReply> {
  const { calls, answerDelayMs } = needs.faults.current
  if (calls === 'refused') return cut(reply)
  const grants = await grantsIn(needs, request)
  if (!grants) return reply.status(401).type('text/plain').send('invalid authorization token')
  const path = `${request.params.service}/${request.params.method}`
  const method = Object.hasOwn(METHODS, path) ? METHODS[path] : undefined
  if (!method) throw new MediaFault('bad_route', `no handler for path "/twirp/${path}"`)
  const codec = codecOf(request.headers['content-type'])
  const body = codec.read(method.request, bytesOf(request))
  if (!method.allows(grants, body)) throw new MediaFault('unauthenticated', 'permissions denied')
  const answer = await method.answer(needs, body)
  if (answerDelayMs > 0) await pause(answerDelayMs)
  if (needs.faults.current.calls === 'answer-lost') return cut(reply)
  return sendBytes(reply, 200, codec.contentType, codec.write(method.reply, answer))
}

/** As LiveKit judges them: a token that is shown has to be good, and a call without one has no rights. */
async function grantsIn(needs: TwirpNeeds, { headers }: Call): Promise<Grants | undefined> {
  const { authorization } = headers
  if (authorization === undefined) return NO_GRANTS
  const token = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? ''
  return await grantsOf(needs, token, needs.clock.now())
}

/** @throws MediaFault malformed: of what is compressed */
function bytesOf({ headers, body }: Call): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  if (isEncoded(headers)) throw new MediaFault('malformed', 'the request is compressed')
  return bytes
}

function cut(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

/** What Fastify throws before a call is looked at belongs to its form. */
function faultOf(error: unknown, request: FastifyRequest): MediaFault {
  if (error instanceof MediaFault) return error
  const { code, message } = error as { code?: unknown; message: string }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unexpectedType(request.headers['content-type'])
  if (typeof code === 'string' && code.startsWith('FST_ERR_CTP_'))
    return new MediaFault('malformed', 'failed to read request body')
  return new MediaFault('internal', message)
}

/** In JSON, whatever the encoding of the call. */
function sendFault(reply: FastifyReply, { status, code, message }: MediaFault): FastifyReply {
  return sendBytes(reply, status, 'application/json', Buffer.from(JSON.stringify({ code, msg: message })))
}

/** Bytes, not text: a charset in the type makes the SDK miss the code of a refusal. */
function sendBytes(reply: FastifyReply, status: number, type: string, bytes: Buffer): FastifyReply {
  return reply.status(status).header('content-type', type).send(bytes)
}
