import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FILES_MAX } from './import-graph.ts'
import { isTest, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §3: a file is found in one look at the tree'

/** What is shipped, and what its tests share. A test lies beside its subject, and is found with it: only the subjects are counted. */
const COUNTED =
  /^(server\/(src|tests)|contract|client|react|web|embedded-(broker|media|postgres)|image-check)\//

/** Folders that are lists themselves: one file for each entry, with its name. */
const LISTS: Readonly<Record<string, string>> = {
  contract: 'a chapter of the interface each: whoever knows the chapter knows the file',
  'web/src/words': 'a hook for each screen, of the name of its folder',
  'web/src/words/en': 'a file for each screen, of the name of its folder',
  'web/src/words/de': 'a file for each screen, of the name of its folder',
}

function folderViolations(paths: readonly string[]): Violation[] {
  const counted = paths.filter((path) => COUNTED.test(path) && !isTest(path))
  return [...Map.groupBy(counted, (path) => posix.dirname(path))]
    .filter(([folder, files]) => files.length > FILES_MAX && !(folder in LISTS))
    .map(([path, { length }]) => ({
      path,
      what: `has ${length} files, more than ${FILES_MAX}: give it rooms by subject`,
    }))
}

describe('folders', () => {
  it('hold no more than can be taken in at a glance', () => {
    expectNone(RULE, folderViolations(sourceFiles().map(({ path }) => path)))
  })

  it('are excepted only as long as they need it', () => {
    const paths = sourceFiles().map(({ path }) => path)
    for (const folder of Object.keys(LISTS)) {
      const inside = paths.filter((path) => posix.dirname(path) === folder && !isTest(path))
      expect(inside.length, folder).toBeGreaterThan(FILES_MAX)
    }
  })
})

describe('the rule', () => {
  const files = (count: number, end: string) =>
    Array.from({ length: count }, (_, at) => `server/src/features/rooms/file-${at}${end}`)

  it('finds a folder of more than twenty files, tests not counted, nor what lies in its rooms', () => {
    const atLimit = [...files(20, '.ts'), ...files(20, '.test.ts'), 'server/src/features/rooms/inner/a.ts']
    expect(folderViolations(atLimit)).toEqual([])
    expect(folderViolations([...atLimit, 'server/src/features/rooms/one-more.ts'])).toMatchObject([
      { path: 'server/src/features/rooms' },
    ])
  })
})
