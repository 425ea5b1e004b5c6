import type { IncomingHttpHeaders } from 'node:http'
import { pause } from '../timers.ts'
import { type Grants, grantsOf, type TokenKeys } from './access-tokens.ts'
import { MediaFault } from './api-messages.ts'
import { DISPATCH_METHODS } from './dispatch-methods.ts'
import { codecOf } from './twirp-codec.ts'
import { METHODS, type MethodNeeds } from './twirp-methods.ts'

export interface TwirpNeeds extends TokenKeys, MethodNeeds {}

/** `POST <prefix>/<service>/<method>`, as the listener has read it. */
export interface Call {
  service: string
  method: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Answer {
  status: number
  contentType: string
  body: Buffer
}

const SERVED = new Map([METHODS, DISPATCH_METHODS].flatMap((methods) => Object.entries(methods)))

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
 * The media server's API in both encodings of Twirp. It never rejects.
 * @returns undefined: the connection is to be cut without an answer
 */
export async function answerCall(needs: TwirpNeeds, call: Call): Promise<Answer | undefined> {
  const { calls, answerDelayMs } = needs.faults.current
  if (calls === 'refused') return undefined
  try {
    const answer = await carryOut(needs, call)
    if (answerDelayMs > 0) await pause(answerDelayMs)
    return needs.faults.current.calls === 'answer-lost' ? undefined : answer
  } catch (error) {
    return refusalOf(error)
  }
}

async function carryOut(needs: TwirpNeeds, call: Call): Promise<Answer> {
  const grants = await grantsIn(needs, call)
  if (!grants)
    return { status: 401, contentType: 'text/plain', body: Buffer.from('invalid authorization token') }
  const path = `${call.service}/${call.method}`
  const method = SERVED.get(path)
  if (!method) throw new MediaFault('bad_route', `no handler for path "/twirp/${path}"`)
  const codec = codecOf(call.headers['content-type'])
  if (isEncoded(call.headers)) throw new MediaFault('malformed', 'the request is compressed')
  const body = codec.read(method.request, call.body)
  if (!method.allows(grants, body)) throw new MediaFault('unauthenticated', 'permissions denied')
  const message = await method.answer(needs, body)
  return { status: 200, contentType: codec.contentType, body: codec.write(method.reply, message) }
}

/** As LiveKit judges them: a token that is shown has to be good, and a call without one has no rights. */
async function grantsIn(needs: TwirpNeeds, { headers }: Call): Promise<Grants | undefined> {
  const { authorization } = headers
  if (authorization === undefined) return NO_GRANTS
  const token = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? ''
  return await grantsOf(needs, token, needs.clock.now())
}

function isEncoded({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): boolean {
  return !['', 'identity'].includes(encoding.trim().toLowerCase())
}

/** A refusal, in JSON whatever the encoding of the call. */
export function refusalOf(error: unknown): Answer {
  const { status, code, message } =
    error instanceof MediaFault
      ? error
      : new MediaFault('internal', error instanceof Error ? error.message : '')
  const body = Buffer.from(JSON.stringify({ code, msg: message }))
  return { status, contentType: 'application/json', body }
}

/** Of a call with a body that is too long, or broke off. */
export function unreadableBody(): Answer {
  return refusalOf(new MediaFault('malformed', 'failed to read request body'))
}
