import type { Command } from 'commander'
import type { NodeReport } from '../features/metrics/node-report.ts'
import type { Load, LoadReport } from '../platform/metrics/load-table.ts'
import type { OperatorContext } from './operator-commands.ts'
import { askRunningNode } from './running-node.ts'

/** Adds `atrium top`. */
export function addTopCommand(program: Command, context: OperatorContext): void {
  program
    .command('top')
    .description('show who keeps the running node busy: organizations, people, operations, queues')
    .option('--json', 'as the node tells it')
    .action(async ({ json }: { json?: true }) => {
      const report = await askRunningNode(await context.configuration())
      const lines = json ? [JSON.stringify(report, null, 2)] : linesOf(report)
      for (const line of lines) context.print(line)
      context.end()
    })
}

/** For a terminal: what is empty is left out. */
export function linesOf(report: NodeReport): string[] {
  const { load, queues, outbox, waitingForDatabase } = report
  const busyQueues = queues.filter(({ waiting, dead }) => waiting + dead > 0)
  return [
    `The last ${Math.round(load.organizations.seconds)} s of this node; waiting and loop in % of one second`,
    ...tableOf('ORGANIZATION', load.organizations),
    ...tableOf('PERSON', load.people),
    ...tableOf('OPERATION', load.operations),
    '',
    `Requests that wait for a connection to the database: ${waitingForDatabase}`,
    `Events that wait for the broker: ${outbox.pending}${outbox.pending > 0 ? `, the oldest for ${Math.round(outbox.oldestSeconds)} s` : ''}`,
    ...busyQueues.map(
      ({ queue, class: kind, waiting, oldestDueSeconds, dead }) =>
        `Queue ${queue} (${kind}): ${waiting} waiting, ${Math.round(oldestDueSeconds)} s late, ${dead} given up`,
    ),
    ...report.untrustedProxies.map((address) => `Not believed: a proxy at ${address} (TRUST_PROXY)`),
    ...report.unreached.map(({ host, code, times }) => `Not reached: ${host} (${code}, ${times} times)`),
  ]
}

const NUMBERS = ['requests/s', 'refused/s', 'waiting %', 'loop %', 'mean ms'] as const
const NUMBER_WIDTH = 11

function tableOf(title: string, { top, others, seconds }: LoadReport): string[] {
  const rows = others.requests > 0 ? [...top, { key: 'others', ...others }] : top
  const width = Math.max(title.length, ...rows.map(({ key }) => key.length))
  const line = (first: string, numbers: readonly string[]) =>
    `${first.padEnd(width)}${numbers.map((number) => number.padStart(NUMBER_WIDTH)).join('')}`
  return ['', line(title, NUMBERS), ...rows.map(({ key, ...load }) => line(key, numbersOf(load, seconds)))]
}

function numbersOf({ requests, refused, ms, waitedMs, loopMs }: Load, seconds: number): string[] {
  const percent = (part: number) => (part / 10 / seconds).toFixed(1)
  return [
    ...[requests, refused].map((count) => (count / seconds).toFixed(1)),
    ...[percent(waitedMs), percent(loopMs)],
    (ms / Math.max(1, requests)).toFixed(0),
  ]
}
