import { describe, expect, it } from 'vitest'
import { isTest, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const WORDS_RULE = 'ARCHITECTURE.md §2: names say what is inside'
const EXPORTS_RULE = 'ARCHITECTURE.md §2, §4: no barrels, no default exports'
const SIZE_RULE = 'ARCHITECTURE.md §4: one thing per file'

/** Names for "what I found no name for". */
const DENIED = ['util', 'helper', 'common', 'service', 'manager', 'type', 'misc'].flatMap((word) => [
  word,
  `${word}s`,
])
/** As the end of a name they say nothing either; `content-types` does. */
const DENIED_END = /-(utils?|helpers?|common|services?|managers?|misc)$/
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/
const FILE_NAME = /^(?<stem>[^.]+)(\.(test|conformance))?\.tsx?$/
const BARRELS = ['contract/index.ts', 'client/index.ts', 'react/index.ts']
const VENDORS_RULE = 'ARCHITECTURE.md §1: vendor words live in adapters'
const VENDOR_FREE = /^(contract|client|server\/src\/(features|directory|access|ports|platform))\//
const LINES_MAX = 400
const TEST_LINES_MAX = 600

function nameViolations(paths: readonly string[]): Violation[] {
  return paths.flatMap((path) => {
    const parts = path.split('/')
    const stem = FILE_NAME.exec(parts.pop() ?? '')?.groups?.stem
    if (stem === undefined) return [{ path, what: 'is named neither name.ts nor name.test.ts' }]
    const found: Violation[] = []
    for (const part of [...parts, stem]) {
      if (DENIED.includes(part) || DENIED_END.test(part)) {
        found.push({ path, what: `"${part}" says nothing: name what is inside` })
      }
      if (!KEBAB.test(part)) found.push({ path, what: `"${part}" is not kebab-case` })
    }
    if (stem === 'index' && !BARRELS.includes(path.replace('.test.ts', '.ts')))
      found.push({ path, what: `only ${BARRELS.join(', ')} may be called index` })
    return found
  })
}

function exportViolations(files: readonly SourceFile[]): Violation[] {
  return files.flatMap(({ path, code }) =>
    code.split('\n').flatMap((text, index) => {
      const line = index + 1
      if (/^export default\b|^export \{.*\bas default\b/.test(text)) {
        return [{ path, line, what: 'default export: give it a name' }]
      }
      if (/^export (type )?\*/.test(text) && path !== 'contract/index.ts') {
        return [{ path, line, what: 'export *: name what is exported' }]
      }
      return []
    }),
  )
}

/** Which vendor serves which letter is known to configuration, adapters and stand-ins only; mail domains are none. */
function vendorViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => VENDOR_FREE.test(path) && !isTest(path))
    .flatMap(({ path, code, literals }) =>
      [code, ...literals.map(({ text }) => text)]
        .filter((text) => /google(?!mail)|microsoft/i.test(text))
        .map(() => ({ path, what: 'names a vendor: say provider-a or provider-b' })),
    )
}

function sizeViolations(files: readonly SourceFile[]): Violation[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    const max = isTest(path) ? TEST_LINES_MAX : LINES_MAX
    return lines > max
      ? [{ path, what: `has ${lines} lines, more than ${max}: split it by what it does` }]
      : []
  })
}

describe('files', () => {
  it('have names that say what is inside', () => {
    expectNone(WORDS_RULE, nameViolations(sourceFiles().map(({ path }) => path)))
  })

  it('export by name', () => {
    expectNone(EXPORTS_RULE, exportViolations(sourceFiles()))
  })

  it('name no vendor of sign-in or calendars', () => {
    expectNone(VENDORS_RULE, vendorViolations(sourceFiles()))
  })

  it('are small', () => {
    expectNone(SIZE_RULE, sizeViolations(sourceFiles()))
  })
})

describe('the rules', () => {
  it.each([
    'server/src/utils/cut.ts',
    'server/src/features/rooms/types.ts',
    'server/src/features/rooms/room-helpers.ts',
    'server/src/features/rooms/RoomStore.ts',
    'server/src/features/rooms/room_store.ts',
    'server/src/features/rooms/index.ts',
    'server/src/features/rooms/create.handler.ts',
  ])('refuse the name %s', (path) => {
    expect(nameViolations([path])).not.toEqual([])
  })

  it.each([
    'contract/index.ts',
    'contract/index.test.ts',
    'server/src/platform/content-types.ts',
    'server/src/features/rooms/create-room.test.ts',
    'server/src/ports/mail.conformance.ts',
    'server/src/adapters/s3/bucket.ts',
  ])('allow the name %s', (path) => {
    expect(nameViolations([path])).toEqual([])
  })

  it.each(['export default function start() {}', 'export { start as default }', "export * from './a.ts'"])(
    'refuse: %s',
    (text) => {
      expect(exportViolations([sourceFile('server/src/platform/a.ts', `\n${text}\n`)])).toMatchObject([
        { line: 2 },
      ])
    },
  )

  it('refuse the name of a vendor in code and text, outside adapters', () => {
    const text = "const googleUrl = 'https://login.microsoftonline.com'\n"
    expect(vendorViolations([sourceFile('server/src/features/calendar/a.ts', text)])).toHaveLength(2)
    expect(vendorViolations([sourceFile('server/src/adapters/google-calendar/a.ts', text)])).toEqual([])
    expect(
      vendorViolations([sourceFile('server/src/directory/a.ts', "const a = 'googlemail.com'\n")]),
    ).toEqual([])
  })

  it('refuse long files, and allow tests to be longer', () => {
    const long = 'a()\n'.repeat(500)
    expect(sizeViolations([sourceFile('contract/a.ts', long)])).toHaveLength(1)
    expect(sizeViolations([sourceFile('contract/a.test.ts', long)])).toEqual([])
  })
})
