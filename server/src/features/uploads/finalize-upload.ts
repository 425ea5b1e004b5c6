import type { Budgets } from '../../access/budgets/budgets.ts'
import { readTries, returnTry, spendTry } from '../../directory/image-tries.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ImageCheckPort } from '../../ports/image-check.ts'
import type { ObjectStoragePort, StoredObject } from '../../ports/object-storage.ts'
import { type Claim, claimUpload } from './claim.ts'
import { type ImageSlot, noTriesLeft, requireTries } from './image-slot.ts'
import { noteReplaced } from './replaced-store.ts'
import {
  type Cleanup,
  cleanupsAfter,
  type FinalizingEnd,
  type FinalizingState,
  IMAGE_BYTES_MAX,
  moved,
  permanentKeyOf,
  requireGoodImage,
  requireOwnKey,
  requireSize,
} from './rules.ts'
import { finishTicket, hasTicket, isAbandoned, noteSizeKnown } from './store.ts'

export interface FinalizeNeeds {
  db: Db
  clock: Clock
  storage: Pick<ObjectStoragePort, 'find' | 'open' | 'write' | 'copy' | 'remove'>
  imageCheck: Pick<ImageCheckPort, 'check'>
  budgets: Pick<Budgets, 'settleUpload'>
}

/** Lists and profiles that others have open name the image before: they hear of the new one, or ask again, by then. */
const REPLACED_FOR_SECONDS = 60
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

type GoodImage = ReturnType<typeof requireGoodImage>

/** One upload under way; `state` moves by the rules of `FinalizingState`. */
interface Finalizing {
  slot: ImageSlot
  upload: StoredObject
  claim: Claim
  /** Where the image is shown from. */
  key: string
  state: FinalizingState
  /** When the count of tries began that the try was spent in. */
  countBeganAt: Date | null
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
    const claim = await claimUpload(needs, slot.ownerId, tmpKey)
    if (!claim) throw Refusal.of('upload-not-found')
    const key = permanentKeyOf(slot.folder, tmpKey)
    return await finish(needs, { slot, upload, claim, key, state: 'claimed', countBeganAt: null })
  } catch (error) {
    if (error instanceof Refusal) throw error
    // 500 by the interface, where another failure behind us is 503
    throw new Error('an upload could not be finalized', { cause: error })
  }
}

async function findUpload(needs: FinalizeNeeds, slot: ImageSlot, tmpKey: string): Promise<StoredObject> {
  const issued = await hasTicket(needs.db, slot.ownerId, tmpKey)
  const found = issued ? await needs.storage.find(tmpKey) : undefined
  if (!found) throw Refusal.of('upload-not-found')
  return found
}

/** Takes a claimed upload to its end, and does what that end leaves to do. */
async function finish(needs: FinalizeNeeds, run: Finalizing): Promise<string> {
  let end: FinalizingEnd = 'failed'
  try {
    await spendOwnTry(needs, run)
    const image = await checkImage(needs, run)
    await place(needs, run, image)
    await show(needs, run)
    end = 'shown'
    return run.key
  } catch (error) {
    if (error instanceof Refusal) end = 'refused'
    throw error
  } finally {
    await run.claim.settle()
    // what fails here ends by itself: the lease runs out, the sweeper removes what is left
    for (const cleanup of cleanupsAfter(run.state, end))
      await CLEANUPS[cleanup](needs, run).catch(() => undefined)
  }
}

const CLEANUPS: Record<Cleanup, (needs: FinalizeNeeds, run: Finalizing) => Promise<void>> = {
  'remove-upload': (needs, { upload }) => needs.storage.remove([upload.key]),
  'remove-image': takeBack,
  'settle-budget': async (needs, { slot, upload }) => {
    if (await noteSizeKnown(needs.db, slot.ownerId, upload.key))
      await needs.budgets.settleUpload(slot.owner, upload.sizeBytes)
  },
  'return-try': async (needs, { slot, countBeganAt }) => {
    if (countBeganAt) await returnTry(needs.db, slot.owner, countBeganAt)
  },
  'release-claim': (_, { claim }) => claim.release(),
}

/** The try of a call that was abandoned is still spent for its upload. */
async function spendOwnTry(needs: FinalizeNeeds, run: Finalizing): Promise<void> {
  const { slot, claim } = run
  const beganAt = claim.wasAbandoned
    ? (await readTries(needs.db, slot.owner)).beganAt
    : await spendTry(needs.db, slot.owner, slot.tries, needs.clock.now())
  if (beganAt === undefined) {
    await requireTries(needs, slot)
    // given back by another call in between: there is one again
    throw noTriesLeft(1)
  }
  run.countBeganAt = beganAt
  run.state = moved(run.state, 'try-spent')
}

async function checkImage(needs: FinalizeNeeds, run: Finalizing): Promise<GoodImage> {
  const bytes = await readWhole(needs, run.upload)
  try {
    requireSize(bytes?.length ?? run.upload.sizeBytes)
    if (!bytes) throw new Error('the storage has no bytes of an upload of this size')
    const image = requireGoodImage(await needs.imageCheck.check(bytes))
    run.state = moved(run.state, 'accepted')
    return image
  } catch (error) {
    if (error instanceof Refusal) run.state = moved(run.state, 'rejected')
    throw error
  }
}

async function place({ storage }: FinalizeNeeds, run: Finalizing, image: GoodImage): Promise<void> {
  const { upload, key } = run
  const options = { contentType: image.contentType, cacheControl: CACHE_CONTROL }
  if (image.cleaned) await storage.write(key, image.cleaned, options)
  else if (!(await storage.copy({ from: upload.key, etag: upload.etag, to: key, ...options })))
    throw Refusal.of('upload-not-found')
  run.state = moved(run.state, 'placed')
}

/** The bytes that were found; undefined where there are more than an image may have. */
async function readWhole(needs: FinalizeNeeds, upload: StoredObject): Promise<Uint8Array | undefined> {
  if (upload.sizeBytes > IMAGE_BYTES_MAX) return undefined
  const opened = await needs.storage.open({ key: upload.key, etag: upload.etag })
  // others are there by now
  if (!opened) throw Refusal.of('upload-not-found')
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

/** Makes the image the one that is shown; the one before stays for those who have not heard of it yet. */
async function show(needs: FinalizeNeeds, run: Finalizing): Promise<void> {
  const { slot, claim, upload, key } = run
  const until = await claim.settle()
  await transaction(needs.db, async (tx) => {
    const now = needs.clock.now()
    if (!(await finishTicket(tx, slot.ownerId, upload.key, { now, until }))) {
      run.state = moved(run.state, 'overtaken')
      throw Refusal.of('upload-not-found')
    }
    const before = await slot.replace(tx, key, now)
    if (before !== null && before !== key)
      await noteReplaced(tx, before, secondsAfter(now, REPLACED_FOR_SECONDS))
  })
  run.state = moved(run.state, 'shown')
}

/**
 * A commit without an answer may have happened: only what certainly no row shows is removed, and only while no other
 * call can be at the same upload. The rest is for the sweeper.
 */
async function takeBack(needs: FinalizeNeeds, { slot, claim, key }: Finalizing): Promise<void> {
  if (needs.clock.now() >= (await claim.settle())) return
  const shown = await slot.shown(needs.db, [key])
  if (shown.length === 0) await needs.storage.remove([key])
}
