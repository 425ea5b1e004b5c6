import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { filesBelow, ROOT } from './source-files.ts'

/** In the order in which a database needs them. */
export const SCHEMA_KINDS = ['function', 'view', 'trigger', 'policy', 'right'] as const
export type SchemaKind = (typeof SCHEMA_KINDS)[number]

/** One statement of a `schema.sql`. */
export interface SchemaStatement {
  /** `server/src/features/chat/schema.sql` */
  path: string
  line: number
  kind: SchemaKind
  /** Of a function its name alone; of a trigger or policy `name on table`. */
  name: string
  text: string
}

const NAMED: readonly [SchemaKind, RegExp][] = [
  ['function', /^create or replace (?:function|aggregate) (\w+)/i],
  ['view', /^create or replace view (\w+)/i],
  ['trigger', /^create (?:or replace |constraint )trigger (\w+)[\s\S]*?\son (\w+)/i],
  ['trigger', /^drop trigger if exists (\w+) on (\w+)/i],
  ['policy', /^(?:create policy|drop policy if exists) (\w+) on (\w+)/i],
  ['right', /^(?:grant|revoke) \w+ on (?:function )?(\w+)/i],
]

/** Every `schema.sql` of the server, statement by statement. */
export function schemaFiles(): SchemaStatement[] {
  return filesBelow('server/src')
    .filter((path) => posix.basename(path) === 'schema.sql')
    .flatMap((path) => schemaStatements(path, readFileSync(join(ROOT, path), 'utf8')))
}

/** @throws Error where a statement is none that belongs there */
export function schemaStatements(path: string, text: string): SchemaStatement[] {
  return statementsOf(text).map(({ text: statement, line }) => {
    for (const [kind, pattern] of NAMED) {
      const [found, name = '', table] = pattern.exec(statement) ?? []
      if (found) return { path, line, kind, name: table ? `${name} on ${table}` : name, text: statement }
    }
    throw new Error(
      `${path}:${line} holds functions, views, triggers, policies and their rights: ${statement}`,
    )
  })
}

/** What SQL reads as one: a comment, a text, a body between dollars, or the end of a statement. */
const TOKEN = /--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;/g

/** Statements without the comments before them. */
function statementsOf(sql: string): { text: string; line: number }[] {
  const found: { text: string; line: number }[] = []
  let from = 0
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (token !== ';') continue
    const whole = sql.slice(from, index)
    const text = whole.replace(/^(?:\s|--[^\n]*\n)+/, '')
    const line = sql.slice(0, index - text.length).split('\n').length
    found.push({ text, line })
    from = index + 1
  }
  return found
}

/** The statement without comments and texts: names of tables and functions are left. */
export function codeOf(statement: string): string {
  return statement.replaceAll(/--[^\n]*|'(?:[^']|'')*'/g, ' ')
}
