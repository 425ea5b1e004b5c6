import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A step as a collector was told of it. */
export interface ToldSpan {
  traceId: string
  spanId: string
  /** Empty for the first of a trace. */
  parentSpanId: string
  name: string
  failed: boolean
  attributes: Record<string, unknown>
}

export interface TraceCollector {
  url: string
  spans(): readonly ToldSpan[]
  /** Headers and bodies as they came. */
  requests: { authorization: string | undefined; body: string }[]
  close(): Promise<void>
}

interface Exported {
  resourceSpans: {
    scopeSpans: {
      spans: {
        traceId: string
        spanId: string
        parentSpanId?: string
        name: string
        status?: { code?: number }
        attributes: { key: string; value: Record<string, unknown> }[]
      }[]
    }[]
  }[]
}

const ERROR = 2

/** Takes OTLP over HTTP as JSON, in this process. */
export async function openTraceCollector(): Promise<TraceCollector> {
  const requests: TraceCollector['requests'] = []
  const spans: ToldSpan[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Exported
    if (request.method === 'POST' && request.url === '/v1/traces') {
      requests.push({ authorization: request.headers.authorization, body: JSON.stringify(body) })
      spans.push(...spansIn(body))
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function spansIn({ resourceSpans }: Exported): ToldSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId = '', name, status, attributes }) => ({
        traceId,
        spanId,
        parentSpanId,
        name,
        failed: status?.code === ERROR,
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      })),
    ),
  )
}
