import { readCommandLine } from '../../scripts/command-line.ts'
import type { Ends } from '../processes.ts'
import { openModelOffice } from './office.ts'
import { plantedDefects } from './planted-defects.ts'
import type { Rule } from './rule.ts'
import { type Chapter, ruleBook } from './rules/every-rule.ts'
import { tellStory } from './stories.ts'
import { newTally } from './tally.ts'

const { values } = readCommandLine({
  usage: `npx node engines/model/planted.ts [--seed S] [--stories N] [--only N]

Plants ten known defects (planted-defects.ts) into an office, one after the other, and shows that random stories find
each, made short.
  --seed     of the first story of each; 1 where not given
  --stories  so many at most for each; 200 where not given
  --only     the defect of this place in the list alone, from 1 on`,
  options: { seed: { type: 'string' }, stories: { type: 'string' }, only: { type: 'string' } },
})
/** Long enough to be read. */
const SHORT_WITHIN_MS = 45_000

const first = Number(values.seed ?? 1)
const most = Number(values.stories ?? 200)
const wanted = values.only === undefined ? plantedDefects : [plantedDefects[Number(values.only) - 1]]
const ends: Ends = []
let found = 0
try {
  const office = await openModelOffice(ends)
  for (const defect of wanted) {
    if (!defect) continue
    await office.reopen(defect.name)
    const tally = newTally()
    const disagreement = await firstDisagreement(office, tally, defect.about)
    console.log(
      `${disagreement ? '✓' : '✗'} ${defect.name}: ${tally.steps} steps\n  ${disagreement ?? 'not found'}`,
    )
    if (disagreement) found += 1
  }
} finally {
  for (const end of ends.reverse()) await end()
}
console.log(`${found} of ${wanted.length} planted defects found`)
process.exit(found === wanted.length ? 0 : 1)

async function firstDisagreement(
  office: Awaited<ReturnType<typeof openModelOffice>>,
  tally: ReturnType<typeof newTally>,
  about: readonly Chapter[],
): Promise<string | undefined> {
  const rules = about.flatMap((chapter): readonly Rule[] => ruleBook[chapter])
  for (let seed = first; seed < first + most; seed++) {
    const { disagreement, isTrouble } = await tellStory(office, seed, tally, {
      shrinkWithinMs: SHORT_WITHIN_MS,
      rules,
    })
    if (disagreement && !isTrouble) return disagreement
  }
  return undefined
}
