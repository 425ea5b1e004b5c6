import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '../../platform/clock.ts'
import { outside } from '../../platform/outside/outside.ts'
import type { ListedObject, ObjectStoragePort } from '../../ports/object-storage.ts'
import { boundedUpload, type IncomingUpload, isKey } from './incoming-upload.ts'
import { bytesOf, isAbsent, type LabelledFile, openLabelled, writeLabelled } from './labelled-file.ts'
import {
  type DownloadGrant,
  downloadAddress,
  type SignatureNeeds,
  uploadAddress,
  verifyDownload,
} from './upload-signature.ts'

export interface FilesystemStorageNeeds extends SignatureNeeds {
  folder: string
}

/** An object of which a part can be read, once. */
export interface PartedObject {
  sizeBytes: number
  etag: string
  /** From one byte to before another. */
  part(start: number, end: number): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

export interface FilesystemStorage extends ObjectStoragePort {
  /** Takes an upload. @returns its etag. @throws Refusal forbidden, too-large; ProviderFailure */
  receive(upload: IncomingUpload): Promise<string>
  /** An object of which parts can be read; undefined where there is none. Read one part to its end, or call `close`. */
  openParts(key: string): Promise<PartedObject | undefined>
  /** What an address for a download allows; undefined where it is not ours, or over. */
  verifyDownload(key: string, query: Readonly<Record<string, unknown>>): DownloadGrant | undefined
}

const PARTIAL = '.partial'
/** More than the file system keeps beside the name of a file: it takes a block. */
const PROBE = Buffer.alloc(4_096)
const LEFT_OVER_AFTER_MS = HOUR_MS

/** A folder, for the functions below. */
interface Folder {
  readonly needs: FilesystemStorageNeeds
  readonly partialFolder: string
  /** Makes it where it is not there. */
  ready(): Promise<unknown>
}

type Label = Pick<LabelledFile, 'contentType' | 'cacheControl'>

/** Object storage in a folder of this machine, with signed addresses that the API itself serves. */
export function filesystemStorage(needs: FilesystemStorageNeeds): FilesystemStorage {
  const partialFolder = join(needs.folder, PARTIAL)
  const ready = once(async () => {
    await mkdir(partialFolder, { recursive: true, mode: 0o700 })
    await removeLeftovers(partialFolder, needs.clock.now())
  })
  const folder: Folder = { needs, partialFolder, ready }

  return {
    ...signedAddresses(folder),
    openParts: (key) => attempt('open', () => openParts(folder, key)),
    receive: async (upload) => await receive(folder, upload),
    find: (key) =>
      attempt('find', async () => {
        const file = await openFile(folder, key)
        await file?.handle.close()
        return file && { key, sizeBytes: file.sizeBytes, etag: file.etag, contentType: file.contentType }
      }),
    open: (wanted) => attempt('open', () => openObject(folder, wanted)),
    write: (key, bytes, options) =>
      attempt('write', async () => {
        await write(folder, key, single(bytes), options)
      }),
    writeStream: (key, bytes, options) =>
      attempt('write', async () => {
        await write(folder, key, bytes, options)
      }),
    copy: (copied) => attempt('copy', () => copy(folder, copied)),
    remove: (keys) =>
      attempt('remove', async () => {
        for (const key of keys) await rm(pathOf(folder, key), { force: true })
      }),
    list: (prefix) => listFolder(needs.folder, prefix),
    check: () =>
      attempt('check', async () => {
        await ready()
        await tryToWrite(partialFolder)
      }),
  }
}

function signedAddresses(
  folder: Folder,
): Pick<
  FilesystemStorage,
  'signUpload' | 'signParts' | 'joinParts' | 'dropParts' | 'signDownload' | 'verifyDownload'
> {
  const { needs } = folder
  return {
    async signUpload(upload) {
      pathOf(folder, upload.key)
      return uploadAddress(needs, upload)
    },
    // a folder takes any number of bytes at once
    async signParts(upload) {
      pathOf(folder, upload.key)
      const part = { url: uploadAddress(needs, upload), from: 0, to: upload.bytes }
      return { parts: [part], session: undefined }
    },
    joinParts: async () => true,
    dropParts: async () => {},
    async signDownload(download) {
      pathOf(folder, download.key)
      return downloadAddress(needs, download)
    },
    verifyDownload: (key, query) => (isKey(key) ? verifyDownload(needs, key, query) : undefined),
  }
}

function pathOf({ needs }: Folder, key: string): string {
  if (!isKey(key)) throw new Error('not a key of the storage')
  return join(needs.folder, ...key.split('/'))
}

function openFile(folder: Folder, key: string): ReturnType<typeof openLabelled> {
  return isKey(key) ? openLabelled(pathOf(folder, key)) : Promise.resolve(undefined)
}

async function write(
  folder: Folder,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
  label: Label,
): Promise<string> {
  const { partialFolder, ready } = folder
  await ready()
  return await writeLabelled({ path: pathOf(folder, key), partialFolder, ...label }, bytes)
}

async function receive(folder: Folder, upload: IncomingUpload): Promise<string> {
  const { contentType, bytes } = boundedUpload(folder.needs, upload)
  const label = { contentType, cacheControl: undefined }
  return await attempt('receive', () => write(folder, upload.key, bytes, label))
}

async function openParts(folder: Folder, key: string): Promise<PartedObject | undefined> {
  const file = await openFile(folder, key)
  if (!file) return undefined
  const { sizeBytes, etag, handle } = file
  const part = (start: number, end: number) => bytesOf(file, start, end)
  return { sizeBytes, etag, part, close: () => handle.close() }
}

async function openObject(
  folder: Folder,
  { key, etag }: Parameters<ObjectStoragePort['open']>[0],
): ReturnType<ObjectStoragePort['open']> {
  const file = await openFile(folder, key)
  if (!file || (etag !== undefined && file.etag !== etag)) {
    await file?.handle.close()
    return undefined
  }
  const { handle, ...labelled } = file
  return { key, ...labelled, bytes: bytesOf(file), close: () => handle.close() }
}

/** @returns false where the object is another one by now */
async function copy(
  folder: Folder,
  { from, etag, to, ...label }: Parameters<ObjectStoragePort['copy']>[0],
): Promise<boolean> {
  const file = await openFile(folder, from)
  if (file?.etag !== etag) {
    await file?.handle.close()
    return false
  }
  // the handle stays with the content that was open, also when the file is replaced meanwhile
  await write(folder, to, bytesOf(file), label)
  return true
}

/** As a real file would be. Not waited for until it is on the disk: that takes as long as others write. */
async function tryToWrite(folder: string): Promise<void> {
  const path = join(folder, `probe-${randomUUID()}`)
  try {
    await writeFile(path, PROBE, { mode: 0o600 })
  } finally {
    await rm(path, { force: true })
  }
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** What a crash left half written. */
async function removeLeftovers(partialFolder: string, now: Date): Promise<void> {
  for (const name of await readdir(partialFolder)) {
    const path = join(partialFolder, name)
    const info = await stat(path).catch(() => undefined)
    if (info && now.getTime() - info.mtimeMs > LEFT_OVER_AFTER_MS) await rm(path, { force: true })
  }
}

/** One batch for each folder: an owner's few files. */
async function* listFolder(root: string, prefix: string): AsyncGenerator<ListedObject[]> {
  const folder = join(root, ...prefix.split('/').filter(Boolean))
  const entries = await attempt('list', () =>
    readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (isAbsent(error)) return []
      throw error
    }),
  )
  const found: ListedObject[] = []
  for (const entry of entries) {
    const key = `${prefix}${entry.name}`
    if (entry.isDirectory()) yield* listFolder(root, `${key}/`)
    else if (isKey(key)) {
      const info = await stat(join(folder, entry.name)).catch(() => undefined)
      if (info) found.push({ key, modifiedAt: info.mtime })
    }
  }
  if (found.length > 0) yield found
}

function attempt<T>(action: string, work: () => Promise<T>): Promise<T> {
  return outside({ provider: 'filesystem storage', action }, work)
}

/** Does something the first time only; a time that failed does not count. */
function once(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}
