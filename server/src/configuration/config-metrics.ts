import type { Secret } from '../platform/secrets/secret.ts'
import type { SettingName } from './settings.ts'

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
export function metricsConfigOf(
  text: (name: SettingName) => string | undefined,
  secret: (name: SettingName) => Secret | undefined,
): MetricsConfig {
  const port = text('METRICS_PORT')
  return Object.freeze<MetricsConfig>({
    refreshSeconds: Number(text('METRICS_REFRESH_SECONDS')),
    token: secret('METRICS_TOKEN'),
    port: port === undefined ? undefined : Number(port),
    project: text('METRICS_PROJECT') as string,
    region: text('METRICS_REGION') as string,
  })
}
