import { loadavg } from 'node:os'
import { readCommandLine } from '../../../scripts/command-line.ts'
import { killOverAndOver } from './kill-rounds.ts'
import { killTwoNodes } from './kill-two-nodes.ts'
import { openProcessHarness } from './office-process.ts'

const USAGE = `npx node server/tests/process/kill-loop.ts [rounds] [--two-nodes]

Kills an office under writes, 200 times where not given: one office on its own database, with people who are
connected. The first loss ends it with 1. Says how far it is, and the figures at the end.
  --two-nodes  two nodes behind a proxy`

const { values, positionals, number } = readCommandLine({
  usage: USAGE,
  options: { 'two-nodes': { type: 'boolean' } },
  names: 1,
})
const ofTwoNodes = values['two-nodes'] === true
const rounds = number('The number of rounds', positionals[0] ?? '200')
const say = (line: string) => void process.stdout.write(`${line}\n`)
const processes = openProcessHarness()
const began = performance.now()
try {
  const onRound = (soFar: { rounds: number }) => {
    if (soFar.rounds % 10 === 0) say(JSON.stringify(soFar))
  }
  const figures = ofTwoNodes
    ? await killTwoNodes(processes, { rounds, onRound })
    : await killOverAndOver(processes, { rounds, graceEvery: 50, onRound })
  for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(18)} ${Math.round(value)}`)
  const seconds = Math.round((performance.now() - began) / 1_000)
  // the first loss ends the loop with an error
  say(`nothing was lost, in ${seconds} s, load average ${loadavg()[0]?.toFixed(1)}`)
} finally {
  await processes.clear()
}
