import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §5: no import cycles, type-only ones included'

/** One violation for each knot of files that import each other, with a shortest way around it. */
function cycles(files: readonly SourceFile[]): Violation[] {
  const edges = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target, line }) => (target ? [{ target, line }] : [])),
    ]),
  )
  const violations: Violation[] = []
  const reported = new Set<string>()
  for (const path of edges.keys()) {
    const way = reported.has(path) ? undefined : shortestWayBack(path, edges)
    if (!way) continue
    for (const step of way) reported.add(step)
    const line = edges.get(path)?.find(({ target }) => target === (way[1] ?? path))?.line
    violations.push({ path, ...(line && { line }), what: `${[...way, path].join(' → ')}` })
  }
  return violations
}

function shortestWayBack(
  start: string,
  edges: ReadonlyMap<string, readonly { target: string }[]>,
): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (let current = queue.shift(); current !== undefined; current = queue.shift()) {
    for (const { target } of edges.get(current) ?? []) {
      if (target === start) return wayTo(current, start, cameFrom)
      if (cameFrom.has(target)) continue
      cameFrom.set(target, current)
      queue.push(target)
    }
  }
  return undefined
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [end]
  for (let at = end; at !== start; way.unshift(at)) at = cameFrom.get(at) ?? start
  return way
}

describe('import cycles', () => {
  it('do not exist', () => {
    expectNone(RULE, cycles(sourceFiles()))
  })
})

describe('the rule', () => {
  it('finds a circle through types and packages, and names the way around', () => {
    const files = [
      sourceFile('contract/index.ts', "import type { Client } from '@atrium/client'"),
      sourceFile('client/index.ts', "export { fetchIt } from './fetch.ts'"),
      sourceFile('client/fetch.ts', "import { operations } from '@atrium/contract'"),
      sourceFile('client/other.ts', "import { operations } from '@atrium/contract'"),
    ]
    expect(cycles(files)).toEqual([
      {
        path: 'contract/index.ts',
        line: 1,
        what: 'contract/index.ts → client/index.ts → client/fetch.ts → contract/index.ts',
      },
    ])
  })

  it('finds a file that imports itself', () => {
    expect(cycles([sourceFile('contract/a.ts', "import { a } from './a.ts'")])).toHaveLength(1)
  })
})
