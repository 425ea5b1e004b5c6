import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectNone, type Violation } from './violations.ts'

const CATALOGUE = 'server/migrations/catalogue.jsonl'
const RULE =
  'ARCHITECTURE.md §9: functions of the database bound what they compose, and lock nothing that taking access away waits for'

/** Composing text costs the square of the marks in a row, and no timeout ends it: done where the text is bounded before. */
const COMPOSING = new Set(['composed'])
/**
 * What a removal of access changes, so that it waits for the holder of the lock: one function locks it, as the last
 * thing before the commit.
 */
const DECIDING = /\b(?:from|join)\s+(memberships|users|organizations|sessions)\b(?:\s+(?:as\s+)?(\w+))?/g
const LOCK = /\bfor\s+(?:no\s+key\s+)?(?:update|share)\b(?:\s+of\s+(\w+))?/g
const LOCKING = new Set(['require_sender'])

interface SqlFunction {
  name: string
  text: string
}

/** The functions that the migrations make in the end, without comments. */
function functionsOf(catalogue: string): SqlFunction[] {
  return catalogue
    .split('\n')
    .filter((line) => line.startsWith('{"kind":"function"'))
    .map((line) => JSON.parse(line) as { name: string; mend: string[] })
    .map(({ name, mend }) => ({
      name: name.replace(/^public\.|\(.*$/g, ''),
      text: mend.join('\n').replaceAll(/--.*$/gm, ''),
    }))
}

/** The deciding tables with rows that a text locks: by a lock of the same query, which names them or none. */
function lockedIn(text: string): string[] {
  return text.split(';').flatMap((statement) =>
    [...statement.matchAll(DECIDING)].flatMap(({ 1: table = '', 2: alias = table, index }) => {
      const rest = statement.slice(index)
      const locks = [...rest.matchAll(LOCK)].filter((lock) => isOneQuery(rest.slice(0, lock.index)))
      return locks.some(([, of]) => of === undefined || of === alias) ? [table] : []
    }),
  )
}

/** Whether no parenthesis is open at the end, nor one closed that was open before. */
function isOneQuery(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}

function violationsOf({ name, text }: SqlFunction): Violation[] {
  const composes = /\bnormalize\s*\(/i.test(text) && !COMPOSING.has(name)
  const locks = LOCKING.has(name) ? [] : lockedIn(text)
  return [
    ...(composes ? ['composes text: let composed() do it, which bounds it'] : []),
    ...locks.map((table) => `locks rows of ${table}, which taking access away waits for`),
  ].map((what) => ({ path: CATALOGUE, what: `${name}() ${what}` }))
}

describe('functions of the database', () => {
  it('compose only what is bounded, and lock nothing that whoever takes access away waits for', () => {
    const functions = functionsOf(readFileSync(join(import.meta.dirname, '../../..', CATALOGUE), 'utf8'))
    expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining([...COMPOSING, ...LOCKING]))
    expectNone(RULE, functions.flatMap(violationsOf))
  })

  it.each([
    ['composes', 'begin named := btrim(normalize(p_title, NFC)); end'],
    ['locks', 'begin perform from memberships m where m.user_id = me\n    for no key update of m; end'],
    ['locks', 'begin select 1 from conversations c join users u on u.id = c.low_user_id for share; end'],
  ])('are found where one %s', (_what, text) => {
    expect(violationsOf({ name: 'planted', text })).toHaveLength(1)
  })

  it.each([
    'begin perform from memberships m where m.user_id = me; select 1 from conversations for update; end',
    'begin perform from users u where u.id = me for key share; end',
    'begin select exists (select from memberships p where p.user_id = 1) from conversations c for update of c; end',
    'begin select 1 from memberships m left join lateral (select 1 from presence for update) p on true; end',
    'begin return composed(p_title, 3072); end',
  ])('are left alone where one does neither: %s', (text) => {
    expect(violationsOf({ name: 'planted', text })).toEqual([])
  })
})
