import { posix } from 'node:path'
import { isTest, type SourceFile } from './source-files.ts'

/** What one sees who opens a folder: the folders and files in it, and which of them lean on which. */
export interface Picture {
  place: string
  boxes: ReadonlySet<string>
  /** `a → b`, with one import that is the reason. */
  arrows: ReadonlyMap<string, string>
  /** Arrows between boxes that lead back to each other: in no order of the boxes would all arrows point down. */
  up: readonly string[]
}

export const ROOT_OF_SERVER = 'server/src/'
/** Of one folder, tests not counted. */
export const FILES_MAX = 20

/** The top level, and each folder of it. Tests lie beside their subjects, and are no rooms. */
export function picturesOf(files: readonly SourceFile[]): { top: Picture; inside: Picture[] } {
  const product = files.filter(({ path }) => path.startsWith(ROOT_OF_SERVER) && !isTest(path))
  const top = pictureOf(ROOT_OF_SERVER, product)
  const folders = [...top.boxes].filter((box) => !box.endsWith('.ts')).sort()
  return { top, inside: folders.map((folder) => pictureOf(`${ROOT_OF_SERVER}${folder}/`, product)) }
}

function pictureOf(place: string, files: readonly SourceFile[]): Picture {
  const boxOf = (path: string) =>
    path.startsWith(place) ? path.slice(place.length).split('/')[0] : undefined
  const boxes = new Set<string>()
  const arrows = new Map<string, string>()
  const next = new Map<string, Set<string>>()
  for (const { path, imports } of files) {
    const from = boxOf(path)
    if (from === undefined) continue
    boxes.add(from)
    for (const { target, line } of imports) {
      const to = target === undefined ? undefined : boxOf(target)
      if (to === undefined || to === from) continue
      const arrow = `${from} → ${to}`
      if (!arrows.has(arrow)) arrows.set(arrow, `${path}:${line}`)
      next.set(from, (next.get(from) ?? new Set()).add(to))
    }
  }
  const up = [...arrows.keys()].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' → ')
    return reaches(next, to, from)
  })
  return { place, boxes, arrows, up }
}

function reaches(next: ReadonlyMap<string, ReadonlySet<string>>, start: string, end: string): boolean {
  const seen = new Set([start])
  for (const box of seen) {
    if (box === end) return true
    for (const one of next.get(box) ?? []) seen.add(one)
  }
  return false
}

/** The folder with the most files of its own. */
export function longestFolder(files: readonly SourceFile[]): { folder: string; length: number } {
  const product = files.filter(({ path }) => path.startsWith(ROOT_OF_SERVER) && !isTest(path))
  return [...Map.groupBy(product, ({ path }) => posix.dirname(path))]
    .map(([folder, { length }]) => ({ folder, length }))
    .reduce((a, b) => (b.length > a.length ? b : a), { folder: ROOT_OF_SERVER, length: 0 })
}
