import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { FileCheckPort } from '../../../ports/file-check.ts'
import type { ImageCheckPort } from '../../../ports/image-check.ts'
import type { ObjectStoragePort, StoredObject } from '../../../ports/object-storage.ts'
import { HEAD_BYTES, typeOfFile } from './file-type.ts'
import {
  deleteAttachment,
  type Finished,
  finishAttachment,
  type OwnAttachment,
  readOwnAttachment,
} from './store.ts'

interface Needs {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'joinParts' | 'find' | 'open' | 'copy' | 'write' | 'remove'>
  imageCheck: Pick<ImageCheckPort, 'preview'>
  /** Undefined: files are not checked. */
  fileCheck: FileCheckPort | undefined
}

const KEPT = { cacheControl: 'private, max-age=300' }
/** What the image check takes. */
const PREVIEWED_BYTES_MAX = 25 * 1024 * 1024
const PREVIEW_TYPE = 'image/webp'
const PICTURES = ['image/jpeg', 'image/png', 'image/webp']

/**
 * Checks an upload and puts it in its place. Nothing is lost where it ends halfway: another call begins again, and all of
 * them come to the same. A refused file is taken back.
 */
export async function finalizeAttachment(
  needs: Needs,
  caller: CallerOf<'finalizeAttachment'>,
  { attachmentId }: Input<'finalizeAttachment'>,
): Promise<Reply<'finalizeAttachment'>> {
  const { id: organization } = caller.organization
  const attachment = await readOwnAttachment(needs.db, organization, caller.user.id, attachmentId)
  if (!attachment) throw Refusal.of('attachment-not-found')
  if (attachment.shown) return { status: 200, body: attachment.shown }
  try {
    const upload = await findUpload(needs, attachment)
    const finished = await place(needs, attachment, upload)
    const body = await finishAttachment(needs.db, organization, attachmentId, finished, needs.clock.now())
    if (!body) {
      await needs.storage.remove([attachment.objectKey, previewKeyOf(attachment)])
      throw Refusal.of('attachment-not-found')
    }
    // what fails here is swept
    await needs.storage.remove([upload.key]).catch(() => undefined)
    return { status: 200, body }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // another call has finished it meanwhile, and taken the upload away
    const now = await readOwnAttachment(needs.db, organization, caller.user.id, attachmentId)
    if (now?.shown) return { status: 200, body: now.shown }
    if (error.error !== 'upload-not-found') await deleteAttachment(needs.db, organization, attachmentId)
    throw error
  }
}

async function findUpload({ storage }: Needs, attachment: OwnAttachment): Promise<StoredObject> {
  const { uploadKey: key, session, bytes } = attachment
  if (key === null) throw Refusal.of('attachment-not-found')
  const isJoined = await storage.joinParts({ key, session: session ?? undefined, bytes })
  const found = isJoined ? await storage.find(key) : undefined
  if (found?.sizeBytes !== bytes) throw Refusal.of('upload-not-found')
  return found
}

/** Looks at the bytes, and keeps exactly those that were looked at. */
async function place(needs: Needs, attachment: OwnAttachment, upload: StoredObject): Promise<Finished> {
  const { storage, fileCheck } = needs
  const isPreviewed = upload.sizeBytes <= PREVIEWED_BYTES_MAX
  const head = await readUpTo(storage, upload, HEAD_BYTES)
  const contentType = typeOfFile(head, attachment.contentType)
  if (contentType === undefined) throw Refusal.of('file-type-differs')
  if (fileCheck) await requireClean(storage, fileCheck, attachment, upload)
  const picture =
    isPreviewed && PICTURES.includes(contentType) ? await showSmaller(needs, attachment, upload) : undefined
  const { key: from, etag } = upload
  if (!(await storage.copy({ from, etag, to: attachment.objectKey, contentType, ...KEPT })))
    throw Refusal.of('upload-not-found')
  return { contentType, picture }
}

async function requireClean(
  storage: Needs['storage'],
  fileCheck: FileCheckPort,
  { name }: OwnAttachment,
  upload: StoredObject,
): Promise<void> {
  const opened = await storage.open(upload)
  if (!opened) throw Refusal.of('upload-not-found')
  try {
    const { isClean } = await fileCheck.check({ name, sizeBytes: upload.sizeBytes, bytes: opened.bytes })
    if (!isClean) throw Refusal.of('file-refused')
  } finally {
    await opened.close()
  }
}

/** A picture that cannot be decoded, or is too large to be, is a file as every other. */
async function showSmaller(
  { storage, imageCheck }: Needs,
  attachment: OwnAttachment,
  upload: StoredObject,
): Promise<Finished['picture']> {
  const verdict = await imageCheck.preview(await readUpTo(storage, upload, upload.sizeBytes))
  if (!verdict.accepted || !verdict.cleaned) return undefined
  const previewKey = previewKeyOf(attachment)
  await storage.write(previewKey, verdict.cleaned, { contentType: PREVIEW_TYPE, ...KEPT })
  return { width: verdict.width, height: verdict.height, previewKey }
}

function previewKeyOf({ objectKey }: OwnAttachment): string {
  return `${objectKey}.webp`
}

/** The first bytes of what was found; where other bytes are there by now, the upload is not. */
async function readUpTo(
  storage: Needs['storage'],
  { key, etag, sizeBytes }: StoredObject,
  most: number,
): Promise<Uint8Array> {
  const opened = await storage.open({ key, etag })
  if (!opened) throw Refusal.of('upload-not-found')
  const wanted = Math.min(most, sizeBytes)
  const chunks: Uint8Array[] = []
  let total = 0
  try {
    for await (const chunk of opened.bytes) {
      chunks.push(chunk)
      total += chunk.length
      if (total >= wanted) break
    }
  } finally {
    await opened.close()
  }
  if (total < wanted) throw new Error('the storage answered with less than it has')
  return Buffer.concat(chunks).subarray(0, wanted)
}
