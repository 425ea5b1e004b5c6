import { randomUUID } from 'node:crypto'
import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { S3Storage } from '../../adapters/s3/s3-storage.ts'
import type { Config } from '../../configuration/config.ts'
import { listAvatars } from '../../directory/users.ts'
import { nearestFolder } from '../../platform/nearest-folder.ts'
import { askDatabase } from './asked-database.ts'
import type { Finding } from './realtime.ts'
import { reasonOf } from './reason.ts'

type S3Config = NonNullable<Config['s3']>

/** A block: the file system may keep less beside the name of a file. */
const PROBE = Buffer.alloc(4_096)
const FEW_BYTES = 1024 ** 3
const LOOKED_AT = 5

/** Where files are kept: whether it takes them, and whether it is the one that the database means. */
export async function lookAtStorage(config: Config): Promise<Finding[]> {
  const found = config.s3 ? await lookAtBucket(config.s3) : await lookAtFolder(config.dataDir)
  return found.ok ? [found, ...(await lookAtKeptFiles(config))] : [found]
}

async function lookAtFolder(dataDir: string): Promise<Finding> {
  const part = 'storage'
  const folder = join(dataDir, 'storage')
  try {
    const there = await nearestFolder(folder)
    await tryToWrite(there)
    const { bavail, bsize } = await statfs(there)
    const free = bavail * bsize
    if (free < FEW_BYTES) {
      const says = `the disk of ${there} has ${Math.floor(free / 1024 ** 2)} MiB left: the office is not ready once it is full`
      return { part, ok: true, warns: true, says }
    }
    return { part, ok: true, says: `files in ${folder} (set STORAGE=s3 to use a store)` }
  } catch (error) {
    const says = `${folder} takes no files: ${reasonOf(error)}. Check DATA_DIR: its disk may be read-only or full, or not mounted.`
    return { part, ok: false, says }
  }
}

async function tryToWrite(folder: string): Promise<void> {
  const path = join(folder, `.atrium-doctor-${randomUUID()}`)
  try {
    await writeFile(path, PROBE, { mode: 0o600 })
  } finally {
    await rm(path, { force: true })
  }
}

async function lookAtBucket(s3: S3Config): Promise<Finding> {
  const part = 'storage'
  const { s3Storage } = await import('../../adapters/s3/s3-storage.ts')
  const storage = s3Storage(s3)
  try {
    await storage.check()
    return { part, ok: true, says: `the bucket ${s3.bucket} at ${s3.endpoint} lets us in` }
  } catch (error) {
    const fault = await namedFault(storage, error)
    const says = `the bucket ${s3.bucket} at ${s3.endpoint} cannot be used: ${fault.reason}. Check ${fault.settings}.`
    return { part, ok: false, says }
  } finally {
    storage.close()
  }
}

/** What stores call a fault, and the setting that it comes from. */
const S3_FAULTS: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID, which the store does not know',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY, which is not that of S3_ACCESS_KEY_ID',
  NoSuchBucket: 'S3_BUCKET, which the store does not have',
  AccessDenied: 'what the store allows S3_ACCESS_KEY_ID to do in S3_BUCKET',
  PermanentRedirect: 'S3_REGION and S3_ENDPOINT: the bucket is elsewhere',
  AuthorizationHeaderMalformed: 'S3_REGION',
  RequestTimeTooSkewed: 'the clock of this machine',
}

/** Whether a bucket is there is asked without a body, so that an answer says no more than a status: a list says why. */
async function namedFault(
  storage: Pick<S3Storage, 'list'>,
  first: unknown,
): Promise<{ reason: string; settings: string }> {
  let error = first
  try {
    for await (const _ of storage.list('tmp/doctor/')) break
  } catch (named) {
    error = named
  }
  const { name = '', code } = ((error as Error).cause ?? {}) as { name?: string; code?: string }
  const settings = S3_FAULTS[name]
  if (settings) return { reason: name, settings }
  if (code !== undefined) return { reason: `nobody answers (${code})`, settings: 'S3_ENDPOINT' }
  return { reason: reasonOf(error), settings: 'S3_ENDPOINT, S3_BUCKET, S3_REGION and the keys' }
}

/** A folder that was not mounted is empty, and takes files all the same: of another one, nothing that people show is there. */
async function lookAtKeptFiles(config: Config): Promise<Finding[]> {
  const part = 'files'
  const keys = await askDatabase(config.databaseUrl, (db) => listAvatars(db, LOOKED_AT))
  if (!keys || keys.length === 0) return []
  const missing = await missingOf(config, keys).catch(() => undefined)
  if (missing === undefined) return []
  const where = config.s3 ? `the bucket ${config.s3.bucket}` : join(config.dataDir, 'storage')
  if (missing === 0) return [{ part, ok: true, says: `${where} has the newest avatars` }]
  const says = `${missing} of the ${keys.length} newest avatars are not in ${where}: it is not the one that they were put into, or is of another time than the database. Check ${config.s3 ? 'S3_BUCKET' : 'DATA_DIR'}.`
  return [{ part, ok: missing < keys.length, ...(missing < keys.length && { warns: true }), says }]
}

async function missingOf({ s3, dataDir }: Config, keys: readonly string[]): Promise<number> {
  if (!s3) {
    const found = await Promise.all(
      keys.map((key) => stat(join(dataDir, 'storage', ...key.split('/'))).catch(() => undefined)),
    )
    return found.filter((file) => !file).length
  }
  const { s3Storage } = await import('../../adapters/s3/s3-storage.ts')
  const storage = s3Storage(s3)
  try {
    const found = await Promise.all(keys.map((key) => storage.find(key)))
    return found.filter((file) => !file).length
  } finally {
    storage.close()
  }
}
