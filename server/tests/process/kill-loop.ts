import { loadavg } from 'node:os'
import { killOverAndOver } from './kill-rounds.ts'
import { killTwoNodes } from './kill-two-nodes.ts'
import { openProcessHarness } from './office-process.ts'

/**
 * `npm run kill-loop [-- rounds] [--two-nodes]`: 200 where not given. One office on its own database, with people who are
 * connected; or two nodes behind a proxy. Says how far it is, and the figures at the end.
 */

const asked = process.argv.slice(2)
const ofTwoNodes = asked.includes('--two-nodes')
const rounds = Number(asked.find((argument) => argument !== '--two-nodes') ?? 200)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('npm run kill-loop [-- rounds] [--two-nodes]')
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
