import type { Secret } from '../platform/secrets/secret.ts'
import type { SettingReader } from './setting-reader.ts'

/** Where the steps of requests are told, in the words of OpenTelemetry. */
export interface TracesConfig {
  /** Of a collector that takes OTLP over HTTP, without its path. */
  endpoint: string
  /** `name=value`, separated by commas. */
  headers: Secret | undefined
  serviceName: string
  /** Of a hundred traces that begin here, so many are told. */
  samplePercent: number
}

/** Reads it from settings that have been found right. */
export function tracesConfigOf(read: SettingReader): TracesConfig | undefined {
  const endpoint = read.address('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === undefined) return undefined
  return Object.freeze<TracesConfig>({
    endpoint,
    headers: read.secret('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: read.known('OTEL_SERVICE_NAME'),
    samplePercent: read.number('TRACES_SAMPLE_PERCENT'),
  })
}
