import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { until } from '../../../tests/until.ts'
import { migrate, missingMigrations } from './migrate.ts'
import { migrationNames } from './schema/migration-names.ts'

const { log } = recordedLog()
let connectionString: string
let pool: pg.Pool

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('adminConnectionString') })
  await admin.connect()
  await admin.query(statement).finally(() => admin.end())
}

beforeEach(async () => {
  const name = `empty_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name}`)
  const url = new URL(inject('adminConnectionString'))
  url.pathname = `/${name}`
  connectionString = url.href
  pool = new pg.Pool({ connectionString, max: 1 })
  // its connections may still be on their way out when the database goes
  pool.on('error', () => {})
})
afterEach(async () => {
  await pool.end()
  await asAdmin(`drop database ${new URL(connectionString).pathname.slice(1)} with (force)`)
})

const applied = async () =>
  (await pool.query<{ name: string }>('select name from schema_migrations order by id')).rows.map(
    ({ name }) => name,
  )

describe('migrations', () => {
  it('have names that order them, each number once', async () => {
    const names = await migrationNames()
    expect(names.length).toBeGreaterThan(0)
    for (const [index, name] of names.entries()) {
      expect(name).toMatch(/^\d{4}_[a-z0-9-]+$/)
      expect(Number(name.slice(0, 4))).toBe(index + 1)
    }
  })

  it('make an empty database complete, once', async () => {
    const names = await migrationNames()
    expect(await migrate(connectionString, log)).toEqual(names)
    expect(await applied()).toEqual(names)
    expect(await missingMigrations(pool)).toEqual([])
    expect(await migrate(connectionString, log)).toEqual([])
    expect(await applied()).toEqual(names)
  })

  it('are applied once by nodes that start at the same time', async () => {
    const names = await migrationNames()
    const results = await Promise.all(Array.from({ length: 5 }, () => migrate(connectionString, log)))
    expect(results.filter((result) => result.length > 0)).toEqual([names])
    expect(await applied()).toEqual(names)
  })

  it('leave a schema alone that is ahead of this release', async () => {
    await migrate(connectionString, log)
    await pool.query(`insert into schema_migrations (name, run_on) values ('9999_of-tomorrow', now())`)
    expect(await migrate(connectionString, log)).toEqual([])
    expect(await missingMigrations(pool)).toEqual([])
  })

  it('refuse in words a schema that this release cannot work with, and nothing else', async () => {
    const [first] = await migrationNames()
    await migrate(connectionString, log)
    await pool.query(`insert into schema_migrations (name, run_on) values ('9999_of-tomorrow', now())`)
    await pool.query(`comment on table schema_migrations is 'needs ${first}'`)
    expect(await migrate(connectionString, log)).toEqual([])
    await pool.query(`comment on table schema_migrations is 'needs 9999_of-tomorrow'`)
    await expect(migrate(connectionString, log)).rejects.toThrow(
      /The schema of the database is of a later release, with which Atrium \S+ cannot work: it needs one that knows 9999_of-tomorrow/,
    )
  })

  it('go as far as they are told', async () => {
    const names = await migrationNames()
    expect(await migrate(connectionString, log, { upTo: names[3] as string })).toEqual(names.slice(0, 4))
    expect(await migrate(connectionString, log, { upTo: names[3] as string })).toEqual([])
    expect(await migrate(connectionString, log)).toEqual(names.slice(4))
  })

  it('do not let others queue behind them for long, and are tried again', async () => {
    const names = await migrationNames()
    await migrate(connectionString, log, { upTo: '0018_chat-in-words' })
    const holder = new pg.Client({ connectionString })
    await holder.connect()
    await holder.query('begin; lock table sessions in access share mode')
    const recorded = recordedLog()
    const migrating = migrate(connectionString, recorded.log, { lockWithinMs: 100 })
    await until(() =>
      recorded.lines.some(({ msg }) => String(msg).startsWith('a migration waits for a lock')),
    )
    // a reader got at it in between
    await pool.query('select 1 from sessions')
    await holder.query('commit')
    await holder.end()
    expect((await migrating).at(-1)).toBe(names.at(-1))
    expect(await applied()).toEqual(names)
  })

  it('that are missing are named', async () => {
    const names = await migrationNames()
    await migrate(connectionString, log)
    await pool.query('delete from schema_migrations where name = $1', [names.at(-1)])
    expect(await missingMigrations(pool)).toEqual([names.at(-1)])
  })

  it('that fail leave nothing half done, and can be tried again', async () => {
    // the last table of the first one is there already, so that it fails at its end
    await pool.query('create table sandbox_mails (id int)')
    await expect(migrate(connectionString, log)).rejects.toThrow(/sandbox_mails/)
    const { rows } = await pool.query(`select to_regclass('users') as users`)
    expect(rows).toEqual([{ users: null }])
    await pool.query('drop table sandbox_mails')
    expect(await migrate(connectionString, log)).toEqual(await migrationNames())
  })
})
