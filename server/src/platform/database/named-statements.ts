import pg from 'pg'

/** Enough for every statement of the product; beyond it a statement is simply planned each time. */
const NAMES_MAX = 500
const names = new Map<string, string>()

/**
 * A connection that prepares each data statement under a name the first time it runs it, so that PostgreSQL
 * parses and plans it once per connection and not once per request. A statement that the server did not
 * answer in time ends its connection: whatever came after it would wait behind it.
 */
export class NamedStatementsClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own method
  override query(...args: any[]): any {
    const [text, values, callback] = args
    if (typeof text !== 'string' || !Array.isArray(values)) return super.query(...(args as [string]))
    const name = nameOf(text)
    const statement = name ? { name, text, values } : { text, values }
    // The pool's own query() comes with a callback, Kysely waits for the promise.
    if (callback) return super.query(statement, callback)
    const result = super.query(statement)
    result.catch((error: Error) => {
      if (error.message === 'Query read timeout') dropConnection(this)
    })
    return result
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known) return known
  if (names.size >= NAMES_MAX || !/^(select|insert|update|delete|with)\b/i.test(text.trimStart()))
    return undefined
  const name = `atrium_${names.size}`
  names.set(text, name)
  return name
}

function dropConnection(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } }
  connection.stream.destroy(new Error('the database did not answer in time'))
}
