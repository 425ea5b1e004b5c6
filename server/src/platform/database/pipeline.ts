import pg from 'pg'
import { type SpanStart, traced } from '../trace.ts'
import type { Pool } from './database.ts'
import { isConnectionEnded, sentAgain } from './database-errors.ts'
import { nameOf } from './named-statements.ts'
import { DriverQuery, forgetPreparation, inOnePiece, preparationOf, prepare } from './pg-internals.ts'

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

const PIPELINE: SpanStart = {
  name: 'pipeline',
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
}

/**
 * Runs statements in one transaction and one round trip: all of them are sent at once, and PostgreSQL makes of what
 * comes before the end of the batch one transaction. The first that fails undoes all. Settings made by `set_config`
 * for the transaction hold for those that follow, and end with it. Where the server stops in its middle, it is sent again.
 * @param onTook told how long it took, from when there was a connection
 */
export async function runPipeline(
  pool: Pool,
  statements: readonly PipelinedStatement[],
  onTook?: (milliseconds: number) => void,
): Promise<TextRows[]> {
  return await sentAgain(() => runOnce(pool, statements, onTook))
}

async function runOnce(
  pool: Pool,
  statements: readonly PipelinedStatement[],
  onTook?: (milliseconds: number) => void,
): Promise<TextRows[]> {
  const client = await pool.connect()
  const began = performance.now()
  let broken: Error | undefined
  try {
    return await traced(PIPELINE, () => sendPipeline(client, statements))
  } catch (error) {
    if (isBroken(error)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
    onTook?.(performance.now() - began)
  }
}

/** As `runPipeline`, on a connection at hand. */
export function sendPipeline(
  client: pg.ClientBase,
  statements: readonly PipelinedStatement[],
): Promise<TextRows[]> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(client, statements, (error, rows) => (rows ? resolve(rows) : reject(error))))
  })
}

/**
 * Whether the connection itself failed: after an error that is not the server's, its state is unknown; after the
 * server's goodbye, it is closed.
 */
function isBroken(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || isConnectionEnded(error)
}

/** In the form that the driver hands messages of the server to. */
class Pipeline extends DriverQuery<TextRows[]> {
  readonly #client: pg.ClientBase
  readonly #statements: readonly PipelinedStatement[]
  readonly #rows: (string | null)[][][]
  /** By the place of the statement: the name under which it is prepared now. */
  readonly #preparing: (string | undefined)[]
  #completed = 0

  constructor(
    client: pg.ClientBase,
    statements: readonly PipelinedStatement[],
    done: (error: Error | null, rows?: TextRows[]) => void,
  ) {
    super({ text: '' })
    this.#client = client
    this.#statements = statements
    this.#rows = statements.map(() => [])
    this.#preparing = statements.map(() => undefined)
    this.callback = done
  }

  override submit(connection: pg.Connection): void {
    inOnePiece(connection, () => {
      for (const [place, statement] of this.#statements.entries()) {
        const name = (statement.prepared && nameOf(this.#client, statement.text)) || ''
        this.#preparing[place] = send(connection, name, statement)
      }
      connection.sync()
    })
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
    for (const name of this.#preparing) if (name) forgetPreparation(connection, name)
    error.statement = this.#completed < this.#statements.length ? this.#completed : -1
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#rows)
  }
}

/**
 * @param known the name that it has on this connection; empty for none
 * @returns the name under which the statement will have been prepared, where it is being prepared by this
 */
function send(
  connection: pg.Connection,
  known: string,
  { text, values, binary = false }: PipelinedStatement,
): string | undefined {
  const preparation = preparationOf(connection, known)
  // another query is preparing it, and may fail
  const name = preparation === 'under way' ? '' : known
  const parses = !name || preparation === undefined
  if (parses) prepare(connection, name, text)
  // the driver asks only whether anything is said
  connection.bind({ statement: name, values: [...values], binary: binary ? 'all' : '' }, true)
  connection.execute({}, true)
  return parses && name ? name : undefined
}
