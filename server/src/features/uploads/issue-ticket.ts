import { randomUUID } from 'node:crypto'
import type { Budgets } from '../../access/budgets/budgets.ts'
import type { Visitor } from '../../access/caller.ts'
import { type Clock, DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { type ImageSlot, requireTries } from './image-slot.ts'
import { requireImageType, tmpKeyOf } from './rules.ts'
import { insertTicketWithin } from './store.ts'

export interface TicketNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'signUpload'>
  budgets: Pick<Budgets, 'drawUpload'>
  /** Uploads without a finalize fill the storage until they are swept: there is an end to them. */
  unfinishedUploads: number
}

const UPLOAD_SECONDS = 120

/** An address to which the owner of a slot may upload one image. */
export async function issueTicket(needs: TicketNeeds, caller: Visitor, slot: ImageSlot, contentType: string) {
  const type = requireImageType(contentType)
  await requireTries(needs, slot)
  await needs.budgets.drawUpload(caller, slot.owner)
  const tmpKey = tmpKeyOf(slot.ownerId, randomUUID(), type)
  const upload = { key: tmpKey, contentType: type, expiresInSeconds: UPLOAD_SECONDS }
  const uploadUrl = await needs.storage.signUpload(upload).catch((cause: unknown) => {
    // 500 by the interface, where another failure behind us is 503
    throw new Error('an upload address could not be signed', { cause })
  })
  const now = needs.clock.now()
  const limit = { max: needs.unfinishedUploads, since: secondsAfter(now, -DAY_SECONDS) }
  const isNoted = await transaction(needs.db, (tx) =>
    insertTicketWithin(tx, limit, { tmpKey, owner: slot.ownerId }, now),
  )
  if (isNoted) return { uploadUrl, tmpKey, expiresInSeconds: UPLOAD_SECONDS }
  throw Refusal.of('too-many-open-uploads', { retryAfterSeconds: 60 * 60 })
}
