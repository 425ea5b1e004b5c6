import type { Secret } from '../platform/secrets/secret.ts'
import type { SettingReader } from './setting-reader.ts'

/** Of the metrics and the page that shows them. */
export interface MetricsConfig {
  refreshSeconds: number
  token: Secret | undefined
  /** Undefined: the path on the port of the office. */
  port: number | undefined
  project: string
  region: string
}

/** Reads it from settings that have been found right. */
export function metricsConfigOf(read: SettingReader): MetricsConfig {
  return Object.freeze<MetricsConfig>({
    refreshSeconds: read.number('METRICS_REFRESH_SECONDS'),
    token: read.secret('METRICS_TOKEN'),
    port: read.text('METRICS_PORT') === undefined ? undefined : read.number('METRICS_PORT'),
    project: read.known('METRICS_PROJECT'),
    region: read.known('METRICS_REGION'),
  })
}
