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
  const whole = archives.filter(({ files }) => files.includes(MANIFEST))
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
 * Removes archives that are older than so many days. The one of `kept`, which was made just now, stays whatever the
 * clock of the store says. @returns names of those that are gone
 */
export async function removeOldArchives(
  store: ObjectStoragePort,
  { prefix }: RemotePlace,
  { days, kept, now }: { days: number; kept: string; now: Date },
): Promise<string[]> {
  const before = archiveName(new Date(now.getTime() - days * DAY_MS))
  const archives = await listArchives(store, prefix)
  const old = archives.filter(({ name }) => name !== kept && name < before)
  for (const { name, files } of old) {
    // the manifest first: what is left of an archive by a failure is none
    await store.remove([`${prefix}${name}/${MANIFEST}`])
    await store.remove(files.map((file) => `${prefix}${name}/${file}`))
  }
  return old.map(({ name }) => name)
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
  /** Paths within it. */
  files: string[]
}

/** In the order of their times. */
async function listArchives(store: ObjectStoragePort, prefix: string): Promise<RemoteArchive[]> {
  const files = new Map<string, string[]>()
  const note = ({ key }: ListedObject) => {
    const path = key.slice(prefix.length)
    const slash = path.indexOf('/')
    const name = path.slice(0, slash)
    if (slash < 0 || !ARCHIVE_NAME.test(name)) return
    const own = files.get(name) ?? []
    own.push(path.slice(slash + 1))
    files.set(name, own)
  }
  for await (const batch of store.list(prefix)) for (const object of batch) note(object)
  return [...files]
    .map(([name, own]) => ({ name, files: own }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
