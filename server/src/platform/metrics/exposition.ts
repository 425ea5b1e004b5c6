import type { SeriesRow } from './tally.ts'

/** What the text says of a metric before its series. */
export interface Family {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: readonly string[]
  buckets?: readonly number[]
}

/** Series by metric, each already as the lines that show it: only what changed is written again. */
export interface Exposition {
  put(rows: readonly SeriesRow[]): void
  clear(): void
  /** All of it, in the text format 0.0.4. */
  text(): string
}

/** @param constant labels that every series ends with, as text */
export function newExposition(families: readonly Family[], constant: string): Exposition {
  const shelves = new Map(
    families.map((family) => [family.name, { family, lines: new Map<string, string>() }]),
  )
  return {
    put(rows) {
      for (const row of rows) {
        const shelf = shelves.get(row.metric)
        // written by another version of the office, which knows more
        if (!shelf) continue
        shelf.lines.set(`${row.organization}:${row.labels}`, linesOf(shelf.family, row, constant))
      }
    },
    clear() {
      for (const { lines } of shelves.values()) lines.clear()
    },
    text() {
      const parts: string[] = []
      for (const { family, lines } of shelves.values()) {
        // also where nothing has happened yet: what there can be is told from the start
        parts.push(headOf(family), ...lines.values())
      }
      return parts.join('')
    },
  }
}

function headOf({ name, type, help }: Family): string {
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`
}

function linesOf({ name, type, buckets = [] }: Family, row: SeriesRow, constant: string): string {
  const labels = [row.labels, constant].filter(Boolean).join(',')
  if (type !== 'histogram') return `${name}{${labels}} ${row.value}\n`
  let below = 0
  const lines = [...buckets, '+Inf'].map((bound, at) => {
    below += row.buckets?.[at] ?? 0
    return `${name}_bucket{${labels},le="${bound}"} ${below}\n`
  })
  return `${lines.join('')}${name}_sum{${labels}} ${row.value}\n${name}_count{${labels}} ${below}\n`
}
