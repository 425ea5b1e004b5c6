import { nodeMetrics, officeMetrics } from '@atrium/contract'
import type { Config } from '../configuration/config.ts'
import { refreshJob } from '../features/metrics/refresh.ts'
import { type MetricsAccess, metricsPage } from '../features/metrics/routes.ts'
import type { Job } from '../platform/background/jobs.ts'
import { readOutboxBacklog } from '../platform/background/outbox.ts'
import type { Db } from '../platform/database/database.ts'
import { isLoopback } from '../platform/http/loopback.ts'
import type { MachineRoutes } from '../platform/http/machine-routes.ts'
import { type NodePage, openNodePage } from '../platform/metrics/node-page.ts'
import { type OfficePage, openOfficePage } from '../platform/metrics/office-page.ts'
import { labelText } from '../platform/metrics/tally.ts'
import { timeOutsideCalls } from '../platform/outside/outside.ts'
import type { Databases } from './databases.ts'
import type { OfficeNotifications } from './notifications.ts'
import type { Opening, Part } from './part.ts'

export interface Metrics extends Part {
  needs: Record<string, never>
  /** What other parts count in the memory of this node. */
  nodePage: NodePage
  /** `GET /metrics`: among the machine routes, where it has no port of its own. */
  page: MachineRoutes
}

const BACKLOG_EVERY_MS = 5_000

/** The metrics of this node and of the whole office. */
export async function openMetrics(
  { config, clock, log, stack }: Opening,
  { databases, notifications }: { databases: Databases; notifications: OfficeNotifications },
): Promise<Metrics> {
  const { mediaEvents: db } = databases
  const constant = { project: config.metrics.project, region: config.metrics.region }
  const nodePage = await openNodePage(nodeMetrics, constant)
  stack.defer(() => nodePage.close())
  const timing = timeOutsideCalls(({ provider, action }, seconds, succeeded) => {
    const outcome = succeeded ? 'ok' : 'failed'
    nodePage.observe('outside_call_seconds', seconds, { provider, action, outcome })
  })
  stack.defer(() => timing.close())
  const started = Promise.withResolvers<OfficePage>()
  const page = metricsPage({
    officePage: { current: async () => (await started.promise).current() },
    nodePage,
    access: metricsAccessOf(config),
  })
  return {
    needs: {},
    nodePage,
    page,
    jobs: [refreshJob({ db, clock }, config.metrics.refreshSeconds), backlogJob(db, nodePage)],
    machineRoutes: config.metrics.port === undefined ? [page] : [],
    start(running) {
      const officePage = openOfficePage({
        ...{ db, log, notifications },
        families: officeMetrics,
        constant: labelText(constant),
      })
      running.defer(() => officePage.close())
      started.resolve(officePage)
    },
  }
}

/** Who may read the metrics by the settings. */
export function metricsAccessOf({
  host,
  metrics: { token, port },
}: Pick<Config, 'host' | 'metrics'>): MetricsAccess {
  if (port !== undefined) return { token, withoutToken: 'whoever-reaches-it' }
  return { token, withoutToken: isLoopback(host) ? 'this-machine' : 'nobody' }
}

function backlogJob(db: Db, nodePage: NodePage): Job {
  return {
    name: 'measure-outbox',
    everyMs: BACKLOG_EVERY_MS,
    scope: 'node',
    async run() {
      const { pending, oldestSeconds } = await readOutboxBacklog(db)
      nodePage.set('realtime_outbox_pending', pending)
      nodePage.set('realtime_outbox_oldest_seconds', oldestSeconds)
    },
  }
}
