import { createHash, randomBytes } from 'node:crypto'
import {
  access,
  chmod,
  constants,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { type Account, chooseAccount, giveTo, isRoot, runAs } from './account.ts'
import { type Binaries, runnableBinaries } from './binaries.ts'
import { codeOf, EmbeddedPostgresFailure, type Log, readableFailure } from './failure.ts'
import { makeFolder } from './make-folder.ts'

/** Where clusters and programs go that PostgreSQL's account could not reach where they belong. */
const FALLBACK_FOLDER = '/var/lib/atrium'

/**
 * Everything that is decided before PostgreSQL starts. A `home` is ours and holds `data` (the cluster), `password`,
 * `server.log` and `socket`; of these, `data` and `socket` belong to PostgreSQL's account.
 */
export interface Placement {
  account: Account
  binaries: Binaries
  home: string
  /** Whether `home` holds a finished cluster already. */
  exists: boolean
}

/** The folder of the cluster inside its home. */
export function dataOf(home: string): string {
  return join(home, 'data')
}

/**
 * Decides as whom, with which programs and where the cluster of `dataDir` runs. A cluster that exists stays where it
 * is; a new one lies in `<dataDir>/postgres`, or, where root started us and PostgreSQL's account cannot get there,
 * in `/var/lib/atrium/<hash of dataDir>` with a link to it at `<dataDir>/postgres`. Throws EmbeddedPostgresFailure.
 */
export async function findPlacement(dataDir: string, log: Log, packageRoot?: string): Promise<Placement> {
  if (!isAbsolute(dataDir))
    throw new EmbeddedPostgresFailure(`The data folder must be an absolute path: ${dataDir}`)
  try {
    await makeFolder(dataDir)
    await access(dataDir, constants.W_OK | constants.X_OK)
    return await findPlacementIn(await realpath(dataDir), log, packageRoot)
  } catch (error) {
    throw readableFailure(error, dataDir)
  }
}

/** Whether the data folder has a cluster already. Makes nothing, not even the folder. @throws EmbeddedPostgresFailure where what is there is of no use */
export async function hasCluster(dataDir: string): Promise<boolean> {
  try {
    return (await findCluster(await realpath(dataDir))) !== undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw readableFailure(error, dataDir)
  }
}

async function findPlacementIn(
  dataDir: string,
  log: Log,
  packageRoot: string | undefined,
): Promise<Placement> {
  const existing = await findCluster(dataDir)
  const account = await chooseAccount(existing?.owner)
  const binaries = await runnableBinaries(account, isRoot() ? FALLBACK_FOLDER : dataDir, packageRoot)
  if (existing !== undefined) {
    await checkCluster(existing.home, account, binaries)
    return { account, binaries, home: existing.home, exists: true }
  }
  if (!isRoot() || (await canUse(dataDir, account, binaries))) {
    return { account, binaries, home: join(dataDir, 'postgres'), exists: false }
  }
  const home = fallbackHome(dataDir)
  log.info(`${account.name} cannot reach ${dataDir}: the data of the embedded PostgreSQL goes to ${home}`)
  await setAside(home, log)
  return { account, binaries, home, exists: false }
}

function fallbackHome(dataDir: string): string {
  return join(FALLBACK_FOLDER, createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
}

/** Leads from the data folder to a cluster that lies elsewhere, and back. To be called once the cluster is made. */
export async function linkHome(dataDir: string, home: string): Promise<void> {
  const link = join(await realpath(dataDir), 'postgres')
  if (home === link) return
  await writeFile(join(home, 'data-folder'), `${link}\n`)
  await symlink(home, link)
}

async function findCluster(dataDir: string): Promise<{ home: string; owner: number } | undefined> {
  const home = await followLink(join(dataDir, 'postgres'))
  if (home === undefined) return undefined
  const entries = await readdir(home).catch((error) => {
    if (codeOf(error) === 'EACCES') throw belongsToOther(home)
    throw error
  })
  if (entries.length === 0) return undefined
  if (!entries.includes('data')) {
    throw new EmbeddedPostgresFailure(
      `${home} is no folder of the embedded PostgreSQL: it has files but no data. Move it away to start empty.`,
    )
  }
  return { home, owner: (await lstat(dataOf(home))).uid }
}

/** The folder that `path` is or leads to; undefined where there is nothing. */
async function followLink(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return undefined
  if (!found.isSymbolicLink()) return path
  const home = resolve(path, '..', await readlink(path))
  const note = await readFile(join(home, 'data-folder'), 'utf8').catch((error) => {
    if (codeOf(error) === 'EACCES') throw belongsToOther(home)
    if (codeOf(error) !== 'ENOENT') throw error
  })
  await refuseWrongLink(path, home, note?.trim())
  return home
}

async function refuseWrongLink(link: string, home: string, noted: string | undefined): Promise<void> {
  if ((await lstat(home).catch(() => undefined)) === undefined) {
    throw new EmbeddedPostgresFailure(
      `The data behind ${link} is gone: there is no ${home}. Remove the link to start empty.`,
    )
  }
  if (noted === undefined || noted === link) return
  // A moved data folder takes its cluster along; a copied one must not share it with the original.
  const original = await readlink(noted).catch(() => undefined)
  if (original === home) {
    throw new EmbeddedPostgresFailure(
      `${link} leads to the data of ${noted}. Remove the link to start empty.`,
    )
  }
  await writeFile(join(home, 'data-folder'), `${link}\n`)
}

function belongsToOther(home: string): EmbeddedPostgresFailure {
  return new EmbeddedPostgresFailure(
    `${home} belongs to another user. Start Atrium as that user or as root, or choose another DATA_DIR.`,
  )
}

async function checkCluster(home: string, account: Account, binaries: Binaries): Promise<void> {
  const data = dataOf(home)
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch((error) => {
    if (codeOf(error) === 'EACCES') throw belongsToOther(home)
    throw new EmbeddedPostgresFailure(
      `${data} is damaged: PG_VERSION cannot be read (${codeOf(error)}). Restore a backup, or move ${home} away to start empty.`,
    )
  })
  if (version.trim() !== binaries.majorVersion) {
    throw new EmbeddedPostgresFailure(
      `${data} was made by PostgreSQL ${version.trim()}, and this Atrium brings PostgreSQL ${binaries.majorVersion}. ` +
        'Move the data over with pg_dump of the old version, or set DATABASE_URL.',
    )
  }
  if (account.switchTo === undefined) {
    if (process.getuid !== undefined && (await lstat(data)).uid !== process.getuid())
      throw belongsToOther(home)
    return
  }
  await giveTo(account, data)
  const trial = await runAs(account, binaries.postgres, ['-D', data, '-C', 'port'])
  if (trial.code === 0) return
  throw new EmbeddedPostgresFailure(
    `The embedded PostgreSQL runs as ${account.name} and cannot use ${data}: ${trial.output.replaceAll('\n', ' | ')}`,
  )
}

/** Tries whether the account could have its cluster in `folder`: PostgreSQL itself reads a setting from there. */
async function canUse(folder: string, account: Account, binaries: Binaries): Promise<boolean> {
  const probe = join(folder, `postgres.probe-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(probe, { mode: 0o700 })
    await writeFile(join(probe, 'postgresql.conf'), '')
    // A folder that knows no owners (some mounts) fails here.
    await giveTo(account, probe)
    return (await runAs(account, binaries.postgres, ['-D', probe, '-C', 'port'])).code === 0
  } catch (error) {
    if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EROFS') throw error
    return false
  } finally {
    await rm(probe, { recursive: true, force: true })
  }
}

/** Sets aside a cluster without a link to it: its data folder was removed in order to start empty. One is kept. */
async function setAside(home: string, log: Log): Promise<void> {
  await makeFolder(FALLBACK_FOLDER)
  await chmod(FALLBACK_FOLDER, 0o755)
  if ((await lstat(home).catch(() => undefined)) === undefined) return
  await rm(`${home}.old`, { recursive: true, force: true })
  await rename(home, `${home}.old`)
  log.warn(`${home} held data of a folder that was removed: set aside as ${home}.old`)
}
