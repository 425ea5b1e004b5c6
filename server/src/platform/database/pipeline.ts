import type pg from 'pg'
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
    return await new Promise((resolve, reject) => {
      client.query(new Pipeline(statements, (error, rows) => (rows ? resolve(rows) : reject(error))))
    })
  } catch (error) {
    // without an SQL state it is not the server that said no: nobody knows what comes on this connection next
    if (!(error as { code?: unknown }).code) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

interface Wire extends pg.Connection {
  /** Of the driver: what has been prepared on this connection, by name. */
  parsedStatements: Record<string, string>
  stream: pg.Connection['stream'] & { cork(): void; uncork(): void }
}

type Done = (error: Error | null, rows?: TextRows[]) => void

/** In the form that the driver hands messages of the server to. */
class Pipeline implements pg.Submittable {
  readonly #statements: readonly PipelinedStatement[]
  readonly #rows: (string | null)[][][]
  /** What will have been prepared, in the order in which the server confirms it. */
  readonly #parsing: { name: string; text: string }[] = []
  #completed = 0
  #stopListening: () => void = () => {}
  /** Replaced by the driver where the answer comes too late. */
  callback: Done

  constructor(statements: readonly PipelinedStatement[], done: Done) {
    this.#statements = statements
    this.#rows = statements.map(() => [])
    this.callback = done
  }

  submit(connection: pg.Connection): void {
    const wire = connection as Wire
    // a statement stays prepared even where what comes after it fails
    const parsed = () => {
      const statement = this.#parsing.shift()
      if (statement?.name) wire.parsedStatements[statement.name] = statement.text
    }
    wire.on('parseComplete', parsed)
    this.#stopListening = () => wire.off('parseComplete', parsed)
    wire.stream.cork()
    try {
      for (const statement of this.#statements) this.#send(wire, statement)
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  #send(wire: Wire, { text, values, prepared, binary = false }: PipelinedStatement): void {
    const name = (prepared && nameOf(text)) || ''
    if (!name || wire.parsedStatements[name] === undefined) {
      this.#parsing.push({ name, text })
      wire.parse({ name, text, types: [] }, true)
    }
    // the driver asks only whether anything is said
    wire.bind({ statement: name, values: [...values], binary: binary ? 'all' : '' }, true)
    wire.execute({}, true)
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows[this.#completed]?.push(fields)
  }

  handleCommandComplete(): void {
    this.#completed += 1
  }

  handleEmptyQuery(): void {
    this.#completed += 1
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('no data')
  }

  handleCopyData(): void {}

  handleError(error: PipelineError): void {
    this.#stopListening()
    error.statement = this.#completed < this.#statements.length ? this.#completed : -1
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.#stopListening()
    this.callback(null, this.#rows)
  }
}
