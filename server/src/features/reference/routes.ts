import { operationEntries } from '@atrium/contract'
import { asyncApiDocument } from '@atrium/contract/asyncapi'
import { openApiDocument } from '@atrium/contract/openapi'
import { keepTexts } from '../../platform/http/kept-texts.ts'
import type { SendPage } from '../../platform/http/known-paths.ts'
import type { Server } from '../../platform/http/server.ts'
import { VERSION } from '../../platform/version.ts'
import { accessibleDocs, DOCS_STYLE } from './accessible-docs.ts'
import { renderFrontPage } from './front-page.ts'

export interface ReferenceNeeds {
  environment: string
  baseUrl: string
  /** WebSocket address of the broker, as clients are told it. */
  brokerUrl: string
  /** Where this server is its own front end: what a browser gets at `/`. */
  sendPage: SendPage | undefined
}

/** The page of Scalar brings its own script and styles, all from this server. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** What somebody who opens the office's address finds: what runs here, and the reference of its interface. */
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
    // before they are kept: hooks of a scope run before those of the scopes within
    scope.addHook('onSend', async ({ routeOptions }, _reply, payload) =>
      routeOptions.url === '/docs/' && Buffer.isBuffer(payload)
        ? accessibleDocs(payload.toString())
        : payload,
    )
    keepTexts(scope)
    scope.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document()))
    scope.get('/asyncapi.json', async (_request, reply) => reply.type('application/json').send(events()))
    await serveDocs(scope)
  })
}

async function serveDocs(server: Server): Promise<void> {
  let read: ReturnType<typeof readDocs> | undefined
  await server.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', DOCS_POLICY)
    })
    scope.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301))
    for (const path of ['/docs/', '/docs/js/scalar.js']) {
      scope.get(path, async (_request, reply) => {
        read ??= readDocs()
        const { type, bytes } = await (await read)(path)
        return reply.type(type).send(bytes)
      })
    }
  })
}

/**
 * What Scalar answers, by a server of its own that listens nowhere. With its libraries it is five megabytes, of which
 * most offices are never asked: no start waits for them, and no memory is taken before.
 */
async function readDocs(): Promise<(path: string) => Promise<DocsFile>> {
  const [{ fastify }, { default: scalar }] = [
    await import('fastify'),
    await import('@scalar/fastify-api-reference'),
  ]
  const pages = fastify()
  await pages.register(scalar, {
    routePrefix: '/docs',
    // Nothing that would lead to, or ask, a service outside.
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Atrium: reference',
      customCss: DOCS_STYLE,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  const files = new Map<string, Promise<DocsFile>>()
  const make = async (path: string) => {
    const { headers, rawPayload } = await pages.inject(path)
    return { type: String(headers['content-type']), bytes: rawPayload }
  }
  return (path) => {
    const file = files.get(path) ?? make(path)
    files.set(path, file)
    return file
  }
}

interface DocsFile {
  type: string
  bytes: Buffer
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
