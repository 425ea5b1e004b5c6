import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Operation, operationEntries } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { handlerPlaces, isHandlerFile } from '../../../scripts/generators/handler-places.ts'
import { filesBelow, ROOT } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'docs/spec-ledger.md: a row, and where it is served and shown'
const LEDGER = 'docs/spec-ledger.md'
const HEAD = '| row | where |'
const TEST = /(\.test\.tsx?|\.conformance\.ts)$|^(acceptance|engines|server\/tests)\//
const NOT_SHOWN = /\b(not built|untested)\b/

const operations = new Map<string, Operation>(operationEntries)
const handlers = filesBelow('server/src/features')
const isThere = (path: string) => existsSync(join(ROOT, path))

function violationsOf(text: string): Violation[] {
  return text.split('\n').flatMap((content, index) => {
    if (!content.startsWith('|') || content === HEAD || content === '|---|---|') return []
    return faultsOf(content).map((what) => ({ path: LEDGER, line: index + 1, what }))
  })
}

function faultsOf(row: string): string[] {
  const cells = row.slice(1, -1).split(/(?<!\\)\|/)
  const [, where = ''] = cells
  if (cells.length !== 2) return [`has ${cells.length} cells, not a row and where it is served`]
  if (NOT_SHOWN.test(where)) return []
  const named = [...where.matchAll(/`([^`]+)`/g)].map(([, word = '']) => whole(word))
  const beside = new Set(named.flatMap(testsBeside))
  const twice = named.filter((word) => beside.has(word))
  const shown = named.some((word) => TEST.test(word)) || beside.size > 0
  return [
    ...twice.map((word) => `${word} stands beside what the row names: leave it out`),
    ...(shown ? [] : ['no test stands beside what the row names: name one, or say untested']),
  ]
}

/** Documents name what lies in `server/src` from there. */
function whole(word: string): string {
  return isThere(`server/src/${word}`) ? `server/src/${word}` : word
}

function testsBeside(word: string): string[] {
  const declared = operations.get(word)
  if (!declared) return [word.replace(/\.tsx?$/, '.test$&')].filter((path) => path !== word && isThere(path))
  const places = handlerPlaces(word, declared)
  return handlers.filter((path) => places.some(({ name }) => isHandlerFile(path, name, '.test.ts')))
}

describe('the ledger', () => {
  it('names for every row what serves it and a test that is there, each once', () => {
    expectNone(RULE, violationsOf(readFileSync(join(ROOT, LEDGER), 'utf8')))
  })

  it.each([
    ['a file with its test', '`features/rooms/create-room.ts`'],
    ['an operation with its test', '`createRoom`'],
    ['an earlier operation with that of its successor', '`getUserInfo`'],
    ['a test elsewhere', '`server/migrations/0010_chat.sql`, `features/chat/limits.test.ts`'],
    ['what is not built', 'not built: nothing asks for it'],
  ])('lets pass %s', (_, where) => {
    expect(violationsOf(`| a row with \\| in it | ${where} |`)).toEqual([])
  })

  it.each([
    ['a test that stands beside', '`createRoom`, `features/rooms/create-room.test.ts`'],
    ['a row without a test', '`server/migrations/0010_chat.sql`'],
    ['an operation that there is not', '`createCastle`'],
    ['a cell too many', '`createRoom` | built'],
  ])('finds %s', (_, where) => {
    expect(violationsOf(`| a row | ${where} |`)).toHaveLength(1)
  })
})
