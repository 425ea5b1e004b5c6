import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  errorMeanings,
  operationEntries,
  serviceTokenScopes,
  visibleStatuses,
  webhookEventNames,
} from '@atrium/contract'
import { de } from '@atrium/web/german-problems.ts'
import { EVENTS, OPERATIONS } from '@atrium/web/offered.ts'
import { pagePaths } from '@atrium/web/page-paths.ts'
import { describe, expect, it } from 'vitest'
import { type Import, isTest, ROOT, type SourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const FOLDERS_RULE = 'web/README.md: a screen knows live, ui and words; what two screens share is listed'

/** Folders of `web/src` that every screen may use. */
const SHARED = ['live', 'ui', 'words', 'shell', 'media']
/** Screens that may use another one: each line with its reason. */
const SCREEN_PAIRS: readonly { from: string; to: string; reason: string }[] = [
  { from: 'first-run', to: 'sign-in', reason: 'whoever has pasted an invite link joins by its token' },
  { from: 'room', to: 'chat', reason: 'what is written in a room is shown as in the chat' },
  { from: 'sign-in', to: 'floor', reason: 'the office that is drawn beside it is a plan' },
  { from: 'first-run', to: 'floor', reason: 'the plan grows beside the form' },
  { from: 'floor', to: 'calendar', reason: 'the bar of the floor shows the next meeting' },
  { from: 'administration', to: 'floor', reason: 'a room is added there by the form of the floor' },
  { from: 'guest', to: 'chat', reason: 'whoever was let in writes as everybody else' },
  { from: 'guest', to: 'room', reason: 'whoever was let in is in the room as everybody else' },
]

/** Refusals without German words: the sentence of the office says which field is wrong and how, or programs alone meet them. */
const SAID_BY_THE_OFFICE = [
  'malformed-json',
  'malformed-request',
  'invalid-input',
  'cross-site',
  'token-not-allowed',
  'invalid-idempotency-key',
  'idempotency-key-reused',
  'idempotency-key-in-use',
  'unsupported',
  'encoded-body',
]

const folderOf = (path: string) => /^web\/src\/([^/]+)\//.exec(path)?.[1]

function folderViolations(files: readonly SourceFile[]): Violation[] {
  return files.flatMap(({ path, imports }) => {
    const from = folderOf(path)
    if (from === undefined) return []
    return imports.flatMap(({ target, line }) => {
      const to = target && folderOf(target)
      if (to === undefined || to === from) return []
      if (from === 'ui' && to !== 'ui') return [{ path, line, what: 'ui knows no feature' }]
      if (SHARED.includes(to) || SCREEN_PAIRS.some((pair) => pair.from === from && pair.to === to)) return []
      return [{ path, line, what: `${from} may not use ${to} (SCREEN_PAIRS)` }]
    })
  })
}

/** By an import that is there at run time, and when its file is loaded. */
const isLoadedAtOnce = ({ typeOnly, way }: Import) => !typeOnly && way !== 'dynamic'

/** Files of the web office that the server loads at its start: by an import of its own, and by theirs. */
function lentToServer(files: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const lent = new Set<SourceFile>()
  const follow = ({ imports }: SourceFile) => {
    for (const { target } of imports.filter(isLoadedAtOnce)) {
      const file = byPath.get(target ?? '')
      if (!file?.path.startsWith('web/') || lent.has(file)) continue
      lent.add(file)
      follow(file)
    }
  }
  for (const file of files.filter(({ path }) => path.startsWith('server/src/') && !isTest(path))) follow(file)
  return [...lent]
}

describe('the web office', () => {
  it('has screens that know the shared folders, and each other only where listed', () => {
    expectNone(FOLDERS_RULE, folderViolations(sourceFiles()))
    expect(SCREEN_PAIRS.filter(({ reason }) => reason.length < 10)).toEqual([])
  })

  it('lends the server files that import only what the server installs: an image lacks the packages of pages', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'server/package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const lent = lentToServer(sourceFiles())
    expect(lent.map(({ path }) => path)).toContain('web/src/live/text/parsed-text.ts')
    expectNone(
      'server/package.json: lists what its start loads',
      lent.flatMap(({ path, imports }) =>
        imports.filter(isLoadedAtOnce).flatMap(({ package: name, line }) => {
          if (name === undefined || name.startsWith('node:') || dependencies[name]) return []
          return [{ path, line, what: `${name} is not in it` }]
        }),
      ),
    )
  })

  it('sends packets in one place, which looks at the connection first', () => {
    const senders = sourceFiles().filter(
      ({ path, code }) => path.startsWith('web/src/') && !isTest(path) && code.includes('.publishData('),
    )
    expect(senders.map(({ path }) => path)).toEqual(['web/src/media/send-packet.ts'])
  })

  it('loads each screen so that it waits for an office that does not answer', () => {
    const routes = readFileSync(join(ROOT, 'web/src/routes.tsx'), 'utf8')
    expect(routes.match(/lazyRouteComponent\(/g)).toHaveLength(1)
    expect(routes).toContain('lazyRouteComponent(() => patiently(load), name)')
  })

  it('has no page where an operation is', () => {
    const operations = operationEntries
      .filter(([, { method }]) => method === 'GET')
      .map(([, { path }]) => path)
    const pages: readonly string[] = Object.values(pagePaths)
    expect(pages.filter((page) => operations.includes(page))).toEqual([])
    const prefixes = new Set(operationEntries.map(([, { path }]) => path.split('/')[1]))
    const colliding = pages.filter((page) => prefixes.has(page.split('/')[1] ?? ''))
    // where providers send browsers back to, as long as this interface lives
    expect(colliding).toEqual(['/auth/complete'])
  })

  it('offers administrators what there is to choose', () => {
    expect([...OPERATIONS].sort()).toEqual([...serviceTokenScopes].sort())
    expect([...EVENTS].sort()).toEqual([...webhookEventNames].sort())
  })

  it('says every refusal in German that a person can meet', () => {
    const said = Object.keys(de.refusals)
    expect(Object.keys(errorMeanings).filter((word) => !said.includes(word))).toEqual(SAID_BY_THE_OFFICE)
    expect(said.filter((word) => !(word in errorMeanings))).toEqual([])
  })

  it.each([
    ['.avatar-status', 'web/src/ui/avatar.css'],
    ['.status-dot', 'web/src/shell/status/status-menu.css'],
  ])('has a look for each status as %s', (name, path) => {
    const style = readFileSync(join(ROOT, path), 'utf8')
    expect(visibleStatuses.filter((status) => !style.includes(`${name}-${status} {`))).toEqual([])
  })

  it('has one React: a second one would have hooks of its own', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string }>
    }
    const found = Object.entries(lock.packages).filter(([path]) =>
      /(^|\/)node_modules\/react(-dom)?$/.test(path),
    )
    expect(found.map(([path, { version }]) => `${path} ${version}`)).toEqual([
      'node_modules/react 19.3.1',
      'node_modules/react-dom 19.3.1',
    ])
  })
})
