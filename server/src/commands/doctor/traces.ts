import { headersOf } from '../../adapters/open-telemetry/collector-headers.ts'
import type { Config } from '../../configuration/config.ts'
import type { Finding } from './realtime.ts'
import { reasonOf } from './reason.ts'

const ANSWER_WITHIN_MS = 5_000

/** Whether the collector takes what it is told: no trace at all, of which it has nothing to keep. */
export async function lookAtCollector({ traces }: Config): Promise<Finding[]> {
  if (!traces) return []
  const part = 'traces'
  const url = `${traces.endpoint}/v1/traces`
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(traces.headers) },
      body: JSON.stringify({ resourceSpans: [] }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    await response.body?.cancel()
    if (response.ok) return [{ part, ok: true, says: `the collector at ${traces.endpoint} takes them` }]
    const settings = [401, 403].includes(response.status)
      ? 'OTEL_EXPORTER_OTLP_HEADERS'
      : 'OTEL_EXPORTER_OTLP_ENDPOINT'
    return [
      { part, ok: false, says: `${url} answers ${response.status}: traces are lost. Check ${settings}.` },
    ]
  } catch (error) {
    const says = `the collector at ${traces.endpoint} cannot be reached: ${reasonOf(error)}. Traces are lost. Check OTEL_EXPORTER_OTLP_ENDPOINT.`
    return [{ part, ok: false, says }]
  }
}
