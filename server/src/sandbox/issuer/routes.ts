import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Server } from '../../platform/http/server.ts'
import { renderLogin } from './login-page.ts'
import type { MountedIssuer } from './open-issuer.ts'

export interface IssuerRoutes {
  /** Last part of its address: `/sandbox/<name>`. */
  name: string
  baseUrl: string
  issuer: () => Promise<MountedIssuer>
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  // No form-action: where the browser goes after the form is the office's front end, wherever that is.
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}
const FORM_BYTES_MAX = 4_096
/** Loose: it stands for strangers' addresses, which the office has to judge itself. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/

/** One issuer under `/sandbox/<name>`: the protocol by the library, the login page by us. */
export function serveIssuer(server: Server, { name, baseUrl, issuer }: IssuerRoutes): void {
  const mount = `/sandbox/${name}`
  server.register(async (scope) => {
    // The library reads bodies itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.removeContentTypeParser('application/json')

    scope.get(`${mount}/login/:uid`, async (request, reply) => {
      const login = await (await issuer()).loginOf(underName(request, baseUrl), reply.raw)
      reply.headers(PAGE_HEADERS)
      if (!login) return reply.status(400).send(renderLogin({ name, problem: 'This sign-in has expired.' }))
      return reply.send(renderLogin({ name, email: login.loginHint ?? '', asksConsent: login.asksConsent }))
    })
    scope.post(`${mount}/login/:uid`, (request, reply) =>
      takeLogin(request, reply, { name, baseUrl, issuer }),
    )
    scope.route({
      method: ['GET', 'POST'],
      url: `${mount}/*`,
      handler: (request, reply) => passOn(request, reply, { mount, baseUrl, issuer }),
    })
  })
}

async function takeLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, baseUrl, issuer }: IssuerRoutes,
): Promise<FastifyReply | undefined> {
  const { email, refused } = await readForm(request.raw)
  const open = await issuer()
  const raw = underName(request, baseUrl)
  const login = await open.loginOf(raw, reply.raw)
  if (!login)
    return reply
      .status(400)
      .headers(PAGE_HEADERS)
      .send(renderLogin({ name, problem: 'This sign-in has expired.' }))
  if (refused && login.asksConsent) {
    reply.hijack()
    await open.refuseLogin(raw, reply.raw)
    return undefined
  }
  if (!ADDRESS.test(email))
    return reply
      .status(400)
      .headers(PAGE_HEADERS)
      .send(
        renderLogin({
          name,
          email,
          asksConsent: login.asksConsent,
          problem: 'Type an address: name@example.com',
        }),
      )
  reply.hijack()
  await open.finishLogin(raw, reply.raw, email)
  return undefined
}

async function passOn(
  request: FastifyRequest,
  reply: FastifyReply,
  { mount, baseUrl, issuer }: Omit<IssuerRoutes, 'name'> & { mount: string },
): Promise<undefined> {
  reply.hijack()
  const raw = underName(request, baseUrl) as IncomingMessage & { originalUrl?: string }
  // The library finds its mount point in the difference of these two.
  raw.headers.cookie = withoutSessions(raw.headers.cookie)
  raw.url = withoutPrompt(raw.url ?? '')
  raw.originalUrl = raw.url
  raw.url = raw.url.slice(mount.length)
  await (await issuer()).handle(raw, reply.raw)
  return undefined
}

/** The library makes its links from these headers: they are set to what the office is called, for every request. */
function underName(request: FastifyRequest, baseUrl: string): IncomingMessage {
  const { host, protocol } = new URL(baseUrl)
  request.raw.headers.host = host
  request.raw.headers['x-forwarded-host'] = host
  request.raw.headers['x-forwarded-proto'] = protocol.replace(':', '')
  return request.raw
}

/** No one stays signed in: the library would want to sign the one before out first, by a page with a script. */
function withoutSessions(cookies = ''): string {
  return cookies
    .split('; ')
    .filter((cookie) => !/^_session\b/.test(cookie))
    .join('; ')
}

/** There is one page for everything, and it comes every time: the library need not know that it was asked for. */
function withoutPrompt(address: string): string {
  return address.replace(/&prompt=[^&]*|(?<=\?)prompt=[^&]*&?/, '')
}

async function readForm(request: IncomingMessage): Promise<{ email: string; refused: boolean }> {
  let form = ''
  for await (const chunk of request) {
    form += String(chunk)
    if (form.length > FORM_BYTES_MAX) return { email: '', refused: false }
  }
  const fields = new URLSearchParams(form)
  return { email: fields.get('email')?.trim().toLowerCase() ?? '', refused: fields.get('answer') === 'no' }
}
