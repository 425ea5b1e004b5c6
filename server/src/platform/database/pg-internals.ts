import pg from 'pg'

/**
 * Everything by which we lean on what `pg` does not document (ADR 0021): pipelines of several statements, connections
 * closed without a word, and the words of its errors. No other file does so; `pg-internals.test.ts` holds each of them
 * against the driver that is installed.
 */

/** The release of `pg` that the rest of this file, and its test, were read against. */
export const READ_AGAINST = '8.23.1'

/** A connection that the driver reads answers from: what it has besides its types. */
interface Wire extends pg.Connection {
  /** What the server has prepared on this connection, by name. */
  parsedStatements: Record<string, string>
  /** What is being prepared, and not confirmed yet. */
  submittedNamedStatements: Record<string, string>
  stream: pg.Connection['stream'] & { cork(): void; uncork(): void; destroy(reason?: Error): void }
}

interface BatchQuery<Answer> {
  /** Sends the messages. What it throws is given to the caller of the query. */
  submit(connection: pg.Connection): void
  /** What the driver notes as prepared when the server confirms a statement: its name, empty for none. */
  name: string
  text: string
  /** The driver puts one of its own around it, for answers that come too late. */
  callback: (error: Error | null, answer?: Answer) => void
}

/**
 * The class of the driver's own queries. Others it refuses on connections that several use at once, since they might
 * keep a result open while the next is read.
 */
export const DriverQuery = pg.Query as unknown as new <Answer>(config: { text: string }) => BatchQuery<Answer>

/** Sends what `write` writes in one piece. Where that fails halfway, the connection is closed. */
export function inOnePiece(connection: pg.Connection, write: () => void): void {
  const { stream } = connection as Wire
  stream.cork()
  try {
    write()
  } catch (error) {
    // half of it would be sent without an end: the next query would be part of it, and be given its answers
    stream.destroy()
    throw error
  } finally {
    stream.uncork()
  }
}

/** Whether a statement is prepared on a connection under a name, or another query is preparing it. */
export function preparationOf(connection: pg.Connection, name: string): 'prepared' | 'under way' | undefined {
  const { parsedStatements, submittedNamedStatements } = connection as Wire
  if (submittedNamedStatements[name] !== undefined) return 'under way'
  return parsedStatements[name] === undefined ? undefined : 'prepared'
}

/** Has a statement prepared under a name: when the server confirms it, the driver knows it too. */
export function prepare(connection: pg.Connection, name: string, text: string): void {
  const wire = connection as Wire
  wire.parse({ name, text, types: [] }, true)
  if (name) wire.submittedNamedStatements[name] = text
}

/** What was to be prepared under a name has failed, or never came to it. */
export function forgetPreparation(connection: pg.Connection, name: string): void {
  delete (connection as Wire).submittedNamedStatements[name]
}

/** Closes a connection without a word: for one that does not listen, or is in an unknown state. */
export function hangUp(client: pg.ClientBase, reason?: Error): void {
  const { connection } = client as unknown as { connection: Wire }
  connection.stream.destroy(reason)
}

/** Tells of the SQL state of every error that the server sends on a connection, for any query. */
export function onServerFault(client: pg.ClientBase, tell: (code: string) => void): void {
  const { connection } = client as unknown as { connection: Wire }
  connection.on('errorMessage', ({ code = '' }: { code?: string }) => tell(code))
}

/** True where the server has not answered a statement within `query_timeout`. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** What the driver says of a statement that it has not sent, since it knows that the connection has ended. */
const UNSENT_MESSAGES = [
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
]

/** True where the driver had heard of the connection's end before: the server knows nothing of the statement. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && UNSENT_MESSAGES.some((message) => error.message.startsWith(message))
}

/** What the driver and its pool say where there is no connection (any more), or none in time. */
export const AWAY_MESSAGES: readonly string[] = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
  ...UNSENT_MESSAGES,
  'Cannot use a pool after calling end',
]
