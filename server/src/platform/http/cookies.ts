import type { FastifyReply, FastifyRequest } from 'fastify'

export interface CookieOptions {
  /** Seconds the browser keeps it. */
  maxAgeSeconds: number
}

/**
 * The cookies of one request: what the browser sent, and what it shall keep. All of ours are HttpOnly and
 * SameSite=Lax; where the office is reached by https they are Secure and carry the `__Host-` prefix, so that
 * no other host of the domain can set them.
 */
export interface Cookies {
  read(name: string): string | undefined
  /** Whether the browser sent one with this beginning of its name. */
  hasAny(prefix: string): boolean
  write(name: string, value: string, options: CookieOptions): void
  remove(name: string): void
}

/** A value as it was sent: in quotes or not (RFC 6265, 4.1.1; some clients put them around every value), percent-encoded. */
export function cookieValueOf(sent: string): string {
  const isQuoted = sent.length > 1 && sent.startsWith('"') && sent.endsWith('"')
  const bare = isQuoted ? sent.slice(1, -1) : sent
  if (!bare.includes('%')) return bare
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

/** @param secure whether the office is reached by https */
export function cookiesOf(request: FastifyRequest, reply: FastifyReply, secure: boolean): Cookies {
  const fullName = (name: string) => (secure ? `__Host-${name}` : name)
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return {
    read: (name) => request.cookies[fullName(name)],
    hasAny: (prefix) => Object.keys(request.cookies).some((name) => name.startsWith(fullName(prefix))),
    write: (name, value, options) => {
      reply.setCookie(fullName(name), value, { ...attributes, maxAge: options.maxAgeSeconds })
    },
    remove: (name) => {
      reply.clearCookie(fullName(name), attributes)
    },
  }
}
