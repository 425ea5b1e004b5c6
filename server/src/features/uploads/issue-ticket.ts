import { randomUUID } from 'node:crypto'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { type ImageSlot, requireTries } from './image-slot.ts'
import { requireImageType, tmpKeyOf } from './rules.ts'
import { countOpenTickets, insertTicket } from './store.ts'

export interface TicketNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'signUpload'>
}

const UPLOAD_SECONDS = 120
/** Uploads that nobody finalizes fill the storage until they are swept: there is an end to them. */
const OPEN_TICKETS_MAX = 100
const DAY_SECONDS = 24 * 60 * 60

/** An address to which the owner of a slot may upload one image. */
export async function issueTicket(needs: TicketNeeds, slot: ImageSlot, contentType: string) {
  const type = requireImageType(contentType)
  await requireTries(needs, slot)
  const now = needs.clock.now()
  const open = await countOpenTickets(needs.db, slot.ownerId, secondsAfter(now, -DAY_SECONDS))
  if (open >= OPEN_TICKETS_MAX) {
    throw new Refusal('too-many', 'Too many uploads were begun and not finished', {
      error: 'too-many-open-uploads',
      retryAfterSeconds: 60 * 60,
    })
  }
  const tmpKey = tmpKeyOf(slot.ownerId, randomUUID(), type)
  const upload = { key: tmpKey, contentType: type, expiresInSeconds: UPLOAD_SECONDS }
  const uploadUrl = await needs.storage.signUpload(upload).catch((cause: unknown) => {
    // 500 by the interface, where another failure behind us is 503
    throw new Error('an upload address could not be signed', { cause })
  })
  await insertTicket(needs.db, { tmpKey, owner: slot.ownerId }, now)
  return { uploadUrl, tmpKey, expiresInSeconds: UPLOAD_SECONDS }
}
