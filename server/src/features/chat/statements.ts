import type { PipelinedStatement } from '../../platform/database/pipeline.ts'
import type { Claims } from './claims.ts'
import { DATABASE_ROLE } from './claims.ts'
import type { Filter, Operator, Order, Wanted } from './query-string.ts'
import { type RemoteFunction, SENT_COLUMNS } from './relations.ts'

type Value = string | null

/** Where rows come from, as SQL, with the values it needs. */
export interface Source {
  sql: string
  values: readonly Value[]
}

/**
 * What the functions of chat find set on every connection: that moments are written in UTC, where images are served
 * from, and the limits of organizations that have none of their own. Said for each request it cost 4 µs of 23
 * (`pgbench`).
 */
export function chatSettings(imageBaseUrl: string, limits: ChatLimits): Record<string, string> {
  return {
    timezone: 'UTC',
    'atrium.image_base_url': imageBaseUrl,
    'atrium.messages_per_conversation': String(limits.messagesPerConversation),
    'atrium.messages_per_person': String(limits.messagesPerUser),
    'atrium.groups_per_person': String(limits.groupsPerUser),
    'atrium.people_per_group': String(limits.peoplePerGroup),
    'atrium.edit_minutes': String(limits.editMinutes),
  }
}

/** Of the deployment; 0: no limit. */
export interface ChatLimits {
  messagesPerConversation: number
  messagesPerUser: number
  groupsPerUser: number
  peoplePerGroup: number
  /** Minutes in which a message may be changed by its author. */
  editMinutes: number
}

/** First of every pipeline: from here on it is the role that asks, with the claims of the token. */
export function enter({ userId, organizationId }: Claims): PipelinedStatement {
  const claims = { role: DATABASE_ROLE, user_id: userId, org_id: organizationId }
  return {
    prepared: true,
    text: `select set_config('role', '${DATABASE_ROLE}', true), set_config('request.jwt.claims', $1, true)`,
    values: [JSON.stringify(claims)],
  }
}

/** One row: a JSON array of the wanted rows, and how many they are. */
export function readRows(source: Source, wanted: Wanted): PipelinedStatement {
  const { where, values } = conditions(source.values, wanted.filters)
  const order = wanted.order.length > 0 ? ` order by ${wanted.order.map(orderBy).join(', ')}` : ''
  values.push(String(wanted.limit), String(wanted.offset))
  const range = ` limit $${values.length - 1}::bigint offset $${values.length}::bigint`
  const rows = `select ${list(wanted)} from ${source.sql} t${where}${order}${range}`
  return { binary: true, text: asBoundedJson(rows), values }
}

/** One row: how many rows there are, whatever the limit. */
export function countRows(source: Source, wanted: Wanted): PipelinedStatement {
  const { where, values } = conditions(source.values, wanted.filters)
  return { text: `select count(*) from ${source.sql} t${where}`, values }
}

/** A call of a function with named arguments. */
export function callOf(called: RemoteFunction, given: ReadonlyMap<string, Value>): Source {
  const named = [...given.keys()].sort()
  const sql = writtenOnce(`${called.name} ${named}`, () => {
    const args = named.map((name, index) => `${name} => $${index + 1}::${called.parameters[name]}`)
    return `${called.name}(${args.join(', ')})`
  })
  return { sql, values: named.map((name) => given.get(name) ?? null) }
}

/**
 * All rows of a function: the statement that comes most often, of which there are few.
 * @param short the page is so short that its bytes need no counting
 */
export function readCall(source: Source, { columns }: RemoteFunction, short: boolean): PipelinedStatement {
  const text = writtenOnce(`${short} ${source.sql}`, () => {
    const all = columns.map((name) => ({ name, alias: name }))
    const rows = `select ${list({ columns: all })} from ${source.sql} t`
    return short ? asJson(rows) : asBoundedJson(rows)
  })
  return { prepared: true, binary: true, text, values: source.values }
}

const written = new Map<string, string>()

/**
 * A text that comes again and again, written the first time alone: every new one would be hashed again to find its
 * statement. For keys of which there are few: none that a client's words shape.
 */
function writtenOnce(key: string, write: () => string): string {
  const known = written.get(key)
  if (known) return known
  const text = write()
  written.set(key, text)
  return text
}

export function perform(source: Source): PipelinedStatement {
  return { prepared: true, text: `select ${source.sql}::text`, values: source.values }
}

const SENT = Object.keys(SENT_COLUMNS).join(', ')
const SENT_AS = Object.entries(SENT_COLUMNS)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ')

/**
 * Inserts the messages of a JSON array, conversation by conversation in the same order as everybody: two who send to
 * several never wait for each other in a circle. Answers those that cannot be sent again; `sentAgain` finds the rest.
 */
export function sendMessages(json: string, columns: Wanted['columns']): PipelinedStatement {
  const rows = `select ${list({ columns })} from sent t where t.client_message_id is null`
  return {
    binary: true,
    text: `with sent as (
      insert into messages (${SENT}) select ${SENT}
        from rows from (jsonb_to_recordset($1::jsonb) as (${SENT_AS})) with ordinality g (${SENT}, place)
        order by conversation_id, place
      returning *)
      ${asJson(rows)}`,
    values: [json],
  }
}

/** Messages by the ids their client gave them, sent now or before. */
export function sentAgain(json: string, columns: Wanted['columns']): PipelinedStatement {
  return {
    binary: true,
    text: asJson(`select ${list({ columns })} from messages t
      where t.sender_id = (select chat_user_id()) and (t.conversation_id, t.client_message_id) in (
        select g.conversation_id, g.client_message_id
        from jsonb_to_recordset($1::jsonb) as g (${SENT_AS}))
      order by t.message_id`),
    values: [json],
  }
}

/** One row: the rows as JSON, and how many they are; both as text, for `binary`. */
function asJson(rows: string): string {
  return `select coalesce(json_agg(r), '[]'), count(*)::text from (${rows}) r`
}

/** Largest answer, in bytes. A page of 100 messages can be somewhat longer, if each is as long as it may be. */
export const ANSWER_BYTES_MAX = 2 * 1024 * 1024

/**
 * As `asJson`, and refused by the database as soon as it is too long: neither there nor here is more of it kept. `offset
 * 0`: otherwise each row would be written twice, once for each aggregate.
 */
function asBoundedJson(rows: string): string {
  const written = `select row_to_json(r) as line from (${rows}) r offset 0`
  return `select coalesce(json_agg(line), '[]'), count(*)::text,
    answer_bytes(octet_length(line::text), ${ANSWER_BYTES_MAX})::text from (${written}) lines`
}

function list({ columns }: Pick<Wanted, 'columns'>): string {
  return columns.map(({ name, alias }) => `t.${name} as "${alias}"`).join(', ')
}

function orderBy({ column, direction, nulls }: Order): string {
  return `t.${column} ${direction}${nulls ? ` nulls ${nulls}` : ''}`
}

const COMPARISONS: Record<Exclude<Operator, 'in' | 'is'>, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
}

function conditions(
  before: readonly Value[],
  filters: readonly Filter[],
): { where: string; values: Value[] } {
  const values = [...before]
  const terms = filters.map(({ column, operator, negated, values: given }) => {
    const not = negated ? 'not ' : ''
    if (operator === 'is') return `${not}(t.${column} is ${given[0]?.replace('_', ' ')})`
    values.push(operator === 'in' ? arrayText(given) : (given[0] ?? ''))
    const value = `$${values.length}`
    const term =
      operator === 'in' ? `t.${column} = any (${value})` : `t.${column} ${COMPARISONS[operator]} ${value}`
    return `${not}(${term})`
  })
  return { where: terms.length > 0 ? ` where ${terms.join(' and ')}` : '', values }
}

/** An array in PostgreSQL's text form. */
export function arrayText(items: readonly Value[]): string {
  const written = items.map((item) => (item === null ? 'null' : `"${item.replaceAll(/["\\]/g, '\\$&')}"`))
  return `{${written.join(',')}}`
}
