import { describe, expect, it } from 'vitest'
import { typesReachedBy } from './declared-types.ts'
import { lineAt } from './scan-text.ts'
import { isTest, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §9: ids are branded in platform/ids.ts alone'
const IDS = 'server/src/platform/ids.ts'
const BRANDED =
  /\bas (?:readonly )?(?:\w+<|\[)?(?:UserId|IdentityUserId|OrganizationId|IdentityOrganizationId|RoomId|RowId)\b/g
/** What a statement answers is text to us: a type argument would brand it unseen, by the names of types too. */
const ANSWERED = /\bsql<([^`]*?)>\s*`/g
/** What `platform/ids.ts` makes text of. */
const UNBRANDED = /\bAnswered<\w+>/g
const BRANDS = ['UserId', 'IdentityUserId', 'OrganizationId', 'IdentityOrganizationId', 'RoomId', 'RowId']
/** Who is a guest is told by that file too, in words and in SQL. */
const GUEST = /^guest:|'guest:/

function violations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => path.startsWith('server/src/') && path !== IDS && !isTest(path))
    .flatMap((file) => [
      ...brandedAnswers(file, files),
      ...[...file.code.matchAll(BRANDED)].map((match) => ({
        path: file.path,
        line: lineAt(file.code, match.index),
        what: `"${match[0]}": parse it, or call trusted`,
      })),
      ...file.literals
        .filter(({ text }) => GUEST.test(text))
        .map(({ line }) => ({
          path: file.path,
          line,
          what: 'writes the prefix of guests: see platform/ids.ts',
        })),
    ])
}

function brandedAnswers(file: SourceFile, files: readonly SourceFile[]): Violation[] {
  return [...file.code.matchAll(ANSWERED)]
    .filter(([, type = '']) =>
      BRANDS.some((brand) => typesReachedBy(type.replaceAll(UNBRANDED, ''), file, files).has(brand)),
    )
    .map((match) => ({
      path: file.path,
      line: lineAt(file.code, match.index),
      what: `"sql<${match[1]}>" brands what the database answers: map the rows with trusted`,
    }))
}

describe('ids', () => {
  it('are branded, and told from those of guests, in one file', () => {
    expectNone(RULE, violations(sourceFiles()))
  })

  it.each([
    'const user = row.user_id as UserId',
    'const all = [...rows] as OrganizationId[]',
    'const map = new Map() as Map<RoomId, string>',
    'const found = sql<{ user: UserId }>`select 1`',
    'const found = sql<Found & {\n  rooms: RoomId[]\n}>`select 1`',
    'interface Row {\n  room: RoomId\n}\nconst found = sql<Row>`select 1`',
    'type Row = Pick<Whole, "room">\nexport interface Whole extends Part {\n  a: 1\n}\ntype Part = { room: RoomId }\nconst found = sql<Row[]>`select 1`',
    "const isGuest = identity.startsWith('guest:')",
    "const found = sql`select from p where identity like 'guest:%'`",
  ])('are refused elsewhere: %s', (text) => {
    expect(violations([sourceFile('server/src/features/rooms/a.ts', text)])).toHaveLength(1)
    expect(violations([sourceFile(IDS, text)])).toEqual([])
  })

  it('are refused in rows that another file declares', () => {
    const rows = sourceFile(
      'server/src/features/rooms/b.ts',
      'export type Row = { room: RoomId; name: string }',
    )
    const query = sourceFile(
      'server/src/features/rooms/a.ts',
      "import type { Row } from './b.ts'\nconst found = sql<Row>`select 1`",
    )
    expect(violations([rows, query])).toMatchObject([{ path: query.path, line: 2 }])
  })

  it('are nothing to rows of text', () => {
    const text =
      'interface Row {\n  room: string\n}\ntype Other = { room: RoomId }\nsql<Row>`select 1`\nsql<Answered<Other>>`select 1`'
    expect(violations([sourceFile('server/src/features/rooms/a.ts', text)])).toEqual([])
  })
})
