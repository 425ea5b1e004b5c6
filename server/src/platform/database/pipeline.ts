import pg from 'pg'
import type { Pool } from './database.ts'
import { nameOf } from './named-statements.ts'

/** A statement of a pipeline. Values are in PostgreSQL's text form. */
export interface PipelinedStatement {
  text: string
  values: readonly (string | null)[]
  /** Parsed and planned once per connection. For texts of which there are few: none that a client's words shape. */
  prepared?: boolean
  /**
   * Columns in PostgreSQL's binary form. That of text and of JSON is the text itself, which PostgreSQL then need not
   * copy and measure once more: for 11 kB 7 µs of 165. For statements that have no other columns.
   */
  binary?: boolean
}

/** Rows as PostgreSQL wrote them: text, column by column. */
export type TextRows = readonly (readonly (string | null)[])[]

/** The SQL error of a pipeline, with the place of the statement that it came from; -1: of its end, the commit. */
export type PipelineError = Error & { statement?: number }

/**
 * Runs statements in one transaction and one round trip: all of them are sent at once, and PostgreSQL makes of what
 * comes before the end of the batch one transaction. The first that fails undoes all. Settings made by `set_config`
 * for the transaction hold for those that follow, and end with it.
 */
export async function runPipeline(
  pool: Pool,
  statements: readonly PipelinedStatement[],
): Promise<TextRows[]> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await sendPipeline(client, statements)
  } catch (error) {
    if (isBroken(error)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

/** As `runPipeline`, on a connection at hand: of a pool that is `shared`, also while others are under way on it. */
export function sendPipeline(
  client: pg.ClientBase,
  statements: readonly PipelinedStatement[],
): Promise<TextRows[]> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, (error, rows) => (rows ? resolve(rows) : reject(error))))
  })
}

/** Whether it is the connection that failed: where it was not the server that said no, nobody knows what comes next. */
export function isBroken(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError)
}

interface Wire extends pg.Connection {
  /** Of the driver: what has been prepared on this connection, by name. */
  parsedStatements: Record<string, string>
  /** Of the driver: what the server has not yet confirmed. */
  submittedNamedStatements: Record<string, string>
  stream: pg.Connection['stream'] & { cork(): void; uncork(): void; destroy(): void }
}

type Done = (error: Error | null, rows?: TextRows[]) => void

/** What the driver's own class has besides what its types tell. */
interface DriverQuery {
  submit(connection: pg.Connection): void
  /** What the driver notes as prepared when the server confirms one. */
  name: string
  text: string
  /** The driver puts one of its own around it, for answers that come too late. */
  callback: Done
}
const DriverQuery = pg.Query as unknown as new (config: { text: string }) => DriverQuery

/**
 * In the form that the driver hands messages of the server to. A query of the driver's own kind: others it refuses on
 * connections that several use at once, since they might keep a result open while the next is read. This one does not.
 */
class Pipeline extends DriverQuery {
  readonly #statements: readonly PipelinedStatement[]
  readonly #rows: (string | null)[][][]
  /** By the place of the statement: the name under which it is prepared now. */
  readonly #preparing: (string | undefined)[]
  #completed = 0

  constructor(statements: readonly PipelinedStatement[], done: Done) {
    super({ text: '' })
    this.#statements = statements
    this.#rows = statements.map(() => [])
    this.#preparing = statements.map(() => undefined)
    this.callback = done
  }

  override submit(connection: pg.Connection): void {
    const wire = connection as Wire
    wire.stream.cork()
    try {
      for (const [place, statement] of this.#statements.entries()) {
        this.#preparing[place] = send(wire, statement)
      }
      wire.sync()
    } catch (error) {
      // half of it would be sent without an end: whoever came behind would be part of it, and be given its answers
      wire.stream.destroy()
      throw error
    } finally {
      wire.stream.uncork()
    }
    this.#expect(0)
  }

  /** Says which statement the next confirmation is about. One stays prepared even where what comes after it fails. */
  #expect(place: number): void {
    this.#completed = place
    this.name = this.#preparing[place] ?? ''
    this.text = this.#statements[place]?.text ?? ''
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows[this.#completed]?.push(fields)
  }

  handleCommandComplete(): void {
    this.#expect(this.#completed + 1)
  }

  handleEmptyQuery(): void {
    this.#expect(this.#completed + 1)
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('no data')
  }

  handleCopyData(): void {}

  handleError(error: PipelineError, connection: pg.Connection): void {
    // what comes after the failure has not been prepared
    for (const name of this.#preparing) if (name) delete (connection as Wire).submittedNamedStatements[name]
    error.statement = this.#completed < this.#statements.length ? this.#completed : -1
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#rows)
  }
}

/** @returns the name under which the statement will have been prepared, where it is being prepared by this */
function send(
  wire: Wire,
  { text, values, prepared, binary = false }: PipelinedStatement,
): string | undefined {
  const known = (prepared && nameOf(text)) || ''
  // being prepared by somebody else on this connection: whether that succeeds, nobody knows yet
  const name = wire.submittedNamedStatements[known] === undefined ? known : ''
  const parses = !name || wire.parsedStatements[name] === undefined
  if (parses) wire.parse({ name, text, types: [] }, true)
  if (parses && name) wire.submittedNamedStatements[name] = text
  // the driver asks only whether anything is said
  wire.bind({ statement: name, values: [...values], binary: binary ? 'all' : '' }, true)
  wire.execute({}, true)
  return parses && name ? name : undefined
}
