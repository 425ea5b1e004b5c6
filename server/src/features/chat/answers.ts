import type { PipelinedStatement, TextRows } from '../../platform/database/pipeline.ts'
import { type Arguments, bodyArguments, checkedArguments, fits, queryArguments } from './call-arguments.ts'
import type { Answer, Question } from './exchange.ts'
import { invalidBody, notOneRow, PostgrestFault, unreadable } from './faults.ts'
import type { Preferences } from './preferences.ts'
import { acceptedForm, present, rangeOf, unsatisfiable } from './presentation.ts'
import { columnsOf, onceOf, ROWS_MAX, type Wanted, wantedOf } from './query-string.ts'
import { FUNCTIONS, type Relation, SENT_COLUMNS, TABLES } from './relations.ts'
import {
  callOf,
  countRows,
  perform,
  readCall,
  readRows,
  type Source,
  sendMessages,
  sentAgain,
} from './statements.ts'

/** `GET /rest/v1/<table>` */
export async function answerRows(question: Question): Promise<Answer> {
  const table = tableOf(question)
  if (table.closed) throw denied(table)
  const source = { sql: table.storedAs ?? table.name, values: [] }
  const wanted = withRange(wantedOf(table, question.query), question)
  const reading = readRows(source, wanted)
  const selection = { source, wanted, reading, stable: true, ask: question.askForRows }
  return await answerSelection(question, selection)
}

/** `POST /rest/v1/rpc/<function>`, and `GET` of those that change nothing */
export async function answerCall(question: Question): Promise<Answer> {
  const called = FUNCTIONS.get(question.name)
  const byGet = question.method !== 'POST'
  const given = byGet ? queryArguments(called, question.query) : bodyArguments(called, question.body)
  if (!called || !fits(called, given)) throw noSuchFunction(question.name, [...given.keys()])
  if (byGet && !called.stable) {
    throw new PostgrestFault(405, '25006', `${called.name} changes something: call it by POST`, {
      headers: { allow: 'POST, OPTIONS' },
    })
  }
  const { stable } = called
  const source = callOf(called, checkedArguments(given))
  if (called.columns.length === 0) {
    requireNoQuery(question, [])
    await question.ask([perform(source)])
    return { status: 204 }
  }
  const besides = byGet ? [...given.keys()] : []
  const wanted = withRange(wantedOf(called, question.query, besides), question)
  // it has one row: what would leave it out would deny what was done
  if (!stable) requireWhole(question, wanted)
  const all = wanted.offset === 0 && wanted.limit === ROWS_MAX
  const plain = all && Object.keys(question.query).every((name) => besides.includes(name))
  const short = isShort(given)
  const reading = plain ? readCall(source, called, short) : readRows(source, wanted)
  const selection = { source, wanted, reading, stable, ask: question.ask }
  const answer = await answerSelection(question, selection)
  const items = called.worthEach ? given.get(called.worthEach) : undefined
  return items ? { ...answer, calls: items.split(',').length } : answer
}

function requireWhole(question: Question, { offset, limit }: Wanted): void {
  requireNoQuery(question, ['select', 'order', 'limit', 'offset'])
  if (offset > 0 || limit < 1)
    throw unreadable('query', `${offset}, ${limit}`, 'it would leave out the one row')
}

/** Pages of so many rows have bytes, and take time, that need no bound of their own. */
const SHORT_PAGE_ROWS = 100

/** Whether a page is short. Without `p_limit` it is as long as the function has it: short. */
function isShort(given: Arguments): boolean {
  return Number(given.get('p_limit') ?? 0) <= SHORT_PAGE_ROWS
}

interface Selection {
  source: Source
  wanted: Wanted
  reading: PipelinedStatement
  /** Changes nothing: it may be asked twice, once for the rows and once for their number. */
  stable: boolean
  ask: Question['ask']
}

async function answerSelection(
  question: Question,
  { source, wanted, reading, stable, ask }: Selection,
): Promise<Answer> {
  const form = acceptedForm(question.headers)
  const { preferences } = question
  const { counts } = preferences
  const counting = counts && stable ? [countRows(source, wanted)] : []
  const statements = [reading, ...counting]
  const [rows, counted] = await ask(statements)
  const found = jsonOf(rows)
  const total = counted ? Number(counted[0]?.[0]) : counts ? found.rows : undefined
  return present(found, { form, offset: wanted.offset, total, preferences })
}

/** `POST /rest/v1/messages` */
export async function answerSent(question: Question): Promise<Answer> {
  const table = tableOf(question)
  if (table.name !== 'messages') return await refuseWriting(question)
  const { preferences, query } = question
  requireNoQuery(question, ['select', 'columns'])
  const columns = columnsOf(table, onceOf(query, 'select'))
  const form = acceptedForm(question.headers)
  const messages = sentOf(question, table)
  // before anything is sent: a refusal leaves nothing behind
  if (form === 'object' && messages.length !== 1 && preferences.returns === 'representation')
    throw notOneRow(messages.length)
  const json = JSON.stringify(messages)
  const again = messages.some(({ client_message_id: id }) => id !== undefined && id !== null)
  const answers = await question.ask([
    sendMessages(json, columns),
    ...(again ? [sentAgain(json, columns)] : []),
  ])
  // each of them is told to everybody in its conversation
  return { ...presentSent(answers.map(jsonOf), preferences, form), calls: messages.length - 1 }
}

function presentSent(
  answers: readonly { text: string; rows: number }[],
  preferences: Preferences,
  form: 'array' | 'object',
): Answer {
  const rows = answers.reduce((sum, answer) => sum + answer.rows, 0)
  const { returns = 'minimal' } = preferences
  const applied = new Set([`return=${returns}`, ...preferences.applied])
  const told = {
    'preference-applied': [...applied].join(', '),
    'content-range': `*/${preferences.counts ? rows : '*'}`,
  }
  if (returns === 'minimal') return { status: 201, headers: told }
  const text = `[${answers
    .filter((answer) => answer.rows > 0)
    .map((answer) => answer.text.slice(1, -1))
    .join(',')}]`
  const shown = present({ text, rows }, { form, offset: 0, total: undefined, preferences })
  return { ...shown, status: 201, headers: { ...shown.headers, ...told } }
}

/** Every change but a new message: the database's role has no right to it. */
export async function refuseWriting(question: Question): Promise<Answer> {
  throw denied(tableOf(question))
}

function denied({ name }: Relation): PostgrestFault {
  return new PostgrestFault(403, '42501', `permission denied for table ${name}`)
}

function tableOf({ name }: Question): Relation {
  const table = TABLES.get(name)
  if (table) return table
  throw new PostgrestFault(
    404,
    'PGRST205',
    `Could not find the table 'public.${name.slice(0, 100)}' in the schema cache`,
  )
}

/** What a client says in the query string is heeded or refused. */
function requireNoQuery({ query }: Question, but: readonly string[]): void {
  const other = Object.keys(query).find((name) => !but.includes(name))
  if (other !== undefined) throw unreadable('query', other.slice(0, 100), 'it means nothing here')
}

function withRange(wanted: Wanted, { method, headers }: Question): Wanted {
  const range = rangeOf(headers)
  if (!range) return wanted
  if (method === 'POST') throw unsatisfiable('The Range header goes with GET; use limit and offset.')
  const offset = wanted.offset + range.offset
  return { ...wanted, offset, limit: Math.min(wanted.limit, range.limit ?? wanted.limit) }
}

function jsonOf(rows: TextRows | undefined): { text: string; rows: number } {
  const [text, count] = rows?.[0] ?? []
  return { text: text ?? '[]', rows: Number(count ?? 0) }
}

function noSuchFunction(name: string, parameters: readonly string[]): PostgrestFault {
  const called = parameters.length > 0 ? `(${parameters.join(', ')})` : ' without parameters'
  return new PostgrestFault(
    404,
    'PGRST202',
    `Could not find the function public.${`${name}${called}`.slice(0, 200)} in the schema cache`,
  )
}

/** Most messages that are sent at once: their conversations are locked until all of them are. */
const SENT_MAX = 100

type Sent = Partial<Record<keyof typeof SENT_COLUMNS, unknown>>

/** The messages of a body, with what their sender says of them: columns that the server sets are left out. */
function sentOf({ body, query }: Question, table: Relation): Sent[] {
  const columns = onceOf(query, 'columns')?.split(',')
  const among = columns && new Set(columns.map((name) => name.trim().replaceAll('"', '')))
  for (const name of among ?? []) if (!table.columns.includes(name)) throw noSuchColumn(name, table)
  const items = Array.isArray(body) ? body : [body]
  if (items.length > SENT_MAX)
    throw new PostgrestFault(413, '54000', `At most ${SENT_MAX} messages are sent at once`)
  return items.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) throw invalidBody()
    const names = Object.keys(item).filter((name) => !among || among.has(name))
    for (const name of names) if (!table.columns.includes(name)) throw noSuchColumn(name, table)
    const sent: Sent = Object.fromEntries(
      names
        .filter((name) => Object.hasOwn(SENT_COLUMNS, name))
        .map((name) => [name, (item as Record<string, unknown>)[name]]),
    )
    return sent
  })
}

function noSuchColumn(name: string, table: Relation): PostgrestFault {
  return new PostgrestFault(
    400,
    'PGRST204',
    `Could not find the '${name.slice(0, 100)}' column of '${table.name}' in the schema cache`,
  )
}
