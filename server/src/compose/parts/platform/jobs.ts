import { type Jobs, startJobs } from '../../../platform/background/jobs.ts'
import type { NodeMeasure, Opening, Part } from '../../part.ts'

export interface OfficeJobs extends Part, Jobs {
  needs: Record<string, never>
}

/**
 * The jobs of all parts. Before they are started none of them runs, and this node is not the leader.
 * @param parts all of the office; those that are opened later too
 */
export function openJobs(
  { connectionString, firstJobsWait = false, log }: Opening,
  parts: readonly Part[],
): OfficeJobs {
  let running: Jobs | undefined
  return {
    needs: {},
    async runNow(name) {
      if (!running) throw new Error(`the job ${name} does not run before the office has started`)
      await running.runNow(name)
    },
    isLeader: () => running?.isLeader() ?? false,
    tallies: () => running?.tallies() ?? new Map(),
    measures: () => (running ? measuresOf(running) : []),
    async stop() {
      await running?.stop()
    },
    start(stack) {
      const jobs = parts.flatMap((part) => part.jobs ?? [])
      const started = startJobs({ connectionString, log, jobs, firstRunsWait: firstJobsWait })
      stack.defer(() => started.stop())
      running = started
    },
  }
}

function measuresOf(jobs: Jobs): NodeMeasure[] {
  const runs = [...jobs.tallies()].flatMap(([job_name, { ok, failed, seconds }]): NodeMeasure[] => [
    { metric: 'job_runs_total', value: ok, labels: { job_name, outcome: 'ok' } },
    { metric: 'job_runs_total', value: failed, labels: { job_name, outcome: 'failed' } },
    { metric: 'job_seconds_total', value: seconds, labels: { job_name } },
  ])
  return [{ metric: 'jobs_leader', value: jobs.isLeader() ? 1 : 0 }, ...runs]
}
