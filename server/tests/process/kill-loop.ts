import { loadavg } from 'node:os'
import { killOverAndOver } from './kill-rounds.ts'
import { openProcessHarness } from './office-process.ts'

/** `npm run kill-loop [rounds]`: 200 where not given. Says how far it is, and the figures at the end. */

const rounds = Number(process.argv[2] ?? 200)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('npm run kill-loop [rounds]')
const say = (line: string) => void process.stdout.write(`${line}\n`)
const processes = openProcessHarness()
const began = performance.now()
try {
  const figures = await killOverAndOver(processes, {
    rounds,
    graceEvery: 50,
    onRound: (soFar) => {
      if (soFar.rounds % 10 === 0) say(JSON.stringify(soFar))
    },
  })
  for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(18)} ${Math.round(value)}`)
  const seconds = Math.round((performance.now() - began) / 1_000)
  // the first loss ends the loop with an error
  say(`nothing was lost, in ${seconds} s, load average ${loadavg()[0]?.toFixed(1)}`)
} finally {
  await processes.clear()
}
