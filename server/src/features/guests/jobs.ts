import type { Job } from '../../platform/background/jobs.ts'
import { workQueue } from '../../platform/background/work-payload.ts'
import type { WorkQueue } from '../../platform/background/work-queue.ts'
import { type Clock, DAY_SECONDS, HOUR_MS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { identityOfGuest, type RoomId, trusted } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { MediaPort } from '../../ports/media.ts'
import { announceLeft } from './announce.ts'
import { enforce } from './enforce.ts'
import { purgeInvites } from './invites/invite-store.ts'
import { OUT_WATCH_SECONDS, SEEN_FOR_SECONDS } from './rules.ts'
import {
  expireGuests,
  GUEST_QUEUE,
  GuestStateWork,
  listAbsent,
  listPutOut,
  markLeft,
  markSeen,
  type PutOut,
  purgeGuests,
} from './state-store.ts'
import { type Guest, readGuest } from './store.ts'

export interface GuestJobNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  media: Pick<MediaPort, 'admit' | 'remove' | 'participants'>
}

const BATCH = 100
const EXPIRE_EVERY_MS = 2_000
const LOOK_EVERY_MS = 15_000
const KEPT_SECONDS = 30 * DAY_SECONDS

/** What must happen to guests without a request: places expire, people leave. */
export function guestJobs(needs: GuestJobNeeds): Job[] {
  const { db, clock } = needs
  return [
    {
      name: 'expire-guests',
      everyMs: EXPIRE_EVERY_MS,
      run: () => expire(needs),
    },
    {
      name: 'look-for-guests',
      everyMs: LOOK_EVERY_MS,
      async run(signal) {
        await lookForAbsent(needs, signal)
        await lookForPutOut(needs, signal)
      },
    },
    {
      name: 'purge-guests',
      everyMs: HOUR_MS,
      async run() {
        const before = secondsAfter(clock.now(), -KEPT_SECONDS)
        await purgeGuests(db, before)
        await purgeInvites(db, before)
      },
    },
  ]
}

/** Carries out at the media server what guests are by now, where the request that decided could not. */
export function guestQueue({ db, media }: Pick<GuestJobNeeds, 'db' | 'media'>): WorkQueue {
  return workQueue({
    name: GUEST_QUEUE,
    lanes: { default: 2 },
    retry: { firstSeconds: 2, lastSeconds: 30 },
    payload: GuestStateWork,
    async handle({ payload: { organization, room, guest: id } }) {
      const guest = await readGuest(db, trusted.organizationId(organization), trusted.roomId(room), id)
      if (guest) await enforce(media, guest)
    },
  })
}

/** Ends each place when it is over: the media server itself renews the tokens of those inside. */
async function expire({ db, clock }: GuestJobNeeds): Promise<void> {
  for (let ended: Guest[] | undefined; ended === undefined || ended.length === BATCH; ) {
    const now = clock.now()
    ended = await transaction(db, async (tx) => {
      const expired = await expireGuests(tx, now, BATCH)
      for (const guest of expired) await announceLeft(tx, guest, now)
      return expired
    })
  }
}

/** Those of whom nothing was heard for long: its events may have been lost, so the media server itself is asked. */
async function lookForAbsent(needs: GuestJobNeeds, signal: AbortSignal): Promise<void> {
  const { db, clock } = needs
  const now = clock.now()
  const byRoom = Map.groupBy(await listAbsent(db, now, BATCH), ({ room }) => room)
  for (const [room, absent] of byRoom) {
    if (signal.aborted) return
    const present = await presentIn(needs, room)
    if (!present) return
    for (const { id } of absent) {
      if (present.has(identityOfGuest(id))) {
        await markSeen(db, id, now, secondsAfter(now, SEEN_FOR_SECONDS))
        continue
      }
      await transaction(db, async (tx) => {
        const left = await markLeft(tx, id, now)
        if (left) await announceLeft(tx, left, now)
      })
    }
  }
}

/** Those who are out and come back with a token that still lives, in case we did not hear of it. */
async function lookForPutOut(needs: GuestJobNeeds, signal: AbortSignal): Promise<void> {
  const { db, clock, log, media } = needs
  const since = secondsAfter(clock.now(), -OUT_WATCH_SECONDS)
  for (let after: PutOut | undefined; ; ) {
    const page = await listPutOut(db, since, { limit: BATCH, after })
    for (const [room, guests] of Map.groupBy(page, (guest) => guest.room)) {
      if (signal.aborted) return
      const present = await presentIn(needs, room)
      if (!present) return
      for (const identity of guests.map(({ id }) => identityOfGuest(id)).filter((one) => present.has(one))) {
        log.info({ room, identity }, 'a guest who is out was still in the room')
        await media.remove(room, identity)
      }
    }
    if (page.length < BATCH) return
    after = page.at(-1)
  }
}

/** Undefined where the media server cannot say: then no guest counts as absent. */
async function presentIn({ log, media }: GuestJobNeeds, room: RoomId): Promise<Set<string> | undefined> {
  try {
    return new Set((await media.participants(room)).map(({ identity }) => identity))
  } catch (err) {
    log.warn({ err }, 'guests: the media server cannot say who is in a room; nothing is changed')
    return undefined
  }
}
