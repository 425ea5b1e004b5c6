import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLoopback } from '../../platform/http/connections/loopback.ts'
import type { MachineRoutes } from '../../platform/http/machine-routes.ts'
import type { NodePage } from '../../platform/metrics/node-page.ts'
import type { OfficePage } from '../../platform/metrics/office-page.ts'
import { gzipOf, pagePart } from '../../platform/metrics/page-part.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Secret } from '../../platform/secrets/secret.ts'
import { secretCheck } from '../../platform/secrets/secret.ts'
import { webAddress } from '../../platform/text/unicode.ts'
import { settledWithin } from '../../platform/timing/pause.ts'
import { NODE_REPORT_PATH, type NodeReport } from './node-report.ts'

export interface MetricsPageNeeds {
  officePage: Pick<OfficePage, 'current'>
  nodePage: Pick<NodePage, 'current'>
  nodeReport: () => NodeReport
  access: MetricsAccess
}

export interface MetricsAccess {
  /** Bearer token. One that is set is always wanted. */
  token: Secret | undefined
  /** Who may read where there is none, each of them directly and through no proxy. */
  withoutToken: 'this-machine' | 'whoever-reaches-it' | 'nobody'
}

/**
 * Waited for the first reading of the office's series. A database that is silent then is just what the node's own series
 * tell of: they do not wait for it.
 */
const OFFICE_WITHIN_MS = 3_000
const NOT_READ_YET = pagePart('')

/** A sender of one of these speaks for another client. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
]

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const BEARER = /^Bearer +(\S+)$/i

/**
 * `GET /metrics` in the Prometheus text format. Two parts, sent one after the other as they are: one of the whole
 * office, already rendered, and one of this node, which is short and made at most once a second.
 * `GET /metrics/node`, for the same readers: what this node tells its operator of itself, as JSON.
 */
export function metricsPage({ officePage, nodePage, nodeReport, access }: MetricsPageNeeds): MachineRoutes {
  const isToken = access.token && secretCheck(access.token)
  const mayRead = ({ headers }: FastifyRequest) => {
    if (!isToken) return mayReadWithoutToken(access, headers)
    const bearer = BEARER.exec(headers.authorization ?? '')?.[1]
    return bearer !== undefined && isToken(bearer)
  }
  const requireReader = (request: FastifyRequest) => {
    if (mayRead(request)) return
    throw Refusal.of('unauthenticated', { message: 'The metrics token is missing or wrong' })
  }
  return {
    prefix: '/metrics',
    addTo(server) {
      server.get('/metrics', async (request, reply) => {
        requireReader(request)
        const [office = NOT_READ_YET, node] = await Promise.all([
          settledWithin(OFFICE_WITHIN_MS, officePage.current()),
          nodePage.current(),
        ])
        return acceptsGzip(request)
          ? send(reply, gzipOf(office, node), 'gzip')
          : send(reply, [office.plain, node.plain], 'plain')
      })
      server.get(NODE_REPORT_PATH, async (request, reply) => {
        requireReader(request)
        return reply.header('cache-control', 'no-store').send(nodeReport())
      })
    },
  }
}

function mayReadWithoutToken({ withoutToken }: MetricsAccess, headers: IncomingHttpHeaders): boolean {
  if (withoutToken === 'nobody') return false
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return false
  return withoutToken === 'whoever-reaches-it' || namesThisMachine(headers.host)
}

/** A silent proxy, or a page that made its name lead here, asks by another name. */
function namesThisMachine(host: string | undefined): boolean {
  const url = host === undefined ? undefined : webAddress(`http://${host}`)
  return url !== undefined && isLoopback(url.hostname)
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  const accepted = headers['accept-encoding']
  return typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted)
}

/** Past the framework, which would put the parts together first. */
function send(reply: FastifyReply, parts: readonly Uint8Array[], form: 'gzip' | 'plain'): FastifyReply {
  reply.hijack()
  const response = reply.raw
  response.writeHead(200, {
    'content-type': CONTENT_TYPE,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    'content-length': parts.reduce((length, part) => length + part.byteLength, 0),
    ...(form === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
  })
  response.cork()
  for (const part of parts) response.write(part)
  response.end()
  return reply
}
