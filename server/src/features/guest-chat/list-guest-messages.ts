import { GUEST_MESSAGES_MAX, type Input, type Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { boundedCache } from '../../platform/limits/bounded-cache.ts'
import { rateLimited } from '../../platform/limits/rate-limited.ts'
import { parseMoment } from '../../platform/moment.ts'
import { changedForGuest, messagesForGuest } from '../chat/reads.ts'
import { requireAdmitted } from '../guests/reads.ts'

interface Needs {
  db: Db
  clock: Clock
}

const EVERY_MS = 1_000
const REMEMBERED_MAX = 20_000
/** By guest, on this node: when they read last, in milliseconds since 1970. */
const readAt = boundedCache<string, number>(REMEMBERED_MAX)

/** What was written in a room since a guest was admitted, and what of it is other by now; once a second. */
export async function listGuestMessages(
  { db, clock }: Needs,
  visitor: CallerOf<'listGuestMessages'>,
  { inviteId, after, changedSince }: Input<'listGuestMessages'>,
): Promise<Reply<'listGuestMessages'>> {
  const guest = await requireAdmitted({ db, clock }, visitor, inviteId)
  const now = clock.now().getTime()
  const before = readAt.get(guest.id) ?? 0
  // a clock that was set back refuses nothing
  if (now >= before && now - before < EVERY_MS) throw rateLimited(1, 1)
  readAt.set(guest.id, now)
  const read = { since: guest.since, limit: GUEST_MESSAGES_MAX }
  const moment = changedSince === undefined ? undefined : parseMoment(changedSince)
  // before the messages: what changes in between is told in the next answer
  const { changed, asOf } = await changedForGuest(db, guest, { ...read, changedSince: moment })
  const messages = await messagesForGuest(db, guest, { ...read, after })
  return {
    status: 200,
    body: {
      messages: messages.map(({ guestIdentity, clientMessageId, createdAt, ...message }) => ({
        ...message,
        ...(guestIdentity === null ? {} : { guestIdentity }),
        ...(clientMessageId === null ? {} : { clientMessageId }),
        createdAt: createdAt.toISOString(),
      })),
      changed,
      asOf: asOf.toISOString(),
    },
  }
}
