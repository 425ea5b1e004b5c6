import type { Db } from '../../platform/database/database.ts'
import { identityOfGuest } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { MediaPort } from '../../ports/media.ts'
import { settleEnforcement } from './state-store.ts'
import type { Guest } from './store.ts'

export interface EnforceNeeds {
  media: Pick<MediaPort, 'admit' | 'remove'>
  log: Pick<Log, 'warn'>
}

/**
 * Brings the connection of a guest, where there is one, to what their state says. May be repeated.
 * @throws ProviderFailure
 */
export async function enforce(media: EnforceNeeds['media'], guest: Pick<Guest, 'id' | 'room' | 'state'>) {
  const identity = identityOfGuest(guest.id)
  if (guest.state === 'waiting') return
  if (guest.state === 'admitted') await media.admit(guest.room, identity)
  // never hidden again or demoted: others would go on to see them, and an older token would undo it
  else await media.remove(guest.room, identity)
}

/** Carries a decision out at once; what the media server could not be told is told it later, by the work queue. */
export async function enforceNow(
  { db, media, log }: EnforceNeeds & { db: Db },
  { requestId }: { requestId: string },
  guest: Guest,
): Promise<void> {
  try {
    await enforce(media, guest)
    await settleEnforcement(db, guest)
  } catch (error) {
    log.warn({ err: error, requestId }, 'a decision on a guest is carried out later')
  }
}
