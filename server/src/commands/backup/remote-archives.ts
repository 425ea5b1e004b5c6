import { createReadStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FOLDER_MODE, newFile } from '../../platform/backup/archive-files.ts'
import { BackupProblem, MANIFEST } from '../../platform/backup/manifest.ts'
import type { ListedObject, ObjectStoragePort } from '../../ports/object-storage.ts'
import type { RemotePlace } from './remote-place.ts'

/** Of archives that a time names: no other object below a prefix is ours. */
const ARCHIVE_NAME = /^\d{4}-\d{2}-\d{2}-\d{6}$/
const DAY_MS = 86_400_000
const MANIFEST_BYTES_MAX = 4 * 1024 * 1024
/** One file of an archive, as `archivePictures` and `archiveDatabase` name them. */
const FILE_NAME = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/
const AS_BYTES = { contentType: 'application/octet-stream', cacheControl: 'no-store' }

/** The name of an archive that is made now: by its order the newest is last. */
export function archiveName(now: Date): string {
  return now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
}

/** Copies an archive from a folder; its manifest last, as it was written. @throws ProviderFailure */
export async function sendArchive(
  store: ObjectStoragePort,
  { prefix }: RemotePlace,
  { folder, name }: { folder: string; name: string },
): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file).slice(folder.length + 1))
  const others = files.filter((file) => file !== MANIFEST)
  for (const file of [...others, MANIFEST]) {
    const key = `${prefix}${name}/${file.split(sep).join('/')}`
    await store.writeStream(key, createReadStream(join(folder, file)), AS_BYTES)
  }
}

/**
 * Copies an archive into an empty folder: the one of that name, or the newest whole one. @returns its name
 * @throws BackupProblem where there is none, ProviderFailure
 */
export async function fetchArchive(
  store: ObjectStoragePort,
  place: RemotePlace,
  folder: string,
): Promise<string> {
  const { prefix, only } = ofOneArchive(place)
  const archives = await listArchives(store, prefix)
  const whole = archives.filter(({ wholeAt }) => wholeAt !== undefined)
  const found = only === undefined ? whole.at(-1) : whole.find(({ name }) => name === only)
  if (!found) throw new BackupProblem(`There is no whole archive in s3://${place.bucket}/${place.prefix}`)
  for (const file of found.files) {
    // the store is not ours: what its keys say leads nowhere else
    if (!FILE_NAME.test(file)) continue
    const object = await store.open({ key: `${prefix}${found.name}/${file}` })
    if (!object) continue
    const path = join(folder, ...file.split('/'))
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
    await pipeline(object.bytes, newFile(path))
  }
  return found.name
}

/**
 * Removes archives of this office that were made so many days before the one of `kept`, by the clock of the store: that of
 * this machine may have been set. What is not whole stays, and so do archives of other offices.
 * @param isOurs asked with the manifest of an archive
 * @returns names of those that are gone
 */
export async function removeOldArchives(
  store: ObjectStoragePort,
  { prefix }: RemotePlace,
  { days, kept, isOurs }: { days: number; kept: string; isOurs: (manifest: unknown) => boolean },
): Promise<string[]> {
  const archives = await listArchives(store, prefix)
  const newest = archives.find(({ name }) => name === kept)?.wholeAt
  if (!newest) return []
  const before = newest.getTime() - days * DAY_MS
  const removed: string[] = []
  for (const { name, files, wholeAt } of archives) {
    if (name === kept || !wholeAt || wholeAt.getTime() >= before) continue
    const key = `${prefix}${name}/${MANIFEST}`
    if (!isOurs(await readJson(store, key))) continue
    // the manifest first: what is left of an archive by a failure is none
    await store.remove([key])
    await store.remove(files.map((file) => `${prefix}${name}/${file}`))
    removed.push(name)
  }
  return removed
}

/** Undefined where it is none, or too long for one. */
async function readJson(store: ObjectStoragePort, key: string): Promise<unknown> {
  const object = await store.open({ key })
  if (!object || object.sizeBytes > MANIFEST_BYTES_MAX) {
    await object?.close()
    return undefined
  }
  const parts: Uint8Array[] = []
  for await (const part of object.bytes) parts.push(part)
  try {
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    return undefined
  }
}

/** A place may name one archive: its last part is the name. */
function ofOneArchive({ prefix }: RemotePlace): { prefix: string; only: string | undefined } {
  const parts = prefix.split('/').slice(0, -1)
  const last = parts.at(-1)
  if (last === undefined || !ARCHIVE_NAME.test(last)) return { prefix, only: undefined }
  return { prefix: prefix.slice(0, -last.length - 1), only: last }
}

interface RemoteArchive {
  name: string
  /** When its manifest was written, by the clock of the store; undefined: it is not whole. */
  wholeAt: Date | undefined
  /** Paths within it. */
  files: string[]
}

/** In the order of their times. */
async function listArchives(store: ObjectStoragePort, prefix: string): Promise<RemoteArchive[]> {
  const archives = new Map<string, RemoteArchive>()
  const note = ({ key, modifiedAt }: ListedObject) => {
    const path = key.slice(prefix.length)
    const slash = path.indexOf('/')
    const name = path.slice(0, slash)
    if (slash < 0 || !ARCHIVE_NAME.test(name)) return
    const file = path.slice(slash + 1)
    const archive = archives.get(name) ?? { name, wholeAt: undefined, files: [] }
    archive.files.push(file)
    if (file === MANIFEST) archive.wholeAt = modifiedAt
    archives.set(name, archive)
  }
  for await (const batch of store.list(prefix)) for (const object of batch) note(object)
  return [...archives.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
