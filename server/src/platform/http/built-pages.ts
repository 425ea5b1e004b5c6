import { existsSync, mkdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import { answerUnknownByPage, type SendPage } from './known-paths.ts'
import { plainPage } from './plain-page.ts'
import { NOTHING_POLICY } from './security-headers.ts'
import type { Server } from './server.ts'

/**
 * Pages that a bundler has made: one HTML file for most of them, and files with names that change with their content.
 */
export interface BuiltPages {
  /** Where they lie; may be put in another's place while this runs. */
  folder: string
  /** Addresses of pages, in the form of the router; `/` is left to its own route, which calls `sendPage`. */
  paths: readonly string[]
  /** Of some of these addresses: the HTML file of their own, served as soon as a build has made it. */
  ownFiles: readonly { path: string; file: string }[]
  /** Files beside the HTML, by their addresses. */
  files: readonly string[]
  /** A script that stands between the pages and this server: it asks for what they ask for. */
  worker: string
  /** The content security policy of the pages. */
  policy: string
  /** What to say in place of a page while there is none. */
  missing: () => string | undefined
}

/** What the pages may ask a browser for; all other permissions are denied to every page. */
const PERMISSIONS = 'camera=(self), microphone=(self), display-capture=(self), geolocation=(), payment=()'
/** A browser holds a worker to the policy that its script came with. */
const WORKER_POLICY = `${NOTHING_POLICY}; connect-src 'self'`
const YEAR = 'public, max-age=31536000, immutable'
const LOOK_AGAIN_SECONDS = 2

/** Serves them. @returns what sends the page, for routes that do not always send it */
export async function serveBuiltPages(server: Server, pages: BuiltPages): Promise<SendPage> {
  // it is looked at before anything was ever built
  mkdirSync(pages.folder, { recursive: true })
  await server.register(fastifyStatic, {
    root: pages.folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
  })
  const sendPage = (reply: FastifyReply, own?: string) => {
    const missing = pages.missing()
    if (missing !== undefined) return sendMissing(reply, missing)
    reply.header('content-security-policy', pages.policy).header('permissions-policy', PERMISSIONS)
    // a browser that has kept a page which was not found would be told that it has not changed
    const keep = reply.statusCode === 404 ? 'no-store' : 'no-cache'
    const file = own !== undefined && existsSync(join(pages.folder, own)) ? own : 'index.html'
    return reply.header('cache-control', keep).sendFile(file)
  }
  answerUnknownByPage(server, sendPage)
  for (const path of pages.paths) {
    const own = pages.ownFiles.find((one) => one.path === path)?.file
    server.get(path, (_request, reply) => sendPage(reply, own))
  }
  server.get(pages.worker, (_request, reply) =>
    reply
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': WORKER_POLICY })
      .sendFile(pages.worker.slice(1)),
  )
  for (const path of pages.files)
    server.get(path, (_request, reply) => reply.header('cache-control', 'no-cache').sendFile(path.slice(1)))
  server.get<{ Params: { '*': string } }>('/assets/*', (request, reply) =>
    reply.header('cache-control', YEAR).sendFile(`assets/${request.params['*']}`),
  )
  return sendPage
}

/** The same, made from the sources again at each request, for their developers. */
export interface LivePages {
  paths: readonly string[]
  /** Beginnings of the addresses of what the pages load. */
  loads: readonly string[]
  page(path: string): Promise<string>
  answer(request: IncomingMessage, response: ServerResponse): void
}

/** Serves them, without a policy: the notices of changes come from another port, and what shows them is inline. */
export function serveLivePages(server: Server, pages: LivePages): SendPage {
  const sendPage = async (reply: FastifyReply) =>
    reply
      .removeHeader('content-security-policy')
      .type('text/html; charset=utf-8')
      .send(await pages.page(reply.request.url))
  answerUnknownByPage(server, sendPage)
  for (const path of pages.paths) server.get(path, (_request, reply) => sendPage(reply))
  for (const path of pages.loads)
    server.get(path.endsWith('/') ? `${path}*` : path, (request, reply) => {
      reply.hijack()
      pages.answer(request.raw, reply.raw)
    })
  return sendPage
}

/** The page reloads by itself. */
function sendMissing(reply: FastifyReply, sentence: string): FastifyReply {
  return reply
    .status(503)
    .headers({ 'retry-after': LOOK_AGAIN_SECONDS, refresh: LOOK_AGAIN_SECONDS })
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    .type('text/html; charset=utf-8')
    .send(
      plainPage({
        title: 'One moment · Atrium',
        style:
          'body{display:grid;place-content:center;min-height:90vh;margin:0 1.5rem;font-size:1.05rem;text-align:center}',
        body: `<main><h1>One moment</h1><p role="status">${sentence}</p></main>`,
      }),
    )
}
