import type { Metric } from '@atrium/contract'
import type { Generator } from './generator.ts'

const INTRODUCTION = `<!-- Generated from contract/metrics.ts by \`npm run generate\`: do not edit. -->

# Metrics

\`GET /metrics\` answers in the Prometheus text format 0.0.4. Nothing is computed for a scrape: the text is there already.
A node whose database has been silent since its start answers with its own series alone, after three seconds.
All series carry \`project\` (METRICS_PROJECT) and \`region\` (METRICS_REGION); those of organizations also \`org_id\`, which
\`rtc_org_info\` gives a name. Only organizations where something has happened have series. The collector's
configuration, alerts and two dashboards are in \`deploy/prometheus\` and \`deploy/grafana\`.
`

const OFFICE = `
## Of the office

Kept in the database: they survive restarts, and every node shows the same. Over several nodes take
\`max without (instance)\`, never a sum. Gauges are sizes of sets that are keyed by the media server's own ids, so what is
told twice, late or in disorder changes nothing; \`MEDIA_SWEEP_SECONDS\` compares them with the media server's lists.
Guests count from the moment they are admitted, recorders and agents never.

`

const NODE = `
## Of one node

In its memory: they begin anew when it starts. No label is ever taken from a request: there are as many series as there are
operations, routes, pools, jobs and queues.

`

/** `docs/metrics.md`: every metric there is. */
export function metricsReference(office: readonly Metric[], node: readonly Metric[]): Generator {
  return {
    path: 'docs/metrics.md',
    make: () => INTRODUCTION + OFFICE + tableOf(office) + NODE + tableOf(node),
  }
}

function tableOf(metrics: readonly Metric[]): string {
  const rows = metrics.map(({ name, type, labels, tenant, help, updated, buckets }) => {
    const own = [...(tenant ? ['org_id'] : []), ...labels].map((label) => `\`${label}\``).join(', ')
    const bounds = buckets ? ` Buckets: ${buckets.join(', ')}.` : ''
    return `| \`${name}\` | ${type} | ${own} | ${help}${bounds} | ${updated} |`
  })
  return ['| metric | type | labels | meaning | updated by |', '|---|---|---|---|---|', ...rows, ''].join(
    '\n',
  )
}
