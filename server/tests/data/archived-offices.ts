import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import pg from 'pg'
import { inject } from 'vitest'
import { addBackupCommands } from '../../src/commands/backup/backup-commands.ts'
import { addDatabaseCommands } from '../../src/commands/database-commands.ts'
import type { OperatorContext } from '../../src/commands/operator-commands.ts'
import { readConfig } from '../../src/configuration/config.ts'
import { openLog } from '../../src/platform/log.ts'

const SILENT = openLog({ level: 'silent', forPeople: false })

/** A database without tables and a data folder without files: what an archive is restored into. */
export interface EmptyOffice {
  connectionString: string
  dataDir: string
  drop(): Promise<void>
}

export async function emptyOffice(): Promise<EmptyOffice> {
  const name = `restored_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name}`)
  const url = new URL(inject('adminConnectionString'))
  url.pathname = `/${name}`
  const dataDir = await newFolder()
  return {
    connectionString: url.href,
    dataDir,
    async drop() {
      await rm(dataDir, { recursive: true, force: true })
      await asAdmin(`drop database if exists ${name} with (force)`)
    },
  }
}

export const newFolder = () => mkdtemp(join(tmpdir(), 'atrium-archive-'))

/** What an operator types behind `atrium`. @returns what is printed @throws what ends the command */
export async function atriumOf(
  { connectionString, dataDir }: Pick<EmptyOffice, 'connectionString' | 'dataDir'>,
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<string> {
  const printed: string[] = []
  const environment = { ATRIUM_ENV: 'test', DATABASE_URL: connectionString, DATA_DIR: dataDir, ...settings }
  const context: OperatorContext = {
    configuration: async () => readConfig(environment, '/nowhere'),
    logOf: () => SILENT,
    print: (line) => void printed.push(line),
    complain: (line) => void printed.push(line),
    end: () => undefined,
  }
  const program = new Command().exitOverride()
  addBackupCommands(program, context)
  addDatabaseCommands(program, context)
  await program.parseAsync(['node', 'atrium', ...args])
  return printed.join('\n')
}

/** Every table of a database by a digest of its rows, as the database itself makes it, and every sequence. */
export async function contentOf(connectionString: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relpersistence = 'p' order by 1`,
    )
    const content: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as digest
          from "${name}" t`,
      )
      content[name] = rows[0]?.digest as string
    }
    const { rows: sequences } = await client.query<{ name: string; last: string | null }>(
      'select sequencename::text as name, last_value::text as last from pg_sequences order by 1',
    )
    for (const { name, last } of sequences) content[name] = last ?? 'unused'
    return content
  } finally {
    await client.end()
  }
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('adminConnectionString') })
  await admin.connect()
  await admin.query(statement).finally(() => admin.end())
}
