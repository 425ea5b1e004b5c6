import { describe, expect, it } from 'vitest'
import { lineAt } from './scan-text.ts'
import { isTest, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §9: ids are branded in platform/ids.ts alone'
const IDS = 'server/src/platform/ids.ts'
const BRANDED =
  /\bas (?:readonly )?(?:\w+<|\[)?(?:UserId|IdentityUserId|OrganizationId|IdentityOrganizationId|RoomId)\b/g
/** What a statement answers is text to us: a type argument would brand it unseen. */
const ANSWERED = /\bsql<([^`]*?)>\s*`/g
const BRANDS = /\b(?:UserId|IdentityUserId|OrganizationId|IdentityOrganizationId|RoomId)\b/
/** Who is a guest is told by that file too, in words and in SQL. */
const GUEST = /^guest:|'guest:/

function violations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => path.startsWith('server/src/') && path !== IDS && !isTest(path))
    .flatMap(({ path, code, literals }) => [
      ...[...code.matchAll(BRANDED)].map((match) => ({
        path,
        line: lineAt(code, match.index),
        what: `"${match[0]}": parse it, or call trusted`,
      })),
      ...[...code.matchAll(ANSWERED)]
        .filter(([, type = '']) => BRANDS.test(type))
        .map((match) => ({
          path,
          line: lineAt(code, match.index),
          what: `"sql<${match[1]}>" brands what the database answers: map the rows with trusted`,
        })),
      ...literals
        .filter(({ text }) => GUEST.test(text))
        .map(({ line }) => ({ path, line, what: 'writes the prefix of guests: see platform/ids.ts' })),
    ])
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
    "const isGuest = identity.startsWith('guest:')",
    "const found = sql`select from p where identity like 'guest:%'`",
  ])('are refused elsewhere: %s', (text) => {
    expect(violations([sourceFile('server/src/features/rooms/a.ts', text)])).toHaveLength(1)
    expect(violations([sourceFile(IDS, text)])).toEqual([])
  })
})
