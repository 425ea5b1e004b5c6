import { type Metric, nodeMetrics, officeMetrics } from '@atrium/contract'
import type { Config } from '../../configuration/config.ts'
import { nameOrganizations } from '../../features/metrics/name-organizations.ts'
import type { NodeReport, QueueReport } from '../../features/metrics/node-report.ts'
import { refreshJob } from '../../features/metrics/refresh.ts'
import { isRefusal, type RequestLoad, requestLoad } from '../../features/metrics/request-load.ts'
import { type MetricsAccess, metricsPage } from '../../features/metrics/routes.ts'
import { readWorkBacklog } from '../../platform/background/dead-work.ts'
import type { Job } from '../../platform/background/jobs.ts'
import { readOutboxBacklog } from '../../platform/background/outbox.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { isLoopback } from '../../platform/http/connections/loopback.ts'
import type { MachineRoutes } from '../../platform/http/machine-routes.ts'
import type { AnsweredRequest } from '../../platform/http/request-record.ts'
import { type NodePage, openNodePage } from '../../platform/metrics/node-page.ts'
import { type OfficePage, openOfficePage } from '../../platform/metrics/office-page.ts'
import { processFacts } from '../../platform/metrics/process-facts.ts'
import { labelText } from '../../platform/metrics/tally.ts'
import { openFilesMax } from '../../platform/open-files.ts'
import { watchCertificates } from '../../platform/outside/certificates.ts'
import { watchLeftOut } from '../../platform/outside/left-out.ts'
import { timeOutsideCalls } from '../../platform/outside/outside.ts'
import { watchUnreached } from '../../platform/outside/unreached.ts'
import { repeatedFaults } from '../../platform/repeated-faults.ts'
import { VERSION } from '../../platform/version.ts'
import type { Opening, Part } from '../part.ts'
import type { Databases } from './platform/databases.ts'
import type { OfficeNotifications } from './platform/notifications.ts'
import type { OfficeWork } from './platform/work.ts'

export interface Metrics extends Part {
  needs: Record<string, never>
  /** What other parts count in the memory of this node. */
  nodePage: NodePage
  /** Of the whole office; waits for its start. */
  officePage: Pick<OfficePage, 'current'>
  /** `GET /metrics`: among the machine routes, where it has no port of its own. */
  page: MachineRoutes
  /** Told of every answered request. */
  noteAnswered(answered: AnsweredRequest): void
  /** Told of a proxy that speaks for others and is not believed. */
  noteUntrustedProxy(address: string): void
}

const MEASURE_EVERY_MS = 5_000
/** A calendar with an odd event is read again and again. */
const LEFT_OUT_TOLD_EVERY_MS = 60_000

/**
 * The metrics of this node and of the whole office.
 * @param parts all of the office; those that are opened later too
 */
export async function openMetrics(
  opening: Opening,
  parts: readonly Part[],
  given: { databases: Databases; notifications: OfficeNotifications; work: OfficeWork },
): Promise<Metrics> {
  const { config, clock, log } = opening
  const { notifications, work, databases } = given
  const db = databases.mediaEvents
  const constant = { project: config.metrics.project, region: config.metrics.region }
  const nodePage = openThisNode(opening, constant)
  const unreached = watchOutside(opening, nodePage)
  const load = requestLoad()
  const organizations = nameOrganizations(db, load)
  const untrustedProxies = new Set<string>()
  const backlog: Backlog = { outbox: { pending: 0, oldestSeconds: 0 }, queues: [] }
  const nodeReport = (): NodeReport => ({
    load: reportLoad(load, organizations),
    ...backlog,
    waitingForDatabase: databases.pool.waitingCount,
    untrustedProxies: [...untrustedProxies],
    unreached: unreached.list(),
  })
  const started = Promise.withResolvers<OfficePage>()
  const officePage = { current: async () => (await started.promise).current() }
  const page = metricsPage({ officePage, nodePage, nodeReport, access: metricsAccessOf(config) })
  return {
    needs: {},
    ...{ nodePage, officePage, page },
    noteAnswered: (answered) => noteAnswered(answered, load, nodePage),
    noteUntrustedProxy: (address) => void untrustedProxies.add(address),
    measures: () => load.measures(organizations.orgIdOf),
    jobs: [
      refreshJob({ db, clock }, config.metrics.refreshSeconds),
      outboxJob(db, nodePage, backlog),
      workJob({ db, clock, work }, nodePage, backlog),
      organizations.job,
      processJob(config.dataDir, nodePage),
    ],
    machineRoutes: config.metrics.port === undefined ? [page] : [],
    start(running) {
      nodePage.follow(() => parts.flatMap((part) => part.measures?.() ?? []))
      const told = { families: officeMetrics, constant: labelText(constant) }
      const opened = openOfficePage({ db, log, notifications, ...told })
      running.defer(() => opened.close())
      started.resolve(opened)
    },
  }
}

function noteAnswered(answered: AnsweredRequest, load: RequestLoad, nodePage: NodePage): void {
  load.note(answered)
  if (!isRefusal(answered.status)) return
  const reason = answered.status === 429 ? 'too-many' : 'no-room'
  nodePage.count('http_requests_refused_total', 1, { reason })
}

/** What the jobs that measure have found last. */
interface Backlog {
  outbox: NodeReport['outbox']
  queues: readonly QueueReport[]
}

/** Organizations are named there as clients know them. */
function reportLoad(
  load: RequestLoad,
  { orgIdOf }: Pick<ReturnType<typeof nameOrganizations>, 'orgIdOf'>,
): NodeReport['load'] {
  const { organizations, ...reports } = load.reports()
  const top = organizations.top.map(({ key, ...row }) => ({ key: orgIdOf(key) ?? key, ...row }))
  return { organizations: { ...organizations, top }, ...reports }
}

/** Counts what goes wrong outside. @returns the hosts that cannot be connected to */
function watchOutside({ clock, log, stack }: Opening, nodePage: NodePage): ReturnType<typeof watchUnreached> {
  const timing = timeOutsideCalls(({ provider, action }, seconds, succeeded) => {
    const outcome = succeeded ? 'ok' : 'failed'
    nodePage.observe('outside_call_seconds', seconds, { provider, action, outcome })
  })
  stack.defer(() => timing.close())
  const tellOnce = repeatedFaults(LEFT_OUT_TOLD_EVERY_MS)
  const leftOut = watchLeftOut(({ provider, part, count }) => {
    nodePage.count('outside_parts_left_out_total', count, { provider, part })
    tellOnce(`${provider} ${part}`, (repeated) =>
      log.warn({ provider, part, count, repeated }, 'parts of an answer from outside could not be read'),
    )
  })
  stack.defer(() => leftOut.close())
  const certificates = watchCertificates({ clock, log })
  stack.defer(() => certificates.close())
  nodePage.collect('outside_certificate_expires_timestamp_seconds', certificates.firstExpiry)
  const unreached = watchUnreached()
  stack.defer(() => unreached.close())
  return unreached
}

/** Who may read the metrics by the settings. */
export function metricsAccessOf({
  host,
  metrics: { token, port },
}: Pick<Config, 'host' | 'metrics'>): MetricsAccess {
  if (port !== undefined) return { token, withoutToken: 'whoever-reaches-it' }
  return { token, withoutToken: isLoopback(host) ? 'this-machine' : 'nobody' }
}

function outboxJob(db: Db, nodePage: NodePage, told: Backlog): Job {
  return {
    name: 'measure-outbox',
    everyMs: MEASURE_EVERY_MS,
    scope: 'node',
    async run() {
      told.outbox = await readOutboxBacklog(db)
      const { pending, oldestSeconds } = told.outbox
      nodePage.set('realtime_outbox_pending', pending)
      nodePage.set('realtime_outbox_oldest_seconds', oldestSeconds)
    },
  }
}

function workJob(
  { db, clock, work }: { db: Db; clock: Clock; work: OfficeWork },
  nodePage: NodePage,
  told: Backlog,
): Job {
  return {
    name: 'measure-background-work',
    everyMs: MEASURE_EVERY_MS,
    scope: 'node',
    async run() {
      const backlog = new Map(
        (await readWorkBacklog(db, clock.now())).map((one) => [`${one.queue} ${one.class}`, one]),
      )
      const none = { waiting: 0, oldestDueSeconds: 0, oldestSeconds: 0, dead: 0 }
      told.queues = work.classes().map((labels) => {
        const { waiting, oldestDueSeconds, oldestSeconds, dead } =
          backlog.get(`${labels.queue} ${labels.class}`) ?? none
        nodePage.set('background_work_waiting', waiting, labels)
        nodePage.set('background_work_oldest_due_seconds', oldestDueSeconds, labels)
        nodePage.set('background_work_oldest_seconds', oldestSeconds, labels)
        nodePage.set('background_work_dead', dead, labels)
        return { ...labels, waiting, oldestDueSeconds, dead }
      })
    },
  }
}

function processJob(folder: string, nodePage: NodePage): Job {
  return {
    name: 'measure-process',
    everyMs: MEASURE_EVERY_MS,
    scope: 'node',
    async run() {
      for (const { metric, value } of await processFacts(folder)) nodePage.set(metric, value)
    },
  }
}

function withOrganization<Declared extends Metric>(metric: Declared): Metric {
  return metric.tenant ? { ...metric, labels: ['org_id', ...metric.labels] } : metric
}

/** The page of this node, with what does not change as long as the process runs. */
function openThisNode({ stack }: Opening, constant: Readonly<Record<string, string>>): NodePage {
  const nodePage = openNodePage(nodeMetrics.map(withOrganization), constant)
  stack.defer(() => nodePage.close())
  nodePage.set('atrium_build_info', 1, { version: VERSION, node: process.version })
  nodePage.set('process_start_time_seconds', Math.round(performance.timeOrigin / 1_000))
  const filesMax = openFilesMax()
  if (filesMax !== undefined) nodePage.set('process_max_fds', filesMax)
  return nodePage
}
