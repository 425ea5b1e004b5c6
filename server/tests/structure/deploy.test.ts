import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Metric, nodeMetrics, officeMetrics } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'deploy/: alerts and dashboards ask for what docs/metrics.md has'
const ALERTS = 'deploy/prometheus/alerts.yml'
const ALERTS_OF_PARTS = 'deploy/prometheus/alerts-of-parts.yml'
const DASHBOARDS = 'deploy/grafana'

interface Rule {
  alert: string
  expr: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

interface Dashboard {
  uid: string
  panels: { id: number; title: string; targets: { expr: string; datasource: { uid: string } }[] }[]
}

const rules = [ALERTS, ALERTS_OF_PARTS].flatMap((file) =>
  (parse(readFileSync(join(ROOT, file), 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
    (group) => group.rules,
  ),
)
const dashboards = readdirSync(join(ROOT, DASHBOARDS)).map((name) => {
  const file = join(DASHBOARDS, name)
  return { file, dashboard: JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Dashboard }
})
/** All names that can stand in a query: histograms have three names. */
const labelsOfSeries = new Map<string, ReadonlySet<string>>(
  ([...officeMetrics, ...nodeMetrics] as readonly Metric[]).flatMap(({ name, type, labels, tenant }) => {
    const own = new Set([
      ...labels,
      ...(tenant ? ['org_id'] : []),
      'instance',
      'service',
      'region',
      'project',
    ])
    if (type !== 'histogram') return [[name, own] as const]
    return ['bucket', 'sum', 'count'].map((part) => [`${name}_${part}`, new Set([...own, 'le'])] as const)
  }),
)
/** The collector's own, and those of other parts: Centrifugo, LiveKit, the exporters of PostgreSQL and of Redis. */
const OTHERS = new Map([
  ['up', new Set(['instance', 'service'])],
  ...[
    ...['pg_up', 'pg_stat_activity_count', 'pg_settings_max_connections', 'pg_replication_lag_seconds'],
    ...['redis_up', 'redis_memory_used_bytes', 'centrifugo_node_num_clients'],
    ...['livekit_room_total', 'livekit_participant_total'],
  ].map((name) => [name, new Set(['instance', 'service'])] as const),
])

/** Names of metrics have an underscore, and neither a bracket nor a label's comparison behind them. */
function unknownIn(query: string): string[] {
  const bare = query.replaceAll(/"[^"]*"/g, '""').replaceAll(/\b(by|without|on|group_left)\s*\([^)]*\)/g, '')
  const used = [...bare.matchAll(/\b([a-z]\w*_\w+|up)\b(?!\s*(?:\(|=|!))(?:\{([^}]*)\})?/g)]
  return used.flatMap(([, name = '', matchers = '']) => {
    const labels = labelsOfSeries.get(name) ?? OTHERS.get(name)
    if (!labels) return [name]
    const names = [...matchers.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label = '']) => label)
    return names.filter((label) => !labels.has(label)).map((label) => `${name}{${label}}`)
  })
}

describe('what an operator imports', () => {
  it('asks for series that there are, with labels that they have', () => {
    const violations: Violation[] = []
    for (const { alert, expr } of rules)
      for (const found of unknownIn(expr)) violations.push({ path: ALERTS, what: `${alert}: ${found}` })
    for (const { file, dashboard } of dashboards)
      for (const { title, targets } of dashboard.panels)
        for (const { expr } of targets)
          for (const found of unknownIn(expr)) violations.push({ path: file, what: `${title}: ${found}` })
    expectNone(RULE, violations)
    expect(unknownIn('sum by (x_y) (no_such_metric{a="b_c"}) > jobs_leader{pool="a"}')).toEqual([
      'no_such_metric',
      'jobs_leader{pool}',
    ])
  })

  it('alerts by names of their own, with a severity, and with documents that are there', () => {
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    for (const { alert, labels, annotations } of rules) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)])
      expect([alert, annotations.summary]).toEqual([alert, expect.stringMatching(/\S/)])
      for (const [path] of (annotations.description ?? '').matchAll(/\bdocs\/[\w./-]+\.md\b/g))
        expect([path, existsSync(join(ROOT, path))]).toEqual([path, true])
    }
  })

  it('leads from each alert to a page of what to do, and has no page without its alert', () => {
    const page = 'docs/operations/alerts.md'
    const headings = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^## (\w+)$/gm)].map(
      ([, name]) => name,
    )
    expect(headings.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`${page}#${alert.toLowerCase()}`)
  })

  it('goes off at all that stops people', () => {
    const names = new Set(rules.map(({ alert }) => alert))
    for (const needed of [
      ...['Down', 'Errors', 'Slow', 'NobodySignsIn', 'MailFails', 'JobsWithoutLeader', 'JobFails'],
      ...['DiskFull', 'FilesFull', 'OutboxStuck', 'WorkGivenUp', 'WorkLate', 'CertificateExpires'],
    ])
      expect(names.has(`Atrium${needed}`), needed).toBe(true)
  })

  it('is dashboards of which each panel has an id of its own and takes the source that is chosen', () => {
    expect(new Set(dashboards.map(({ dashboard }) => dashboard.uid)).size).toBe(dashboards.length)
    for (const { dashboard } of dashboards) {
      const ids = dashboard.panels.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { targets } of dashboard.panels)
        for (const { datasource } of targets) expect(datasource.uid).toBe('$' + '{datasource}')
    }
  })
})

describe('the compose file', () => {
  it('has a collector that asks for every part by a name that is served, or by its exporter', () => {
    const collector = parse(readFileSync(join(ROOT, 'deploy/compose/prometheus.yml'), 'utf8')) as {
      rule_files: string[]
      scrape_configs: {
        static_configs?: { targets: string[] }[]
        dns_sd_configs?: { names: string[]; port: number }[]
      }[]
    }
    for (const file of collector.rule_files) expect(existsSync(join(ROOT, 'deploy/compose', file))).toBe(true)
    const targets = collector.scrape_configs.flatMap(({ static_configs = [], dns_sd_configs = [] }) => [
      ...static_configs.flatMap(({ targets }) => targets),
      ...dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
    ])
    const livekit = parse(readFileSync(join(ROOT, 'deploy/livekit/livekit.yaml'), 'utf8')) as {
      prometheus: { port: number }
    }
    const centrifugo = JSON.parse(readFileSync(join(ROOT, 'deploy/centrifugo/config-v5.json'), 'utf8')) as {
      prometheus: boolean
      internal_port: string
    }
    expect(centrifugo.prometheus).toBe(true)
    expect(targets.toSorted()).toEqual(
      [
        `atrium:${services.atrium.environment.METRICS_PORT}`,
        `centrifugo:${centrifugo.internal_port}`,
        `livekit:${livekit.prometheus.port}`,
        'postgres-exporter:9187',
        'redis-exporter:9121',
      ].toSorted(),
    )
  })

  interface Service {
    environment: Record<string, string>
    networks: readonly string[] | Record<string, unknown>
  }
  const { services, networks } = parse(readFileSync(join(ROOT, 'deploy/compose/compose.yaml'), 'utf8'), {
    merge: true,
  }) as {
    services: Record<'proxy' | 'atrium', Service>
    networks: Record<string, { ipam?: { config: { subnet: string }[] } } | null>
  }
  const networksOf = ({ networks: joined }: Service) => (Array.isArray(joined) ? joined : Object.keys(joined))

  it('lets the proxy reach the nodes by one network alone, which is the one that they believe', () => {
    const shared = networksOf(services.proxy).filter((one) => networksOf(services.atrium).includes(one))
    expect(shared).toHaveLength(1)
    const [network = ''] = shared
    expect(networks[network]?.ipam?.config[0]?.subnet).toBe(services.atrium.environment.TRUST_PROXY)
  })
})
