import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { type ArchivedList, BackupProblem } from './manifest.ts'

/** What is in an archive is personal: no other user of the machine may read it. */
export const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600
const NEW_LINE = 0x0a

/** What went through a stream, in lines. */
export interface Digest {
  lines: number
  sha256: string
}

/** A stream that lets everything through, and counts it. */
export function digesting(): { through: Transform; digest(): Digest } {
  const hash = createHash('sha256')
  let lines = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) lines += 1
      done(null, chunk)
    },
  })
  return { through, digest: () => ({ lines, sha256: hash.digest('hex') }) }
}

/** A folder for a new archive. @throws BackupProblem where something is in it already */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  if ((await readdir(folder)).length > 0)
    throw new BackupProblem(`${folder} is not empty: name a folder that is, or one that is not there yet`)
}

/** Writes a new file; it is on the disk when this resolves. */
export function newFile(path: string): Writable {
  return createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true })
}

/** Compressed a little: the disk is the slower one already. */
export const compressing = () => createGzip({ level: constants.Z_BEST_SPEED })

/** Writes one line of JSON for each. */
export async function writeList(path: string, items: AsyncIterable<object>): Promise<ArchivedList> {
  const { through, digest } = digesting()
  const lines = async function* () {
    for await (const item of items) yield `${JSON.stringify(item)}\n`
  }
  await pipeline(Readable.from(lines()), through, newFile(path))
  const { lines: count, sha256 } = digest()
  return { count, sha256 }
}

/** What `writeList` has written. @throws BackupProblem where it is not the same, before the first of them is given */
export async function* readList<Item>(path: string, expected: ArchivedList): AsyncGenerator<Item> {
  const { through, digest } = digesting()
  const wasted = new Writable({ write: (_chunk, _encoding, done) => done() })
  await intact(path, () => pipeline(createReadStream(path), through, wasted))
  if (digest().sha256 !== expected.sha256) throw broken(path)
  for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line) as Item
}

/** The content of a compressed file, in digest. @throws BackupProblem where it is missing, cut short or damaged */
export async function digestOf(path: string): Promise<Digest> {
  const { through, digest } = digesting()
  const wasted = new Writable({ write: (_chunk, _encoding, done) => done() })
  await intact(path, () => pipeline(createReadStream(path), createGunzip(), through, wasted))
  return digest()
}

/** @throws BackupProblem in place of what the disk or the compression says */
async function intact(path: string, read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    throw broken(path, error)
  }
}

export function broken(path: string, cause?: unknown): BackupProblem {
  return new BackupProblem(`The archive is broken: ${path} is missing or damaged`, cause)
}
