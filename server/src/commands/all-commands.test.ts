import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { emptyOffice } from '../../tests/data/archived-offices.ts'
import { recordedLog } from '../../tests/recorded-log.ts'
import { readConfig } from '../configuration/config.ts'
import { addCommands } from './all-commands.ts'

/** These make an office where there is none, and `serve` does. */
const MAY_MAKE = ['migrate', 'restore', 'organization import']

/** What each other command says where there is no office; without an entry it is NO_OFFICE. */
const NO_OFFICE = /^There is no office in \S+, and this command makes none\. .*DATA_DIR or DATABASE_URL/
const SAYS: Record<string, RegExp | undefined> = {
  doctor: undefined,
  openapi: undefined,
  support: undefined,
  top: /^No node answers at /,
  'database-url': /^The office of \S+ is not open/,
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-no-office-'))
  await writeFile(join(folder, 'archive.tar.gz'), '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Every command that comes to an end, with settings of no office. */
function programOf(environment: Record<string, string>): Command {
  const context = {
    configuration: async () => readConfig(environment, '/nowhere'),
    logOf: () => recordedLog().log,
    print: () => undefined,
    complain: () => undefined,
    end: () => undefined,
  }
  const program = new Command().exitOverride()
  addCommands(program, context, { environment, root: '/nowhere' })
  return program
}

/** Commands without others below them, each by all of its names. */
function leavesOf(command: Command, names: string[] = []): { names: string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ names, command }]
  return command.commands.flatMap((one) => leavesOf(one, [...names, one.name()]))
}

/** Values that are in order, so that the command gets as far as the database. */
function argumentsOf({ names, command }: { names: string[]; command: Command }): string[] {
  const value = (name: string): string => {
    if (/file|folder/.test(name)) return join(folder, names.join('-'))
    if (/email/.test(name)) return 'ada@example.com'
    if (/domain/.test(name)) return 'acme.example'
    if (/on\|off/.test(name)) return 'on'
    if (/organization/i.test(name)) return 'org_0123456789'
    return '1'
  }
  const options = command.options.filter(({ mandatory }) => mandatory)
  return [
    ...command.registeredArguments.map((one) => value(one.name())),
    ...options.flatMap(({ long }) => [
      long as string,
      /issuer|to/.test(long ?? '') ? 'https://else.example' : 'x',
    ]),
    ...(names.join(' ') === 'sso add' ? ['--client-secret', 'canary'] : []),
  ]
}

const names = leavesOf(programOf({})).map((leaf) => leaf.names.join(' '))

describe('a command for which there is no office', () => {
  it.each(names.filter((name) => !MAY_MAKE.includes(name)))('%s makes none', async (name) => {
    const dataDir = join(folder, 'data', name.replaceAll(' ', '-'))
    const program = programOf({ ATRIUM_ENV: 'test', DATA_DIR: dataDir, PORT: '1' })
    const leaf = leavesOf(program).find((one) => one.names.join(' ') === name) as ReturnType<
      typeof leavesOf
    >[number]
    const words = name === 'database move' ? undefined : (SAYS[name] ?? NO_OFFICE)
    const done = program.parseAsync(['node', 'atrium', ...leaf.names, ...argumentsOf(leaf)])
    if (name in SAYS && SAYS[name] === undefined) await done
    else await expect(done).rejects.toThrow(words)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('database move leaves the target as it was, and makes nothing at the source', async () => {
    const target = await emptyOffice()
    onTestFinished(target.drop)
    const dataDir = join(folder, 'data', 'moved')
    const settings = { ATRIUM_ENV: 'test', DATA_DIR: dataDir, DATABASE_URL: target.connectionString }
    await expect(programOf(settings).parseAsync(['node', 'atrium', 'database', 'move'])).rejects.toThrow(
      NO_OFFICE,
    )
    expect(existsSync(dataDir)).toBe(false)
  })

  it('a backup into a bucket makes none', async () => {
    const dataDir = join(folder, 'data', 'remote')
    const settings = { ATRIUM_ENV: 'test', DATA_DIR: dataDir, S3_ENDPOINT: 'http://127.0.0.1:1' }
    const backUp = programOf(settings).parseAsync(['node', 'atrium', 'backup', '--to', 's3://backups/x'])
    await expect(backUp).rejects.toThrow(NO_OFFICE)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('a folder that is there, as where a volume is not mounted, is left empty', async () => {
    const dataDir = await mkdtemp(join(folder, 'empty-'))
    const settings = { ATRIUM_ENV: 'test', DATA_DIR: dataDir }
    await expect(programOf(settings).parseAsync(['node', 'atrium', 'work', 'list'])).rejects.toThrow(
      NO_OFFICE,
    )
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  })

  it('names the database that has no tables, and leaves it so', async () => {
    const database = await emptyOffice()
    onTestFinished(database.drop)
    const settings = { ATRIUM_ENV: 'test', DATABASE_URL: database.connectionString }
    await expect(programOf(settings).parseAsync(['node', 'atrium', 'work', 'list'])).rejects.toThrow(
      /^There is no office in the database at 127\.0\.0\.1:\d+\/restored_\w+\. Check DATABASE_URL$/,
    )
  })
})
