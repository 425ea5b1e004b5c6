import type { FastifyReply } from 'fastify'

/** Fastify hangs up on a body that is too large; a client that is still writing would never see why. */
export function keepListening(reply: FastifyReply): void {
  reply.removeHeader('connection')
}
