import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { OfficeProcess } from '../process/office-process.ts'
import { until } from '../until.ts'
import { rounds, tellFigures } from './figures.ts'
import { openNodesHarness } from './nodes.ts'

const TAKEN_OVER_WITHIN_MS = 15_000
/** How long the one that wakes is watched. */
const AFTERWARDS_MS = 15_000

const harness = openNodesHarness()

async function metricsOf({ url }: OfficeProcess) {
  const text = await (await fetch(`${url}/metrics`)).text()
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:{[^}]*})? (\\d+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    )
  return { leads: sum('jobs_leader') === 1, runs: runsOf(text) }
}

/** How often each job has run that has. */
function runsOf(text: string): Map<string, number> {
  const runs = new Map<string, number>()
  for (const [, job = '', value] of text.matchAll(/^job_runs_total{[^}]*job_name="([^"]+)"[^}]*} (\d+)$/gm))
    if (Number(value) > 0) runs.set(job, (runs.get(job) ?? 0) + Number(value))
  return runs
}

it('a leader that is stopped is followed within seconds, and does nothing of the leader when it wakes', async (context) => {
  const seconds = rounds(60)
  const settings = { DATABASE_URL: harness.database.connectionString }
  const nodes = [await harness.serve({ settings }), await harness.serve({ settings })] as const
  let leader: OfficeProcess | undefined
  await until(async () => {
    const leading = await Promise.all(nodes.map(metricsOf))
    leader = nodes[leading.findIndex(({ leads }) => leads)]
    return leader !== undefined
  })
  const stale = leader as OfficeProcess
  const other = nodes.find((node) => node !== stale) as OfficeProcess
  // only the leader has run its jobs
  await until(async () => (await metricsOf(stale)).runs.size > (await metricsOf(other)).runs.size)
  // jobs of each node have begun within a second
  await pause(3_000)
  const ofAll = new Set((await metricsOf(other)).runs.keys())

  stale.kill('SIGSTOP')
  const began = performance.now()
  await until(async () => (await metricsOf(other)).leads)
  const takenOverMs = performance.now() - began
  await pause(Math.max(0, seconds * 1_000 - takenOverMs))
  stale.kill('SIGCONT')
  const woken = performance.now()
  await until(async () => !(await metricsOf(stale)).leads)
  const steppedDownMs = performance.now() - woken
  const first = (await metricsOf(stale)).runs
  await pause(AFTERWARDS_MS)
  const then = (await metricsOf(stale)).runs
  const ran = [...then].filter(([job, runs]) => !ofAll.has(job) && runs > (first.get(job) ?? 0))
  tellFigures(context, {
    stoppedSeconds: seconds,
    takenOverMs,
    steppedDownMs,
    jobsRunByStaleLeader: ran.length,
  })
  expect(takenOverMs).toBeLessThan(TAKEN_OVER_WITHIN_MS)
  expect(ran).toEqual([])
  expect((await metricsOf(other)).leads).toBe(true)
})
