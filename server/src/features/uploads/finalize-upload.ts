import type { Budgets } from '../../access/budgets/budgets.ts'
import { readTries, returnTry, spendTry } from '../../directory/image-tries.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import { every } from '../../platform/timing/timer.ts'
import type { ImageCheckPort } from '../../ports/image-check.ts'
import type { ObjectStoragePort, StoredObject } from '../../ports/object-storage.ts'
import { type ImageSlot, noTriesLeft, requireTries } from './image-slot.ts'
import { noteReplaced } from './replaced-store.ts'
import { IMAGE_BYTES_MAX, permanentKeyOf, requireGoodImage, requireOwnKey, requireSize } from './rules.ts'
import {
  claimTicket,
  extendClaim,
  finishTicket,
  hasTicket,
  isAbandoned,
  noteSizeKnown,
  releaseTicket,
} from './store.ts'

export interface FinalizeNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'find' | 'open' | 'write' | 'copy' | 'remove'>
  imageCheck: Pick<ImageCheckPort, 'check'>
  budgets: Pick<Budgets, 'settleUpload'>
}

/** How long after a crash nobody else may have the upload; whoever is at it extends the lease again and again. */
const LEASE_SECONDS = 12
const EXTEND_EVERY_MS = 3_000
/** Lists and profiles that others have open name the image before: they hear of the new one, or ask again, by then. */
const REPLACED_FOR_SECONDS = 60
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

interface Claim {
  tmpKey: string
  until: Date
  /** Whoever claimed it before never came to an end: their try is still spent for it. */
  wasAbandoned: boolean
  /** Extends it no more: from now on `until` stands. */
  settle(): Promise<void>
}

/**
 * Checks an upload and shows it. The order of the rules is the interface's.
 * @returns the key of the image that is shown from now on
 * @throws Refusal; any other error is a failure of ours, after which the upload is still there for another call
 */
export async function finalizeUpload(needs: FinalizeNeeds, slot: ImageSlot, tmpKey: string): Promise<string> {
  requireOwnKey(tmpKey, slot.ownerId)
  await requireTries(needs, slot).catch(async (refusal: unknown) => {
    // what a crash of ours left unfinished has had its try already
    if (!(await isAbandoned(needs.db, slot.ownerId, tmpKey, needs.clock.now()))) throw refusal
  })
  try {
    const upload = await findUpload(needs, slot, tmpKey)
    return await underClaim(needs, slot, tmpKey, (claim) =>
      withTry(needs, slot, claim, () => judged(needs, slot, upload, () => place(needs, slot, claim, upload))),
    )
  } catch (error) {
    if (error instanceof Refusal) throw error
    // 500 by the interface, where another failure behind us is 503
    throw new Error('an upload could not be finalized', { cause: error })
  }
}

/** What was drawn for the upload and not used is given back with the result, whatever it is; not where it was we who failed. */
async function judged<T>(
  needs: FinalizeNeeds,
  slot: ImageSlot,
  upload: StoredObject,
  work: () => Promise<T>,
): Promise<T> {
  const settle = async () => {
    if (await noteSizeKnown(needs.db, slot.ownerId, upload.key))
      await needs.budgets.settleUpload(slot.owner, upload.sizeBytes)
  }
  try {
    const result = await work()
    await settle().catch(() => undefined)
    return result
  } catch (error) {
    if (error instanceof Refusal) await settle().catch(() => undefined)
    throw error
  }
}

async function findUpload(needs: FinalizeNeeds, slot: ImageSlot, tmpKey: string): Promise<StoredObject> {
  const issued = await hasTicket(needs.db, slot.ownerId, tmpKey)
  const found = issued ? await needs.storage.find(tmpKey) : undefined
  if (!found) throw notFound()
  return found
}

/** One at a time finalizes an upload; whoever comes second finds nothing to finalize. */
async function underClaim<T>(
  needs: FinalizeNeeds,
  slot: ImageSlot,
  tmpKey: string,
  work: (claim: Claim) => Promise<T>,
): Promise<T> {
  const now = needs.clock.now()
  const until = secondsAfter(now, LEASE_SECONDS)
  const claimed = await claimTicket(needs.db, slot.ownerId, tmpKey, { now, until })
  if (!claimed) throw notFound()
  const claim = keepClaim(needs, slot, { tmpKey, until, ...claimed })
  try {
    return await work(claim)
  } catch (error) {
    await claim.settle()
    // where even this fails, the lease ends by itself
    await releaseTicket(needs.db, slot.ownerId, tmpKey, claim.until).catch(() => undefined)
    throw error
  } finally {
    await claim.settle()
  }
}

/** A claim that lasts as long as this process does, and not much longer. */
function keepClaim(needs: FinalizeNeeds, slot: ImageSlot, claimed: Omit<Claim, 'settle'>): Claim {
  let extending = Promise.resolve()
  const extend = async () => {
    const lease = { until: claim.until, longer: secondsAfter(needs.clock.now(), LEASE_SECONDS) }
    if (await extendClaim(needs.db, slot.ownerId, claim.tmpKey, lease)) claim.until = lease.longer
  }
  const extendNext = () => {
    extending = extending.then(extend).catch(() => undefined)
  }
  // a database that does not answer is asked again at the next turn
  const timer = every(EXTEND_EVERY_MS, extendNext, () => undefined)
  const claim: Claim = {
    ...claimed,
    async settle() {
      timer.stop()
      await extending
    },
  }
  return claim
}

/** Spends a try, and gives it back where it was we who failed. */
async function withTry<T>(
  needs: FinalizeNeeds,
  slot: ImageSlot,
  { wasAbandoned }: Claim,
  work: () => Promise<T>,
): Promise<T> {
  const { db } = needs
  const beganAt = wasAbandoned
    ? (await readTries(db, slot.owner)).beganAt
    : await spendTry(db, slot.owner, slot.tries, needs.clock.now())
  if (beganAt === undefined) {
    await requireTries(needs, slot)
    // given back by another call in between: there is one again
    throw noTriesLeft(1)
  }
  try {
    return await work()
  } catch (error) {
    if (beganAt && !(error instanceof Refusal))
      await returnTry(db, slot.owner, beganAt).catch(() => undefined)
    throw error
  }
}

async function place(
  needs: FinalizeNeeds,
  slot: ImageSlot,
  claim: Claim,
  upload: StoredObject,
): Promise<string> {
  const { storage } = needs
  const bytes = await readWhole(needs, upload)
  const image = await orDiscard(needs, upload.key, async () => {
    requireSize(bytes?.length ?? upload.sizeBytes)
    return bytes && requireGoodImage(await needs.imageCheck.check(bytes))
  })
  if (!image) throw notFound()
  const key = permanentKeyOf(slot.folder, upload.key)
  const options = { contentType: image.contentType, cacheControl: CACHE_CONTROL }
  if (image.cleaned) await storage.write(key, image.cleaned, options)
  else if (!(await storage.copy({ from: upload.key, etag: upload.etag, to: key, ...options })))
    throw notFound()
  await show(needs, slot, claim, key)
  await discard(needs, [upload.key])
  return key
}

/** What is left behind by a refusal of the rules is removed, where the storage lets us; else by the sweeper. */
async function orDiscard<T>(needs: FinalizeNeeds, tmpKey: string, judge: () => Promise<T>): Promise<T> {
  try {
    return await judge()
  } catch (error) {
    if (error instanceof Refusal) await discard(needs, [tmpKey])
    throw error
  }
}

async function discard(needs: FinalizeNeeds, keys: string[]): Promise<void> {
  await needs.storage.remove(keys).catch(() => undefined)
}

/** The bytes that were found; undefined where others are there by now, or more than an image may have. */
async function readWhole(needs: FinalizeNeeds, upload: StoredObject): Promise<Uint8Array | undefined> {
  if (upload.sizeBytes > IMAGE_BYTES_MAX) return undefined
  const opened = await needs.storage.open({ key: upload.key, etag: upload.etag })
  if (!opened) return undefined
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of opened.bytes) {
    total += chunk.length
    if (total > upload.sizeBytes) throw new Error('the storage answered with more than it has')
    chunks.push(chunk)
  }
  if (total < upload.sizeBytes) throw new Error('the storage answered with less than it has')
  return Buffer.concat(chunks)
}

/**
 * Makes the image the one that is shown; the one before stays for those who have not heard of it yet. Where that fails,
 * it is taken back: nobody shows it.
 */
async function show(needs: FinalizeNeeds, slot: ImageSlot, claim: Claim, key: string): Promise<void> {
  await claim.settle()
  let isOurs = true
  try {
    await transaction(needs.db, async (tx) => {
      const now = needs.clock.now()
      isOurs = await finishTicket(tx, slot.ownerId, claim.tmpKey, { now, until: claim.until })
      if (!isOurs) throw notFound()
      const before = await slot.replace(tx, key, now)
      if (before !== null && before !== key)
        await noteReplaced(tx, before, secondsAfter(now, REPLACED_FOR_SECONDS))
    })
  } catch (error) {
    if (isOurs) await takeBack(needs, slot, claim, key)
    throw error
  }
}

/**
 * A commit whose answer was lost may have happened: only what certainly nobody shows is removed, and only while
 * nobody else can be at the same upload. The rest is for the sweeper.
 */
async function takeBack(needs: FinalizeNeeds, slot: ImageSlot, claim: Claim, key: string): Promise<void> {
  if (needs.clock.now() >= claim.until) return
  const shown = await slot.shown(needs.db, [key]).catch(() => [key])
  if (shown.length === 0) await discard(needs, [key])
}

function notFound(): Refusal {
  return Refusal.of('upload-not-found')
}
