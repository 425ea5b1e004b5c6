import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '../../platform/clock.ts'
import { UPLOAD_BYTES_MAX } from '../../platform/http/input/upload-size.ts'
import { outside } from '../../platform/outside/outside.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ListedObject, ObjectStoragePort } from '../../ports/object-storage.ts'
import { bytesOf, isAbsent, type LabelledFile, openLabelled, writeLabelled } from './labelled-file.ts'
import {
  type DownloadGrant,
  downloadAddress,
  type SignatureNeeds,
  type UploadGrant,
  uploadAddress,
  verifyDownload,
  verifyUpload,
} from './upload-signature.ts'

export interface FilesystemStorageNeeds extends SignatureNeeds {
  folder: string
}

/** An upload as it comes in on a signed address. */
export interface IncomingUpload {
  key: string
  query: Readonly<Record<string, unknown>>
  contentType: string | undefined
  lengthBytes: number | undefined
  bytes: AsyncIterable<Uint8Array>
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

const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)+$/
const PARTIAL = '.partial'
/** More than the file system keeps beside the name of a file: it takes a block. */
const PROBE = Buffer.alloc(4_096)
const LEFT_OVER_AFTER_MS = HOUR_MS

/** Object storage in a folder of this machine, with signed addresses that the API itself serves. */
export function filesystemStorage(needs: FilesystemStorageNeeds): FilesystemStorage {
  const partialFolder = join(needs.folder, PARTIAL)
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new Error('not a key of the storage')
    return join(needs.folder, ...key.split('/'))
  }
  const ready = once(async () => {
    await mkdir(partialFolder, { recursive: true, mode: 0o700 })
    await removeLeftovers(partialFolder, needs.clock.now())
  })
  const write = async (
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    label: Pick<LabelledFile, 'contentType' | 'cacheControl'>,
  ) => {
    await ready()
    return await writeLabelled({ path: pathOf(key), partialFolder, ...label }, bytes)
  }
  const openFile = (key: string) => (isKey(key) ? openLabelled(pathOf(key)) : Promise.resolve(undefined))

  return {
    async signUpload(upload) {
      pathOf(upload.key)
      return uploadAddress(needs, upload)
    },
    // a folder takes any number of bytes at once
    async signParts(upload) {
      pathOf(upload.key)
      const part = { url: uploadAddress(needs, upload), from: 0, to: upload.bytes }
      return { parts: [part], session: undefined }
    },
    joinParts: async () => true,
    dropParts: async () => {},
    async signDownload(download) {
      pathOf(download.key)
      return downloadAddress(needs, download)
    },
    openParts: (key) =>
      attempt('open', async () => {
        const file = await openFile(key)
        if (!file) return undefined
        const { sizeBytes, etag, handle } = file
        const part = (start: number, end: number) => bytesOf(file, start, end)
        return { sizeBytes, etag, part, close: () => handle.close() }
      }),
    verifyDownload: (key, query) => (isKey(key) ? verifyDownload(needs, key, query) : undefined),
    receive: async (upload) => {
      const granted = requireGranted(needs, upload)
      const { contentType, key, bytes } = upload
      const label = { contentType: contentType as string, cacheControl: undefined }
      const bounded =
        granted.bytes === undefined ? capped(bytes, UPLOAD_BYTES_MAX) : exactly(bytes, granted.bytes)
      return await attempt('receive', () => write(key, bounded, label))
    },
    find: (key) =>
      attempt('find', async () => {
        const file = await openFile(key)
        await file?.handle.close()
        return file && { key, sizeBytes: file.sizeBytes, etag: file.etag, contentType: file.contentType }
      }),
    open: ({ key, etag }) =>
      attempt('open', async () => {
        const file = await openFile(key)
        if (!file || (etag !== undefined && file.etag !== etag)) {
          await file?.handle.close()
          return undefined
        }
        const { handle, ...labelled } = file
        return { key, ...labelled, bytes: bytesOf(file), close: () => handle.close() }
      }),
    write: (key, bytes, options) =>
      attempt('write', async () => {
        await write(key, single(bytes), options)
      }),
    writeStream: (key, bytes, options) =>
      attempt('write', async () => {
        await write(key, bytes, options)
      }),
    copy: ({ from, etag, to, contentType, cacheControl }) =>
      attempt('copy', async () => {
        const file = await openFile(from)
        if (file?.etag !== etag) {
          await file?.handle.close()
          return false
        }
        // the handle stays with the content that was open, also when the file is replaced meanwhile
        await write(to, bytesOf(file), { contentType, cacheControl })
        return true
      }),
    remove: (keys) =>
      attempt('remove', async () => {
        for (const key of keys) await rm(pathOf(key), { force: true })
      }),
    list: (prefix) => listFolder(needs.folder, prefix),
    check: () =>
      attempt('check', async () => {
        await ready()
        await tryToWrite(partialFolder)
      }),
  }
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

function isKey(key: string): boolean {
  return key.length <= 512 && KEY.test(key)
}

function requireGranted(needs: SignatureNeeds, upload: IncomingUpload): UploadGrant {
  const grant = isKey(upload.key) ? verifyUpload(needs, upload.key, upload.query) : undefined
  if (!grant) {
    throw new Refusal('forbidden', 'This upload link is invalid or has expired', {
      error: 'upload-not-granted',
    })
  }
  if (upload.contentType !== grant.contentType) {
    throw new Refusal('forbidden', `This upload must come as ${grant.contentType}`, {
      error: 'upload-not-granted',
    })
  }
  const { bytes } = grant
  if (bytes !== undefined && (upload.lengthBytes ?? bytes) !== bytes) throw ofAnotherSize(bytes)
  if (bytes === undefined && (upload.lengthBytes ?? 0) > UPLOAD_BYTES_MAX) throw tooLarge()
  return grant
}

async function* exactly(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const chunk of bytes) {
    total += chunk.length
    if (total > size) throw ofAnotherSize(size)
    yield chunk
  }
  if (total < size) throw ofAnotherSize(size)
}

function ofAnotherSize(size: number): Refusal {
  const message = `This upload must have exactly ${size} bytes`
  return new Refusal('forbidden', message, { error: 'upload-not-granted' })
}

async function* capped(bytes: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const chunk of bytes) {
    total += chunk.length
    if (total > max) throw tooLarge()
    yield chunk
  }
}

function tooLarge(): Refusal {
  return Refusal.of('too-large', { message: `An upload has at most ${UPLOAD_BYTES_MAX} bytes` })
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
