import { readCommandLine } from '../../scripts/command-line.ts'
import type { Ends } from '../processes.ts'
import { type DaysTally, liveDay } from './days.ts'
import { openStage } from './stage.ts'

const { values } = readCommandLine({
  usage: `npx node engines/laptop/run.ts [--minutes N] [--seed S] [--days N]

Random days of a laptop, a desk and a phone: networks that fail in part, sleep, reloads, an office that is killed. What is
written is there once and in order, nobody is live unasked, and every screen shows what is there.
  --minutes  how long; 2 where not given
  --seed     of the first day; the next ones count up from there
  --days     so many at most`,
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, days: { type: 'string' } },
})
const minutes = Number(values.minutes ?? 2)
const first = Number(values.seed ?? Math.floor(Math.random() * 1e9))
const most = Number(values.days ?? Number.POSITIVE_INFINITY)
const ends: Ends = []
const tally: DaysTally = { days: 0, steps: 0, messages: 0 }
let disagreements = 0
try {
  const { office, machines } = await openStage(ends)
  const until = Date.now() + minutes * 60_000
  for (let seed = first; Date.now() < until && seed < first + most; seed++) {
    const wrong = await liveDay(office, machines, seed, tally)
    if (wrong === undefined) continue
    disagreements += 1
    console.log(`✗ ${wrong}`)
  }
} finally {
  for (const end of ends.reverse()) await end()
}
console.log(
  `${tally.days} days, ${tally.steps} steps, ${tally.messages} messages, ${disagreements} disagreements`,
)
process.exit(disagreements === 0 ? 0 : 1)
