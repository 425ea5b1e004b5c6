import { randomBytes } from 'node:crypto'
import { chmod, lchown, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Account, giveTo, runAs } from './account.ts'
import type { Binaries } from './binaries.ts'
import { codeOf, EmbeddedPostgresFailure, type Log, messageOf, readableFailure } from './failure.ts'
import { dataOf, type Placement } from './placement.ts'
import { isAlive } from './postmaster-file.ts'

/** Tells the folders that this process is building from those of a dead process that had the same number. */
const RUN = randomBytes(4).toString('hex')
/** No initdb takes this long: an older folder is left over, even where a live process has its maker's number now. */
const HALF_FINISHED_AGE_MS = 10 * 60_000

/** Name of the only role, which owns everything. */
export const OWNER = 'atrium'

/**
 * Makes the cluster of `place` with a password of its own. It is built in a folder beside and renamed when complete, so
 * that a start cut short leaves nothing that looks like a cluster. Where another process was faster, its cluster stays.
 * Nothing is written through to the disk yet: see `syncNewCluster`. Throws EmbeddedPostgresFailure.
 */
export async function makeCluster(place: Placement, log: Log, onMaking?: () => void): Promise<void> {
  const { home, account } = place
  await removeHalfFinished(home, log)
  const draft = `${home}.new-${process.pid}-${RUN}-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(draft)
    // As root the account has to pass through, though it owns only what is inside.
    await chmod(draft, account.switchTo ? 0o711 : 0o700)
    await mkdir(dataOf(draft), { mode: 0o700 })
    await giveTo(account, dataOf(draft))
    await initialise(place, draft, onMaking)
    await rename(draft, home).catch((error) => {
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
    })
  } catch (error) {
    throw readableFailure(error, home)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function initialise(place: Placement, draft: string, onMaking = () => {}): Promise<void> {
  const passwordFile = join(draft, 'password')
  await writePrivately(passwordFile, randomBytes(24).toString('base64url'))
  await giveTo(place.account, passwordFile)
  // Compiled-in C.UTF-8 does the sorting and the letter cases on every platform; the C library's locale is only asked
  // by pg_trgm and full text search, and not everywhere does it know C.UTF-8.
  for (const locale of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const making = runAs(place.account, place.binaries.initdb, [
      ...initArguments(draft, passwordFile, locale),
      ...providerOf(place.binaries),
    ])
    onMaking()
    const result = await making
    if (result.code === 0) return await takeBack(place.account, passwordFile)
    if (/invalid locale/i.test(result.output)) continue
    const lines = result.output
      .split('\n')
      .filter((line) => /error|fatal|hint|detail|could not|no space/i.test(line))
    const reason = (lines.length > 0 ? lines : [result.output]).join(' | ')
    const full = /no space left|check free disk space/i.test(reason) ? ' (the disk is full)' : ''
    throw new EmbeddedPostgresFailure(
      `PostgreSQL could not set up its data in ${place.home}${full}: ${reason}`,
    )
  }
  throw new EmbeddedPostgresFailure('PostgreSQL could not set up its data: it knows no usable locale.')
}

function initArguments(draft: string, passwordFile: string, locale: string): string[] {
  return [
    `--pgdata=${dataOf(draft)}`,
    `--username=${OWNER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    `--locale=${locale}`,
    '--no-sync',
    '--no-instructions',
  ]
}

/** Versions before 17, which tests start, sort by the C library. */
function providerOf({ majorVersion }: Binaries): string[] {
  return Number(majorVersion) < 17 ? [] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
}

async function writePrivately(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** initdb had to read the password; from now on only we do. */
async function takeBack(account: Account, path: string): Promise<void> {
  if (account.switchTo !== undefined) await lchown(path, 0, 0)
}

/** Removes what starts left behind that were killed while they made a cluster. */
async function removeHalfFinished(home: string, log: Log): Promise<void> {
  const prefix = `${basename(home)}.new-`
  for (const entry of await readdir(dirname(home)).catch(() => [])) {
    if (!entry.startsWith(prefix)) continue
    const path = join(dirname(home), entry)
    if (await isBeingBuilt(path, entry.slice(prefix.length))) continue
    // An initdb that outlived its starter may still be writing there, hence the retries.
    await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch((error) => {
      log.warn(`${path} is left over and cannot be removed: ${messageOf(error)}`)
    })
  }
}

async function isBeingBuilt(path: string, maker: string): Promise<boolean> {
  const [pid, run] = maker.split('-')
  if (run === RUN) return true
  if (Number(pid) === process.pid || !isAlive(Number(pid))) return false
  const found = await lstat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs < HALF_FINISHED_AGE_MS
}

/**
 * Writes a new cluster through to the disk, in the background of the first start, which would otherwise wait for
 * about a thousand files. What the server itself writes is durable from its first moment.
 */
export async function syncNewCluster(place: Placement, log: Log): Promise<void> {
  const method = process.platform === 'linux' ? ['--sync-method=syncfs'] : []
  const args = ['--sync-only', `--pgdata=${dataOf(place.home)}`, ...method]
  const { code, output } = await runAs(place.account, place.binaries.initdb, args)
  if (code !== 0) log.warn(`the new cluster could not be written through to the disk: ${output}`)
}
