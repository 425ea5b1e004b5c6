import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fieldsOf, identifierOf, wholeTextOf } from '../../platform/outside/outside-fields.ts'

/**
 * A file with its label (type, cache header, etag) behind its bytes: both are there or neither is, and the picture
 * can still be looked at where it lies. The label always has the same length, so that it is found from the end.
 */
export interface Label {
  contentType: string
  cacheControl: string | undefined
  etag: string
}

export interface LabelledFile extends Label {
  sizeBytes: number
  handle: FileHandle
}

const LABEL_BYTES = 512
const READ_BYTES = 64 * 1024

export interface NewFile {
  path: string
  /** On the same file system as `path`. What a crash leaves here is worthless. */
  partialFolder: string
  contentType: string
  cacheControl?: string | undefined
}

/** Writes a file under another name, makes it durable, and only then puts it in its place. */
export async function writeLabelled(file: NewFile, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const partial = join(file.partialFolder, randomUUID())
  const handle = await open(partial, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    for await (const chunk of bytes) {
      hash.update(chunk)
      await handle.appendFile(chunk)
    }
    const etag = hash.digest('hex').slice(0, 40)
    const { contentType, cacheControl } = file
    const label = JSON.stringify({ contentType, cacheControl, etag }).padEnd(LABEL_BYTES)
    if (Buffer.byteLength(label) !== LABEL_BYTES) throw new Error('the label of a file is too long')
    await handle.appendFile(label)
    await handle.datasync()
    await handle.close()
    await mkdir(dirname(file.path), { recursive: true, mode: 0o700 })
    await rename(partial, file.path)
    return etag
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(partial, { force: true })
    throw error
  }
}

/** Opens a file of ours; undefined where there is none. The caller closes its handle. */
export async function openLabelled(path: string): Promise<LabelledFile | undefined> {
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
  try {
    const sizeBytes = (await handle.stat()).size - LABEL_BYTES
    if (sizeBytes < 0) throw new Error('a stored file has no label')
    const { buffer } = await handle.read(Buffer.alloc(LABEL_BYTES), 0, LABEL_BYTES, sizeBytes)
    return { ...labelOf(JSON.parse(buffer.toString())), sizeBytes, handle }
  } catch (error) {
    await handle.close()
    // a folder can be opened, but not read: no file of ours
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** @throws Error where it is none: the file is not ours, or was cut off */
function labelOf(value: unknown): Label {
  const { contentType, cacheControl, etag: given } = fieldsOf(value)
  const etag = identifierOf(given, LABEL_BYTES)
  if (etag === undefined) throw new Error('a stored file has another label than ours')
  const said = wholeTextOf(cacheControl, LABEL_BYTES)
  return { contentType: wholeTextOf(contentType, LABEL_BYTES), cacheControl: said || undefined, etag }
}

/**
 * The bytes of a file without its label, or a part of them up to before `end`; closes it at the end, or when the reader
 * stops.
 */
export async function* bytesOf(
  { handle, sizeBytes }: LabelledFile,
  start = 0,
  end = sizeBytes,
): AsyncGenerator<Uint8Array> {
  try {
    for (let at = start; at < end; ) {
      const length = Math.min(READ_BYTES, end - at)
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at)
      if (bytesRead === 0) throw new Error('a stored file is shorter than it was')
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

export function isAbsent(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR'
}
