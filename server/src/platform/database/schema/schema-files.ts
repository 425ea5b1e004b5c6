import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In the order in which a database needs them. */
export const SCHEMA_KINDS = ['function', 'view', 'trigger', 'policy', 'right'] as const
export type SchemaKind = (typeof SCHEMA_KINDS)[number]

/** One statement of a `schema.sql`. */
export interface SchemaStatement {
  /** From the root of the repository: `server/src/features/chat/schema.sql`. */
  path: string
  line: number
  kind: SchemaKind
  /** Of a function its name alone; of a trigger or policy `name on table`. */
  name: string
  text: string
}

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url))
const SOURCES = 'server/src'

const NAMED: readonly [SchemaKind, RegExp][] = [
  ['function', /^create or replace (?:function|aggregate) (\w+)/i],
  ['view', /^create or replace view (\w+)/i],
  ['trigger', /^create (?:or replace |constraint )trigger (\w+)[\s\S]*?\son (\w+)/i],
  ['trigger', /^drop trigger if exists (\w+) on (\w+)/i],
  ['policy', /^(?:create policy|drop policy if exists) (\w+) on (\w+)/i],
  ['right', /^(?:grant|revoke) \w+ on (?:function )?(\w+)/i],
]

let known: SchemaStatement[] | undefined
let names: ReadonlySet<string> | undefined

/** Every statement of every `schema.sql` of the server, by the path of its file. Read once. */
export function schemaFiles(): readonly SchemaStatement[] {
  known ??= readdirSync(join(ROOT, SOURCES), { recursive: true, encoding: 'utf8' })
    .map((path) => `${SOURCES}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('/schema.sql'))
    .sort()
    .flatMap((path) => schemaStatements(path, readFileSync(join(ROOT, path), 'utf8')))
  return known
}

/** Of all statements and their order; comments do not count. */
export function schemaDigest(): string {
  const hash = createHash('sha256')
  for (const { text } of schemaFiles()) hash.update(text).update(';')
  return hash.digest('hex')
}

/** A part of a database as its catalogue names it. */
export interface SchemaPart {
  kind: string
  name: string
}

/** Kinds that `schema.sql` may make; rights are those on what it makes. */
const HELD: ReadonlySet<string> = new Set(['function', 'view', 'trigger', 'policy', 'grant'])

/** Whether a `schema.sql` makes it. */
export function isInSchemaFiles(part: SchemaPart): boolean {
  names ??= new Set(schemaFiles().map(({ name }) => name))
  return HELD.has(part.kind) && names.has(statementName(part))
}

/** The statements that make parts of the schema; with a function or view the rights on it. */
export function statementsFor(parts: readonly SchemaPart[]): SchemaStatement[] {
  const wanted = new Set(parts.map(statementName))
  return schemaFiles().filter(({ name }) => wanted.has(name))
}

/** `open_dm` of `public.open_dm(bigint)`, `execute on function public.open_dm(bigint) to public` and the like. */
function statementName({ name }: SchemaPart): string {
  return name
    .replace(/^\w+ on (?:function|table) /, '')
    .replace(/ to \w+$/, '')
    .replace(/\(.*$/, '')
    .replaceAll('public.', '')
}

/** @throws Error where a statement does not belong into a `schema.sql` */
export function schemaStatements(path: string, text: string): SchemaStatement[] {
  return statementsOf(text.replaceAll('\r\n', '\n')).map(({ text: statement, line }) => {
    for (const [kind, pattern] of NAMED) {
      const [found, name = '', table] = pattern.exec(statement) ?? []
      if (found) return { path, line, kind, name: table ? `${name} on ${table}` : name, text: statement }
    }
    throw new Error(
      `${path}:${line} is no function, view, trigger, policy or right of one of them: ${statement}`,
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
    const text = sql.slice(from, index).replace(/^(?:\s|--[^\n]*\n)+/, '')
    const line = sql.slice(0, index - text.length).split('\n').length
    found.push({ text, line })
    from = index + 1
  }
  return found
}
