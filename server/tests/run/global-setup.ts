import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/platform/database/migrate.ts'
import { testCluster } from './test-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the cluster of this run; leads to its database `postgres`. */
    adminConnectionString: string
    /** The migrated database that `freshDatabase()` clones. No test connects to it. */
    templateDatabase: string
  }
}

const TEMPLATE_DATABASE = 'atrium_template'

/** Before the first test: one PostgreSQL and the template in it. Answers how to take both away again. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await testCluster()
  try {
    await takeCheapPasswords(cluster.connectionString)
    await makeTemplate(cluster.connectionString)
  } catch (error) {
    await cluster.stop()
    throw error
  }
  project.provide('adminConnectionString', cluster.connectionString)
  project.provide('templateDatabase', TEMPLATE_DATABASE)
  return () => cluster.stop()
}

/** Each connection of a test proves the password anew: by 4,096 rounds, that was a seventh of what an office takes to open. */
async function takeCheapPasswords(adminConnectionString: string): Promise<void> {
  const { username, password } = new URL(adminConnectionString)
  // PostgreSQL 15 knows no other number
  const rounds = `select set_config(name, '1', false) from pg_settings where name = 'scram_iterations'`
  await run(adminConnectionString, [
    rounds,
    `alter role ${pg.escapeIdentifier(username)} password ${pg.escapeLiteral(decodeURIComponent(password))}`,
  ])
}

async function makeTemplate(adminConnectionString: string): Promise<void> {
  await run(adminConnectionString, [`create database ${TEMPLATE_DATABASE}`])
  const url = new URL(adminConnectionString)
  url.pathname = `/${TEMPLATE_DATABASE}`
  await migrate(url.href, pino({ level: 'silent' }))
  await run(adminConnectionString, [
    `alter database ${TEMPLATE_DATABASE} with is_template true allow_connections false`,
  ])
}

async function run(connectionString: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
