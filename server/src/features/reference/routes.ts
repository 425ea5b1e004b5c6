import { operationEntries } from '@atrium/contract'
import { asyncApiDocument } from '@atrium/contract/asyncapi'
import { openApiDocument } from '@atrium/contract/openapi'
import { keepTexts } from '../../platform/http/kept-texts.ts'
import type { SendPage } from '../../platform/http/known-paths.ts'
import type { Server } from '../../platform/http/server.ts'
import { VERSION } from '../../platform/version.ts'
import { docsHeaders, docsPage } from './docs-page.ts'
import { renderFrontPage } from './front-page.ts'

export interface ReferenceNeeds {
  environment: string
  baseUrl: string
  /** WebSocket address of the broker, as clients are told it. */
  brokerUrl: string
  /** Where this server is its own front end: what a browser gets at `/`. */
  sendPage: SendPage | undefined
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** What a visitor of the office's address finds: what runs here, and the reference of its interface. */
export async function serveReference(server: Server, needs: ReferenceNeeds): Promise<void> {
  // written when they are first asked for: no start has to wait for them
  const document = once(() =>
    openApiDocument({ version: VERSION, serverUrl: needs.baseUrl }, operationsOf(needs.environment)),
  )
  const events = once(() => asyncApiDocument({ version: VERSION, serverUrl: needs.brokerUrl }))
  server.get('/', async (request, reply) => {
    reply.header('vary', 'origin, accept')
    if (prefersJson(request.headers.accept)) return { name: 'atrium', version: VERSION }
    if (needs.sendPage) return needs.sendPage(reply)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .send(renderFrontPage(needs))
  })
  await server.register(async (scope) => {
    keepTexts(scope)
    scope.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document()))
    scope.get('/asyncapi.json', async (_request, reply) => reply.type('application/json').send(events()))
    await serveDocs(scope, docsPageOf(needs.environment, document))
  })
}

/** The page as bytes, written when it is first asked for. */
function docsPageOf(environment: string, document: () => Buffer) {
  const isSandboxed = environment === 'production'
  let page: Buffer | undefined
  return {
    headers: docsHeaders(isSandboxed),
    bytes: () => {
      page ??= Buffer.from(docsPage(document().toString(), isSandboxed))
      return page
    },
  }
}

async function serveDocs(server: Server, page: ReturnType<typeof docsPageOf>): Promise<void> {
  server.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301))
  server.get('/docs/', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').headers(page.headers).send(page.bytes()),
  )
  let script: Promise<Buffer> | undefined
  server.get(SCRIPT_PATH, async (_request, reply) => {
    script ??= readScript()
    return (
      reply
        .type('text/javascript; charset=utf-8')
        // the page that loads it has an opaque origin in production
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(await script)
    )
  })
}

const SCRIPT_PATH = '/docs/js/scalar.js'

/**
 * Scalar's own script, by a server of its own that listens nowhere. With its libraries it is five megabytes, of which
 * most offices are never asked: no start waits for them, and no memory is taken before.
 */
async function readScript(): Promise<Buffer> {
  const [{ fastify }, { default: scalar }] = [
    await import('fastify'),
    await import('@scalar/fastify-api-reference'),
  ]
  const pages = fastify()
  await pages.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { rawPayload } = await pages.inject(SCRIPT_PATH)
  await pages.close()
  return rawPayload
}

/** Bytes, and always the same: text would be encoded again for every request, half a megabyte of it. */
function once(write: () => unknown): () => Buffer {
  let bytes: Buffer | undefined
  return () => {
    bytes ??= Buffer.from(JSON.stringify(write()))
    return bytes
  }
}

/** What does not exist in production is not in its document. */
function operationsOf(environment: string) {
  return operationEntries.filter(([, declared]) => environment !== 'production' || !declared.developmentOnly)
}

/** A program that wants JSON says so; a browser names text/html before everything else. */
function prefersJson(accept = ''): boolean {
  return accept.includes('application/json') && !accept.includes('text/html')
}
