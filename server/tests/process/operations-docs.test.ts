import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { contentOf, type EmptyOffice, emptyOffice } from '../data/archived-offices.ts'
import { ENTRY, openProcessHarness, signUpAt } from './office-process.ts'

const harness = openProcessHarness()
const databases: EmptyOffice[] = []
afterEach(async () => {
  await harness.clear()
  for (const database of databases.splice(0)) await database.drop()
})

const exec = promisify(execFile)
const DOCUMENTS = join(import.meta.dirname, '../../../docs/operations')
const KEY = 'a-key-of-this-test-0123456789abcdefghij'

/** The commands of a document, as they are written there. */
async function commandsOf(name: string): Promise<string[]> {
  const text = await readFile(join(DOCUMENTS, name), 'utf8')
  return [...text.matchAll(/^( *)```sh\n([\s\S]*?)\n\1```$/gm)].map(([, , commands = '']) => commands)
}

/** A shell in which `npx atrium` is the one of this checkout. @returns what is printed */
async function shell(commands: string, settings: Record<string, string>): Promise<string> {
  const folder = await harness.folder()
  await writeFile(
    join(folder, 'npx'),
    `#!/bin/sh\nshift\nexec "${process.execPath}" --no-warnings "${ENTRY}" "$@"\n`,
  )
  await chmod(join(folder, 'npx'), 0o755)
  const env = {
    PATH: `${folder}:/usr/local/bin:/usr/bin:/bin`,
    ATRIUM_ENV: 'test',
    SECRET_KEY: KEY,
    ...settings,
  }
  const { stdout } = await exec('sh', ['-ec', commands], { env }).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`)
    },
  )
  return stdout
}

async function officeWithSomebody(dataDir: string) {
  const office = await harness.serve({ settings: { DATA_DIR: dataDir, SECRET_KEY: KEY } })
  const guest = await signUpAt(office.url)
  await guest.browser.call('createOrganization', { name: 'Acme' })
  return { office, guest }
}

/** Whether a session from there works here. */
async function isKnown(url: string, cookie: string): Promise<boolean> {
  const headers = { cookie, 'content-type': 'application/json' }
  return (await fetch(`${url}/user/get`, { method: 'POST', headers })).status === 200
}

describe('docs/operations', () => {
  it('backup.md and restore.md bring an open embedded office into a new data folder', async () => {
    const BACKUPS = await harness.folder()
    const dataDir = await harness.folder()
    const { office, guest } = await officeWithSomebody(dataDir)
    const [backup = ''] = await commandsOf('backup.md')
    expect(await shell(backup, { DATA_DIR: dataDir, BACKUPS })).toMatch(/^Backed up: \d+ rows/)
    expect(await isKnown(office.url, guest.cookie())).toBe(true)
    await office.stop()

    const elsewhere = await harness.folder()
    const [made = ''] = await readdir(BACKUPS)
    const settings = { DATA_DIR: elsewhere, BACKUP: join(BACKUPS, made) }
    const [restore = '', look = ''] = await commandsOf('restore.md')
    expect(await shell(restore, settings)).toContain('every table was read again and is the same')
    expect(await shell(look, settings)).toMatch(/^✓/)
    const restored = await harness.serve({ settings: { ...settings, SECRET_KEY: KEY } })
    expect(await isKnown(restored.url, guest.cookie())).toBe(true)
    await expect(shell(restore, settings)).rejects.toThrow(/Another Atrium .* is using/)
  })

  it('upgrade.md goes there and back', async () => {
    const BACKUPS = await harness.folder()
    const dataDir = await harness.folder()
    const { office, guest } = await officeWithSomebody(dataDir)
    const settings = { DATA_DIR: dataDir, BACKUPS }
    const [backup = '', migrate = '', restore = ''] = await commandsOf('upgrade.md')
    await shell(backup, settings)
    await office.stop()
    expect(await shell(migrate, settings)).toContain('up to date')
    const fresh = await harness.folder()
    await shell(restore, { ...settings, DATA_DIR: fresh })
    const again = await harness.serve({ settings: { DATA_DIR: fresh, SECRET_KEY: KEY } })
    expect(await isKnown(again.url, guest.cookie())).toBe(true)
  })

  it('move.md brings the embedded database into a PostgreSQL of one\u2019s own', async () => {
    const database = await emptyOffice()
    databases.push(database)
    const dataDir = await harness.folder()
    const settings = { DATA_DIR: dataDir, NEW_DATABASE_URL: database.connectionString }
    const { office, guest } = await officeWithSomebody(dataDir)
    const [move = '', look = ''] = await commandsOf('move.md')
    await expect(shell(move, settings)).rejects.toThrow(/Another Atrium .* is using/)
    await office.stop()
    expect(await shell(move, settings)).toMatch(/^Moved: \d+ rows of \d+ tables; every table was read again/)
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringMatching(/^moving-/))
    const content = await contentOf(database.connectionString)
    expect(content.users).toMatch(/^1 /)
    await expect(shell(move, settings)).rejects.toThrow(/holds an office already/)
    expect(await contentOf(database.connectionString)).toEqual(content)
    expect(await shell(look, settings)).toMatch(/^✓/)
    const moved = await harness.serve({
      settings: { DATA_DIR: dataDir, DATABASE_URL: database.connectionString, SECRET_KEY: KEY },
    })
    expect(await isKnown(moved.url, guest.cookie())).toBe(true)
  })

  it('a release that cannot work with the schema does not start, and says which one can', async () => {
    const database = await emptyOffice()
    databases.push(database)
    const settings = { DATA_DIR: database.dataDir, DATABASE_URL: database.connectionString }
    await shell('npx atrium migrate', settings)
    const client = new pg.Client({ connectionString: database.connectionString })
    await client.connect()
    await client.query(`comment on table schema_migrations is 'needs 9999_of-tomorrow'`)
    await client.end()
    const running = harness.run(['serve'], { settings })
    expect((await running.ended).code).toBe(1)
    expect(running.stderr()).toMatch(
      /^atrium: The schema of the database is of a later release, with which Atrium \S+ cannot work: it needs one that knows 9999_of-tomorrow\./m,
    )
  })
})
