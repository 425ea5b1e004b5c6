import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from '../../platform/log.ts'
import type { Secret } from '../../platform/secrets/secret.ts'
import { settledWithin } from '../../platform/timing/pause.ts'
import type { Span, SpanStart, Tracer } from '../../platform/trace.ts'
import { headersOf } from './collector-headers.ts'

export interface OpenTelemetryOptions {
  /** Of a collector that takes OTLP over HTTP, without its path. */
  endpoint: string
  headers: Secret | undefined
  serviceName: string
  version: string
  /** Of a hundred traces that begin here. */
  samplePercent: number
  log: Pick<Log, 'warn'>
}

const KINDS: Record<SpanStart['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}
const CLOSE_WITHIN_MS = 3_000
const EXPORT_WITHIN_MS = 10_000
/** A trace can be found right after its request; the SDK would wait for five seconds. */
const TELL_EVERY_MS = 1_000
/** Told in batches; with more under way than this, further ones are dropped rather than kept in memory. */
const QUEUED_MAX = 8_192

/**
 * Tells what is traced to a collector, by OpenTelemetry's SDK. Nothing waits for the collector, and its failures harm
 * no request.
 */
export function openTelemetry(options: OpenTelemetryOptions): { tracer: Tracer; close(): Promise<void> } {
  tellFailures(options.log)
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint}/v1/traces`,
    headers: headersOf(options.headers),
    timeoutMillis: EXPORT_WITHIN_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.version,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.samplePercent / 100) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: QUEUED_MAX,
        scheduledDelayMillis: TELL_EVERY_MS,
        exportTimeoutMillis: EXPORT_WITHIN_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('atrium', options.version)
  return {
    tracer: {
      begin({ name, kind, attributes = {} }, parent) {
        const context = parent === undefined ? ROOT_CONTEXT : contextOf(parent)
        return spanOf(tracer.startSpan(name, { kind: KINDS[kind], attributes }, context))
      },
    },
    async close() {
      await settledWithin(CLOSE_WITHIN_MS, provider.shutdown()).catch(() => undefined)
      diag.disable()
    },
  }
}

function spanOf(span: ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    add(attributes) {
      span.setAttributes(attributes)
    },
    end(error) {
      if (error !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        // never its message: it may repeat user input
        span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
      }
      span.end()
    },
  }
}

function contextOf(traceparent: string): Context {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-')
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, remote)
}

/** What the SDK says may hold the address and the answer of the collector: the log tells only that. */
function tellFailures(log: Pick<Log, 'warn'>): void {
  const fault = new Error('the collector does not take them')
  fault.stack = ''
  const failed = () => log.warn({ err: fault }, 'traces are lost')
  const nothing = () => undefined
  diag.setLogger(
    { error: failed, warn: failed, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
}
