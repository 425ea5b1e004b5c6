import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@atrium/contract'
import type { Budgets } from '../../../access/budgets/budgets.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { type Clock, DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { invalidInput, Refusal } from '../../../platform/refusal.ts'
import type { ObjectStoragePort } from '../../../ports/object-storage.ts'
import { type ChatCallNeeds, callChat } from '../messages/chat-call.ts'
import { cleanFileName } from './file-name.ts'
import { insertAttachmentWithin } from './store.ts'

interface Needs extends ChatCallNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'signParts'>
  budgets: Pick<Budgets, 'drawFile'>
  /** A file has at most so many bytes. */
  fileBytesMax: number
  unfinishedUploads: number
}

/** A slow network takes its time for 25 MiB. */
const UPLOAD_SECONDS = HOUR_SECONDS

/** Addresses to upload one file of a conversation to, straight to the storage. */
export async function createAttachmentTicket(
  needs: Needs,
  caller: CallerOf<'createAttachmentTicket'>,
  { conversationId, name: given, contentType, bytes }: Input<'createAttachmentTicket'>,
): Promise<Reply<'createAttachmentTicket'>> {
  const { id: organization } = caller.organization
  const name = cleanFileName(given)
  if (name === undefined)
    throw invalidInput([{ field: 'name', message: 'A name has at most 30 combining marks in a row' }])
  if (bytes > needs.fileBytesMax) {
    const message = `A file has at most ${needs.fileBytesMax} bytes`
    throw Refusal.of('too-large', { message })
  }
  await callChat(needs, caller, 'may_attach($1)', [conversationId])
  await needs.budgets.drawFile(caller, { user: caller.user.id, organization }, bytes)
  const file = `${organization}/${randomUUID()}`
  const uploadKey = `tmp/files/${file}`
  const upload = { key: uploadKey, contentType, bytes, expiresInSeconds: UPLOAD_SECONDS }
  const { parts, session } = await needs.storage.signParts(upload)
  const now = needs.clock.now()
  const limit = { max: needs.unfinishedUploads, since: secondsAfter(now, -DAY_SECONDS) }
  const owner = { organization, conversationId, user: caller.user.id }
  const noted = { ...owner, name, contentType, bytes, objectKey: `attachments/${file}`, uploadKey, session }
  const attachmentId = await transaction(needs.db, (tx) => insertAttachmentWithin(tx, limit, noted, now))
  if (attachmentId === undefined)
    throw Refusal.of('too-many-open-uploads', { retryAfterSeconds: HOUR_SECONDS })
  return { status: 200, body: { attachmentId, parts, expiresInSeconds: UPLOAD_SECONDS } }
}
