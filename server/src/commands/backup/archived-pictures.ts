import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  broken,
  digesting,
  FOLDER_MODE,
  newFile,
  readList,
  writeList,
} from '../../platform/backup/archive-files.ts'
import type { ArchivedList } from '../../platform/backup/manifest.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'

/** Of people, of organizations, and files of the chat. What is on its way (`tmp/`) is tried again; recordings are too large. */
const PREFIXES = ['avatars/', 'logos/', 'attachments/']
const LIST = 'pictures.jsonl'
/** As the store takes them, so that none leads out of a folder. */
const KEY = /^(avatars|logos|attachments)(\/[\w-][\w.-]*)+$/

interface ArchivedPicture {
  key: string
  contentType: string
  cacheControl: string
  sha256: string
}

/** Copies every picture, one after the other. One that is replaced meanwhile stays in the store until long after. */
export async function archivePictures(storage: ObjectStoragePort, folder: string): Promise<ArchivedList> {
  return await writeList(join(folder, LIST), copyPictures(storage, folder))
}

async function* copyPictures(storage: ObjectStoragePort, folder: string): AsyncGenerator<ArchivedPicture> {
  for (const prefix of PREFIXES)
    for await (const batch of storage.list(prefix))
      for (const { key } of batch) {
        const picture = await storage.open({ key })
        if (!picture) continue
        const { through, digest } = digesting()
        const path = pathOf(folder, key)
        await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
        await pipeline(picture.bytes, through, newFile(path))
        const { contentType, cacheControl = '' } = picture
        yield { key, contentType, cacheControl, sha256: digest().sha256 }
      }
}

/** Puts every picture back, in place of what is there under its key. */
export async function restorePictures(
  storage: ObjectStoragePort,
  folder: string,
  list: ArchivedList,
): Promise<void> {
  for await (const { key, sha256, contentType, cacheControl } of readPictures(folder, list)) {
    const path = pathOf(folder, key)
    const bytes = await readFile(path).catch((error: unknown) => {
      throw broken(path, error)
    })
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw broken(path)
    await storage.write(key, bytes, { contentType, cacheControl })
  }
}

async function* readPictures(folder: string, list: ArchivedList): AsyncGenerator<ArchivedPicture> {
  for await (const picture of readList<ArchivedPicture>(join(folder, LIST), list)) {
    if (!KEY.test(picture.key)) throw broken(join(folder, LIST))
    yield picture
  }
}

function pathOf(folder: string, key: string): string {
  return join(folder, 'pictures', ...key.split('/'))
}
