import { ratioOf, type Trial } from './judge.ts'
import type { Part } from './scene.ts'

/** One worst text at one place, as it was measured. */
export interface Measured extends Trial<Part> {
  group: string
  name: string
  text: string
  statuses: ReadonlySet<number>
}

/** Of those that are let pass, the costliest are told. */
const PASSED_SHOWN = 25

/** Every fault, and beside them what costs most of what is let pass. */
export function table(all: readonly Measured[]): string {
  const faults = all.filter(({ fault }) => fault)
  const passed = all.filter(({ fault }) => !fault).sort((one, other) => other.whole.ms - one.whole.ms)
  const shown = [...faults.sort(byCost), ...passed.slice(0, PASSED_SHOWN)]
  const rows = shown.map(({ name, text, part, half, whole, fault, statuses }) => [
    fault ? '✗' : ' ',
    name,
    text,
    part,
    `${(whole.bytes / 1_024).toFixed(0)} kB`,
    half ? `${half.ms.toFixed(1)} ms` : '',
    `${whole.ms.toFixed(1)} ms`,
    half ? ratioOf(half, whole).toFixed(1) : '',
    ((whole.ms * 1_024) / whole.bytes).toFixed(3),
    [...statuses].join(' '),
  ])
  const head = ['', 'place', 'text', 'part', 'size', 'half', 'whole', 'ratio', 'ms/kB', 'answers']
  return [aligned([head, ...rows]), summary(all)].join('\n')
}

const byCost = (one: Measured, other: Measured) =>
  other.whole.ms / other.whole.bytes - one.whole.ms / one.whole.bytes

function summary(all: readonly Measured[]): string {
  const groups = Map.groupBy(all, ({ group }) => group)
  const rows = [...groups].map(([group, measured]) => {
    const worst = measured.reduce((one, other) => (other.whole.ms > one.whole.ms ? other : one))
    const faults = measured.filter(({ fault }) => fault).length
    return [
      group,
      `${measured.length / 2}`,
      `${faults}`,
      `${worst.whole.ms.toFixed(1)} ms`,
      `${worst.name}, ${worst.text}`,
    ]
  })
  return aligned([['group', 'texts', 'faults', 'most', 'where'], ...rows])
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}
