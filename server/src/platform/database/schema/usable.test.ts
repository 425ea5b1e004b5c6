import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate } from '../migrate.ts'

const name = `usable_${randomBytes(5).toString('hex')}`
const log = pino({ level: 'silent' })
const admin = new pg.Client({ connectionString: inject('adminConnectionString') })
const urlOf = (user?: string) => {
  const url = new URL(inject('adminConnectionString'))
  url.pathname = `/${name}`
  if (user) Object.assign(url, { username: user, password: 'secret' })
  return url.href
}
const within = async (statement: string) => {
  const client = new pg.Client({ connectionString: urlOf() })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
beforeAll(async () => {
  await admin.connect()
  await admin.query(`create role ${name} login password 'secret'`)
})
afterAll(async () => {
  await admin.query(`drop role ${name}`)
  await admin.end()
})

async function inDatabase(options: string, work: () => Promise<void>): Promise<void> {
  await admin.query(`create database ${name} template template0 ${options}`)
  await work().finally(() => admin.query(`drop database ${name} with (force)`))
}

describe('a database that cannot be that of an office is refused before anything is written into it', () => {
  it.each(['SQL_ASCII', 'LATIN1'])('of the encoding %s', async (encoding) => {
    await inDatabase(`encoding '${encoding}' locale_provider libc locale 'C'`, async () => {
      await expect(migrate(urlOf(), log)).rejects.toThrow(`its encoding is ${encoding}`)
    })
  })

  it('in which its user may not create tables, or that another program has filled', async () => {
    await inDatabase(`encoding 'UTF8'`, async () => {
      await expect(migrate(urlOf(name), log)).rejects.toThrow(`GRANT CREATE ON SCHEMA public TO "${name}"`)
      await within('create table users (id int)')
      await expect(migrate(urlOf(), log)).rejects.toThrow('it holds a table "users" of another program')
    })
  })
})
