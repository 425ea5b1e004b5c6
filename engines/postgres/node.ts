import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import pg from 'pg'
import { type Ends, end } from '../processes.ts'

/** The command line of the office. */
export const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))

/** A database as managed PostgreSQL gives it out: its owner is no superuser. @returns its address */
export async function ownedDatabase(adminUrl: string, major: string): Promise<string> {
  const admin = new pg.Client({ connectionString: adminUrl })
  try {
    await admin.connect()
    const { rows } = await admin.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    assert.equal(rows[0]?.version.slice(0, -4), major)
    await admin.query(`create role owner login createrole password 'of-a-test'`)
    await admin.query('create database office owner owner')
  } finally {
    await admin.end()
  }
  const url = new URL(adminUrl)
  ;[url.username, url.password, url.pathname] = ['owner', 'of-a-test', '/office']
  return url.href
}

export async function openNode(databaseUrl: string, ends: Ends): Promise<string> {
  const port = await freePort()
  const node = spawn(process.execPath, [ENTRY, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ATRIUM_ENV: 'test',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATABASE_WAIT_MS: '30000',
      RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
      // a node is asked again and again until it refuses
      RATE_LIMIT_PER_USER: '0',
    },
  })
  ends.push(() => end(node, 'SIGTERM'))
  return `http://localhost:${port}`
}
