import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrationNames } from '../../src/platform/database/schema/migration-names.ts'
import { openProcessHarness, signUpAt } from './office-process.ts'

const harness = openProcessHarness()
const name = `nodes_${randomBytes(6).toString('hex')}`
let admin: pg.Client
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('adminConnectionString') })
  await admin.connect()
  await admin.query(`create database ${name}`)
})
afterAll(async () => {
  await harness.clear()
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
})

describe('two nodes that are started at once on one empty database', () => {
  it('both open, on one schema, and know the same people', async () => {
    const url = Object.assign(new URL(inject('adminConnectionString')), { pathname: `/${name}` }).href
    const settings = { DATABASE_URL: url }
    const [one, other] = await Promise.all([harness.serve({ settings }), harness.serve({ settings })])
    expect(one.url).not.toBe(other.url)

    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by id')
    await client.end()
    expect(rows.map((row) => row.name)).toEqual(await migrationNames())

    const guest = await signUpAt(one.url)
    const request = { method: 'POST', headers: { cookie: guest.cookie() } }
    expect((await fetch(`${other.url}/user/get`, request)).status).toBe(200)
    expect(await one.stop()).toEqual({ code: 0, signal: null })
    expect((await fetch(`${other.url}/user/get`, request)).status).toBe(200)
  })
})
