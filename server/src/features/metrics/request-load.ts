import type { NodeMetric } from '@atrium/contract'
import type { AnsweredRequest } from '../../platform/http/request-record.ts'
import { type Load, type LoadReport, loadTable } from '../../platform/metrics/load-table.ts'

/** What requests cost this node, by organization, by person and by operation, by ids alone. */
export interface RequestLoad {
  /** Called with every answered request: it waits for nothing, and keeps nothing of it. */
  note(answered: AnsweredRequest): void
  reports(): LoadReports
  /** @param orgIdOf the id that metrics know an organization by; one without is counted with the others */
  measures(orgIdOf: (organization: string) => string | undefined): OrganizationMeasure[]
}

export interface LoadReports {
  organizations: LoadReport
  /** Programs too, as `program 7`. */
  people: LoadReport
  operations: LoadReport
}

interface OrganizationMeasure {
  metric: NodeMetric
  value: number
  labels: { org_id: string }
}

const SHOWN = 10
/** The key of requests of which no organization was known: visitors, and sessions without an active one. */
export const NO_ORGANIZATION = 'none'
const NOBODY = 'nobody'
const OTHERS = 'others'

export function requestLoad(): RequestLoad {
  const [organizations, people, operations] = [loadTable(), loadTable(), loadTable()]
  const reports = () => ({
    organizations: organizations.report(SHOWN),
    people: people.report(SHOWN),
    operations: operations.report(SHOWN),
  })
  // one for all requests: a table copies what it keeps
  const load: Load = { requests: 1, refused: 0, ms: 0, waitedMs: 0, loopMs: 0 }
  return {
    note({ operation, status, seconds, waitedMs, loopMs, asker }) {
      load.refused = isRefusal(status) ? 1 : 0
      load.ms = seconds * 1_000
      load.waitedMs = waitedMs
      load.loopMs = loopMs
      organizations.add(asker?.organization ?? NO_ORGANIZATION, load)
      people.add(asker?.person ?? (asker?.program ? `program ${asker.program}` : NOBODY), load)
      operations.add(operation, load)
    },
    reports,
    measures(orgIdOf) {
      const { top, others, seconds } = organizations.report(SHOWN)
      const rest: Load = { ...others }
      const measures: OrganizationMeasure[] = []
      for (const { key, ...row } of top) {
        const orgId = key === NO_ORGANIZATION ? key : orgIdOf(key)
        if (orgId !== undefined) measures.push(...measuresOf(orgId, row, seconds))
        else for (const part of Object.keys(rest) as (keyof Load)[]) rest[part] += row[part]
      }
      return [...measures, ...measuresOf(OTHERS, rest, seconds)]
    },
  }
}

/** Turned away because of their number, or because there was no room for them. */
export function isRefusal(status: number): boolean {
  return status === 429 || status === 503
}

function measuresOf(orgId: string, load: Load, seconds: number): OrganizationMeasure[] {
  const labels = { org_id: orgId }
  return [
    { metric: 'organization_requests_per_second', value: load.requests / seconds, labels },
    { metric: 'organization_refusals_per_second', value: load.refused / seconds, labels },
    { metric: 'organization_waiting_ratio', value: load.waitedMs / 1_000 / seconds, labels },
    { metric: 'organization_event_loop_ratio', value: load.loopMs / 1_000 / seconds, labels },
  ]
}
