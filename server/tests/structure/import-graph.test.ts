import { describe, expect, it } from 'vitest'
import { FILES_MAX, longestFolder, type Picture, picturesOf, ROOT_OF_SERVER } from './import-graph.ts'
import { KNOWN_ARROWS } from './known-arrows.ts'
import { sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §5: the import graph (known-arrows.ts)'

/** The line of a box in known-arrows.ts, as it would be now. */
function lineOf({ arrows }: Picture, box: string): string {
  const to = [...arrows.keys()].filter((arrow) => arrow.startsWith(`${box} → `)).sort()
  return `'${box}': '${to.map((arrow) => arrow.slice(`${box} → `.length)).join(' ')}',`
}

function violations(picture: Picture, known: Readonly<Record<string, string>> = {}): Violation[] {
  const { place, boxes, arrows, up } = picture
  const listed = Object.entries(known).flatMap(([box, to]) =>
    to.split(' ').flatMap((one) => (one === '' ? [] : [`${box} → ${one}`])),
  )
  return [
    ...up.map((arrow) => ({ path: `${place}${arrow}`, what: `leads up: ${arrows.get(arrow)}` })),
    ...[...boxes]
      .filter((box) => !(box in known))
      .map((box) => ({ path: `${place}${box}`, what: `is new: ${lineOf(picture, box)}` })),
    ...Object.keys(known)
      .filter((box) => !boxes.has(box))
      .map((box) => ({ path: `${place}${box}`, what: 'is gone: take its line out' })),
    ...[...arrows]
      .filter(([arrow]) => !listed.includes(arrow) && (arrow.split(' ')[0] ?? '') in known)
      .map(([arrow, where]) => ({
        path: `${place}${arrow}`,
        what: `is new: ${where}; where it has to be: ${lineOf(picture, arrow.split(' ')[0] ?? '')}`,
      })),
    ...listed
      .filter((arrow) => !arrows.has(arrow) && boxes.has(arrow.split(' ')[0] ?? ''))
      .map((arrow) => ({ path: `${place}${arrow}`, what: 'is gone: take it out' })),
  ]
}

function figuresOf({ place, boxes, arrows, up }: Picture): string {
  return `${place}: ${boxes.size} boxes, ${arrows.size} arrows, ${up.length} up`
}

describe('the import graph', () => {
  const { top, inside } = picturesOf(sourceFiles())
  const all = [top, ...inside]
  it.each(all.map((picture) => [figuresOf(picture), picture] as const))('%s', (_figures, picture) => {
    expectNone(RULE, violations(picture, KNOWN_ARROWS[picture.place]))
  })

  it(`${all.reduce((sum, { boxes }) => sum + boxes.size, 0)} boxes and ${all.reduce((sum, { arrows }) => sum + arrows.size, 0)} arrows in all, at the top two levels`, () => {
    expect(Object.keys(KNOWN_ARROWS).sort()).toEqual(all.map(({ place }) => place).sort())
  })

  const { folder, length } = longestFolder(sourceFiles())
  it(`the longest folder: ${folder}, ${length} files`, () => {
    expect(length).toBeLessThanOrEqual(FILES_MAX)
  })
})

describe('the rule', () => {
  const at = (path: string, text = '') => sourceFile(ROOT_OF_SERVER + path, text)
  const graph = (...files: ReturnType<typeof at>[]) => picturesOf(files)

  it('counts folders and loose files, and one arrow for many imports', () => {
    const { top, inside } = graph(
      at('features/a/one.ts', "import { x } from '../../platform/log.ts'\nimport { y } from '../b/reads.ts'"),
      at('features/a/two.ts', "import type { x } from '../../platform/log.ts'"),
      at('features/a/two.test.ts', "import { x } from '../../compose/office.ts'"),
      at('features/b/reads.ts'),
      at('platform/log.ts'),
    )
    expect([...top.boxes]).toEqual(['features', 'platform'])
    expect([...top.arrows]).toEqual([['features → platform', 'server/src/features/a/one.ts:1']])
    expect(inside.map(({ place, arrows }) => [place, [...arrows.keys()]])).toEqual([
      ['server/src/features/', ['a → b']],
      ['server/src/platform/', []],
    ])
  })

  it('tells what is new and what is gone', () => {
    const { top } = graph(
      at('features/a.ts', "import { x } from '../platform/log.ts'"),
      at('platform/log.ts'),
    )
    expect(violations(top, { features: 'platform', platform: '' })).toEqual([])
    expect(violations(top, { features: '', platform: '' })).toMatchObject([
      { path: 'server/src/features → platform', what: expect.stringContaining('features/a.ts:1') },
    ])
    expect(violations(top, { features: 'platform' })).toMatchObject([{ path: 'server/src/platform' }])
    expect(violations(top, { features: 'platform ports', platform: '', ports: '' })).toHaveLength(2)
  })

  it('finds an arrow up, through others too', () => {
    const { inside } = graph(
      at('platform/log.ts', "import { x } from './background/jobs.ts'"),
      at('platform/background/jobs.ts', "import { x } from '../database/pool.ts'"),
      at('platform/database/pool.ts', "import { x } from '../log.ts'"),
      at('platform/clock.ts', "import { x } from './log.ts'"),
    )
    expect(inside[0]?.up).toEqual(['log.ts → background', 'background → database', 'database → log.ts'])
  })
})
