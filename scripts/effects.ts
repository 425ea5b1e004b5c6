import type { SchemaStatement } from '../server/src/platform/database/schema/schema-files.ts'

/** A change of rows. Without a column an update is of any. */
export interface Change {
  table: string
  event: 'insert' | 'update' | 'delete'
  column?: string
}

interface Trigger {
  name: string
  table: string
  /** By event, the columns that it hears of; empty: all. */
  events: ReadonlyMap<Change['event'], readonly string[]>
  calls: string
}

interface SqlFunction {
  name: string
  place: string
  writes: readonly Change[]
  events: readonly string[]
  queues: readonly string[]
  notifications: readonly string[]
  calls: readonly string[]
}

export interface Schema {
  triggers: readonly Trigger[]
  functions: ReadonlyMap<string, SqlFunction>
}

/** By name, the file that works on a queue, and the one that listens to a notification. */
export interface Places {
  queues: Map<string, string>
  notifications: Map<string, string>
}

/** What `schema.sql` says of triggers and of what their functions do. */
export function readSchema(statements: readonly SchemaStatement[]): Schema {
  const made = statements.filter(({ text }) => /^create/i.test(text))
  const functions = made.filter(({ kind }) => kind === 'function')
  const names = functions.map(({ name }) => name)
  return {
    triggers: made.filter(({ kind }) => kind === 'trigger').map(triggerOf),
    functions: new Map(functions.map((statement) => [statement.name, functionOf(statement, names)])),
  }
}

function triggerOf({ name, text }: SchemaStatement): Trigger {
  const [trigger = '', table = ''] = name.split(' on ')
  const [, told = ''] = /\s(?:before|after|instead of)\s+([\s\S]*?)\s+on\s/i.exec(text) ?? []
  const events = told.split(/\s+or\s+/i).map((part) => {
    const [, event = '', columns = ''] = /^(\w+)(?:\s+of\s+([\s\S]*))?$/i.exec(part.trim()) ?? []
    return [event.toLowerCase() as Change['event'], columns.split(/[\s,]+/).filter(Boolean)] as const
  })
  const [, calls = ''] = /execute (?:function|procedure) (\w+)/i.exec(text) ?? []
  return { name: trigger, table, events: new Map(events), calls }
}

function functionOf({ name, path, line, text }: SchemaStatement, names: readonly string[]): SqlFunction {
  const found = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, one = '']) => one))]
  return {
    name,
    place: `${path}:${line}`,
    writes: writesOf(text.replaceAll(/--[^\n]*/g, '')),
    events: found(/append_event\([^;]*?,\s*'([a-z-]+\.[a-z-]+|new_message)'/g),
    queues: found(/enqueue_(?:work|all)\('([\w-]+)'/g),
    notifications: found(/pg_notify\('(\w+)'/g),
    calls: found(/\b(\w+)\s*\(/g).filter((one) => one !== name && names.includes(one)),
  }
}

function writesOf(text: string): Change[] {
  const inserts = [...text.matchAll(/\binsert into (\w+)/gi)].map(([, table = '']) => ({
    table,
    event: 'insert' as const,
  }))
  const deletes = [...text.matchAll(/\bdelete from (\w+)/gi)].map(([, table = '']) => ({
    table,
    event: 'delete' as const,
  }))
  const updates = [
    ...text.matchAll(/\bupdate (\w+)(?: \w+)? set ([\s\S]*?)(?:\bwhere\b|\bfrom\b|;|$)/gi),
  ].flatMap(([, table = '', set = '']) =>
    [...set.matchAll(/(?:^|,)\s*(\w+)\s*=/g)].map(([, column = '']) => ({
      table,
      event: 'update' as const,
      column,
    })),
  )
  return [...inserts, ...updates, ...deletes]
}

/** One line for each effect, below what it follows from. */
export function effectsOf(schema: Schema, changes: readonly Change[], places: Places): string[] {
  const lines: string[] = []
  const seen = new Set<string>()
  const follow = (change: Change, depth: number) => {
    for (const trigger of schema.triggers.filter((one) => hears(one, change))) {
      const called = schema.functions.get(trigger.calls)
      if (called) tell(called, `${sentenceOf(change)} → trigger ${trigger.name}`, depth)
    }
  }
  const tell = (called: SqlFunction, from: string, depth: number) => {
    const line = `${from} → ${called.name}  (${called.place})`
    if (seen.has(line)) return
    seen.add(line)
    lines.push('  '.repeat(depth) + line)
    const add = (what: string) => lines.push(`${'  '.repeat(depth + 1)}${what}`)
    for (const event of called.events) add(`event ${event}  (docs/events.md)`)
    for (const queue of called.queues)
      add(`queue ${queue}  (${places.queues.get(queue) ?? 'nobody works on it'})`)
    for (const name of called.notifications)
      add(`notification ${name}  (${places.notifications.get(name) ?? 'nobody listens'})`)
    for (const write of called.writes) {
      add(sentenceOf(write))
      follow(write, depth + 2)
    }
    for (const name of called.calls) {
      const inner = schema.functions.get(name)
      if (inner && hasEffects(inner, schema)) tell(inner, 'calls', depth + 1)
    }
  }
  for (const change of changes) follow(change, 0)
  return lines
}

function hears({ table, events }: Trigger, change: Change): boolean {
  const columns = table === change.table ? events.get(change.event) : undefined
  if (!columns) return false
  return columns.length === 0 || change.column === undefined || columns.includes(change.column)
}

function hasEffects(called: SqlFunction, schema: Schema, seen: readonly string[] = []): boolean {
  if (seen.includes(called.name) || ['append_event', 'enqueue_work', 'enqueue_all'].includes(called.name))
    return false
  const { writes, events, queues, notifications, calls } = called
  if (writes.length + events.length + queues.length + notifications.length > 0) return true
  return calls.some((name) => {
    const inner = schema.functions.get(name)
    return inner !== undefined && hasEffects(inner, schema, [...seen, called.name])
  })
}

function sentenceOf({ table, event, column }: Change): string {
  return `${event} ${table}${column ? `.${column}` : ''}`
}
