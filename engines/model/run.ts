import { readCommandLine } from '../../scripts/command-line.ts'
import type { Ends } from '../processes.ts'
import { openModelOffice } from './office.ts'
import { tour, uncalled } from './once/tour.ts'
import { tellStory } from './stories.ts'
import { newTally } from './tally.ts'

const { values } = readCommandLine({
  usage: `npm run model -- [--minutes N] [--seed S] [--stories N]

Random stories of an office, told to one office over its interface and held against the rules of the spec. Without a
seed, one of its own. Ends with how many disagreements there were.
  --minutes  how long; 1 where not given
  --seed     of the first story; the next ones count up from there
  --stories  so many at most
  --tour     before them, each chapter once that random steps come by too rarely`,
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    stories: { type: 'string' },
    tour: { type: 'boolean' },
  },
})
const minutes = Number(values.minutes ?? 1)
const first = Number(values.seed ?? Math.floor(Math.random() * 1e9))
const most = Number(values.stories ?? Number.POSITIVE_INFINITY)
const ends: Ends = []
const tally = newTally()
let disagreements = 0
try {
  const office = await openModelOffice(ends)
  if (values.tour) {
    const told = await tour(office, tally)
    disagreements += told.length
    for (const line of told) console.log(`✗ ${line}`)
    for (const id of uncalled(tally)) console.log(`  ${id} has not succeeded, or is listed as what cannot`)
  }
  const until = Date.now() + minutes * 60_000
  for (let seed = first; Date.now() < until && seed < first + most; seed++) {
    const { disagreement } = await tellStory(office, seed, tally)
    if (disagreement === undefined) continue
    disagreements += 1
    console.log(`✗ ${disagreement}`)
  }
} finally {
  for (const end of ends.reverse()) await end()
}
console.log(`${tally.steps} steps, ${tally.calls} operations, ${disagreements} disagreements`)
process.exit(disagreements === 0 ? 0 : 1)
