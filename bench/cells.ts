import { readCommandLine } from '../scripts/command-line.ts'
import {
  type Capacity,
  type Day,
  largestOrganization,
  morningOf,
  organizationsOf,
  peopleOf,
  placed,
} from './cells-model.ts'

const PEOPLE = 1_000_000
const CELLS = 50
const LARGEST = 50_000
/** Of the 16 of a cell's nodes, as many as may be busy when one of two machines is lost. */
const CAPACITY: Capacity = { cores: 8 }
const OUTAGE = { minute: 120, length: 60 }

readCommandLine({
  usage: `npx node bench/cells.ts

Simulates ${PEOPLE} people in ${CELLS} cells: a morning, a cell lost, one organization growing. Nothing is measured: it goes by the
slopes of bench/cells-model.ts (docs/operations/scale.md). It takes no arguments.`,
})

const percent = (part: number) => `${(part * 100).toFixed(1)} %`
const number = (value: number) => Math.round(value).toLocaleString('en')

function row(name: string, day: Day): string {
  const parts = [day.processor, day.commits, day.deliveries]
  const peaks = parts.map(({ peak }) => percent(peak)).join(' | ')
  const wait = Math.max(...parts.map(({ longestWait }) => longestWait))
  return `| ${name} | ${number(day.online)} | ${peaks} | ${number(wait)} s |`
}

const cells = placed(organizationsOf(PEOPLE, LARGEST), CELLS)
const sizes = cells.map(peopleOf).toSorted((one, other) => one - other)
console.log(
  `${number(PEOPLE)} people in ${CELLS} cells of ${number(sizes[0] ?? 0)} to ${number(sizes.at(-1) ?? 0)}.\n`,
)
console.log('| cell | online | processor | commits | deliveries | longest wait |\n|---|--:|--:|--:|--:|--:|')
const byLargest = cells.toSorted((one, other) => largest(other) - largest(one))
for (const [name, cell] of [
  ['with the largest organization', byLargest[0]],
  ['one of the middle', byLargest[CELLS / 2]],
] as const) {
  if (!cell) continue
  console.log(
    row(`${name} (${number(largest(cell))} of ${number(peopleOf(cell))})`, morningOf(cell, CAPACITY)),
  )
  console.log(row(`the same, lost from 10:00 to 11:00`, morningOf(cell, CAPACITY, OUTAGE)))
}

console.log(
  '\n| one organization in a cell of its own | processor | commits | deliveries | longest wait |\n|--:|--:|--:|--:|--:|',
)
for (const people of [1_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000]) {
  const day = morningOf({ organizations: [{ people }] }, CAPACITY)
  console.log(
    row(number(people), day)
      .replace(/\| [\d,]+ \| /, '| ')
      .replace(/^\| /, `| ${number(people)} | `),
  )
}
const next = largestOrganization(CAPACITY)
console.log(`\nThe next limit: ${next.limit}, with ${number(next.people)} people of one organization.`)

function largest({ organizations }: { organizations: { people: number }[] }): number {
  return Math.max(...organizations.map(({ people }) => people))
}
