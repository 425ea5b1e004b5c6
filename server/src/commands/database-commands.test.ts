import { Command } from 'commander'
import { afterEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../tests/fresh-database.ts'
import { recordedLog } from '../../tests/recorded-log.ts'
import { readConfig } from '../configuration/config.ts'
import { tellDifferences } from '../platform/database/tell-differences.ts'
import { Secret } from '../platform/secrets/secret.ts'
import { addDatabaseCommands } from './database-commands.ts'
import { lookAtSchema } from './doctor/schema.ts'

let database: FreshDatabase
afterEach(() => database.drop())

async function check(...options: string[]): Promise<string[]> {
  const printed: string[] = []
  const program = new Command().exitOverride()
  const settings = { ATRIUM_ENV: 'test', DATABASE_URL: database.connectionString }
  addDatabaseCommands(program, {
    configuration: async () => readConfig(settings, '/nowhere'),
    logOf: () => recordedLog().log,
    print: (line) => void printed.push(line),
    complain: (line) => void printed.push(line),
    end: () => undefined,
  })
  await program
    .parseAsync(['node', 'atrium', 'database', 'check', ...options])
    .catch((error: Error) => printed.push(`failed: ${error.message}`))
  return printed
}

const look = () => lookAtSchema({ databaseUrl: new Secret(database.connectionString) })

describe('atrium database check', () => {
  it('finds a schema well, names what is missing, and mends it', async () => {
    database = await freshDatabase()
    expect(await check()).toEqual([expect.stringContaining('are as the migrations made them')])
    expect(await look()).toMatchObject([{ ok: true }])

    await database.pool.query('drop owned by authenticated')
    const lines = await check()
    expect(lines).toContain(
      'The policy messages_of_own_conversations on messages is missing (it decides who sees which conversation).',
    )
    expect(lines.at(-1)).toMatch(/^failed: .*npx atrium database check --mend$/)
    const [finding] = await look()
    expect(finding?.ok).toBe(false)
    expect(finding?.says).toMatch(/is missing.*And \d+ more.*--mend/)
    const { log, text } = recordedLog()
    expect(await tellDifferences(database.connectionString, log)).toContain(lines[0])
    expect(text()).toContain('not as the migrations made it')

    const mended = await check('--mend')
    expect(mended).toContain('Mended: policy messages_of_own_conversations on messages')
    expect(mended.at(-1)).toContain('are as the migrations made them')
    expect(await check()).toHaveLength(1)
  })

  it('fails where something is lost that only a backup has', async () => {
    database = await freshDatabase()
    await database.pool.query('drop table calendar_switches')
    const mended = await check('--mend')
    expect(mended.join('\n')).toMatch(/The table calendar_switches is missing\. Not mended: it holds rows/)
    expect(mended.at(-1)).toMatch(/^failed: Could not be mended/)
  })
})
