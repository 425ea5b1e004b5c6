import { createRequire } from 'node:module'
import pg from 'pg'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { sourceFiles } from '../../../tests/structure/source-files.ts'
import { nameOf } from './named-statements.ts'
import {
  AWAY_MESSAGES,
  hangUp,
  inOnePiece,
  isReadTimeout,
  onServerFault,
  preparationOf,
  READ_AGAINST,
} from './pg-internals.ts'
import { sendPipeline } from './pipeline.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end().catch(() => {})
})

async function connect(options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject('adminConnectionString'), ...options })
  client.on('error', () => {})
  ends.push(() => client.end())
  await client.connect()
  return client
}

function wireOf(client: pg.Client) {
  return (client as unknown as { connection: pg.Connection }).connection
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => new Error('nothing failed'),
    (error: Error) => error,
  )

describe('what we lean on in pg', () => {
  it('was read in the release that is installed', () => {
    const { version } = createRequire(import.meta.url)('pg/package.json')
    expect(version, `read pg-internals.ts against pg ${version}, then move READ_AGAINST`).toBe(READ_AGAINST)
  })

  it('an error of the server is told of by its state, for any statement', async () => {
    const client = await connect()
    const codes: string[] = []
    onServerFault(client, (code) => codes.push(code))
    await failureOf(client.query('select 1/0'))
    await failureOf(client.query('select $1::int', ['x']))
    expect(codes).toEqual(['22012', '22P02'])
  })

  it('stands in one file', () => {
    const inward =
      /\bpg\.Query\b|\b(?:parsedStatements|submittedNamedStatements|_activeQuery|_queryable|_ending|_sentQueryQueue|_queryQueue)\b|\bconnection\.stream\b|as unknown as \{ connection\b/
    const found = sourceFiles()
      .filter(({ path }) => /^(server\/src|embedded-postgres|bench|engines)\//.test(path))
      .filter(({ path, code }) => !path.includes('database/pg-internals') && inward.test(code))
    expect(found.map(({ path }) => path)).toEqual([])
  })

  it('a statement of a pipeline is known as prepared when the server has confirmed it, and only then', async () => {
    const client = await connect()
    const wire = wireOf(client)
    const right = { prepared: true, text: `select 'pg-internals right'`, values: [] }
    const wrong = { prepared: true, text: `select 'pg-internals wrong' from nowhere`, values: [] }
    const preparation = ({ text }: { text: string }) => preparationOf(wire, nameOf(client, text) ?? 'no name')
    const sent = [right, wrong].map((statement) => failureOf(sendPipeline(client, [statement])))
    expect(preparation(right)).toBe('under way')
    await Promise.all(sent)
    expect([preparation(right), preparation(wrong)]).toEqual(['prepared', undefined])
    const { rows } = await client.query('select statement from pg_prepared_statements')
    expect(rows).toEqual([{ statement: right.text }])
  })

  it('messages leave in one piece, and a piece that is not whole not at all', async () => {
    const client = await connect()
    const wire = wireOf(client)
    inOnePiece(wire, () => expect(wire.stream.writableCorked).toBe(1))
    expect(wire.stream.writableCorked).toBe(0)
    const broken = new Error('on purpose')
    expect(() =>
      inOnePiece(wire, () => {
        throw broken
      }),
    ).toThrow(broken)
    expect(wire.stream.destroyed).toBe(true)
  })

  it('a connection that is closed without a word fails what is under way on it, with the reason', async () => {
    const client = await connect()
    const reason = new Error('on purpose')
    const running = failureOf(client.query('select pg_sleep(60)'))
    hangUp(client, reason)
    expect(await running).toBe(reason)
  })

  it('a statement that is not answered in time is told from others', async () => {
    const client = await connect({ query_timeout: 20 })
    expect(isReadTimeout(await failureOf(client.query('select pg_sleep(60)')))).toBe(true)
    expect(isReadTimeout(new Error('canceling statement due to statement timeout'))).toBe(false)
  })

  it('there are words of its own for each way of having no connection', async () => {
    const said = new Set<string | undefined>()
    const hear = async (work: Promise<unknown>) => {
      const { message } = await failureOf(work)
      const known = AWAY_MESSAGES.find((words) => message.includes(words))
      expect(known, message).toBeDefined()
      said.add(known)
    }
    const pool = new pg.Pool({ connectionString: inject('adminConnectionString'), max: 1 })
    const held = await pool.connect()
    pool.options.connectionTimeoutMillis = 20
    await hear(pool.connect())
    held.release()
    await pool.end()
    await hear(pool.connect())

    const slow = await connect({ query_timeout: 20 })
    await hear(slow.query('select pg_sleep(60)'))
    const ended = await connect()
    await ended.end()
    await hear(ended.query('select 1'))
    const cut = await connect()
    const running = cut.query('select pg_sleep(60)')
    hangUp(cut)
    await hear(running)
    await hear(cut.query('select 1'))
    expect([...said].sort()).toEqual([...AWAY_MESSAGES].sort())
  })
})
