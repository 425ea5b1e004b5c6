import { livekitMedia } from '../adapters/livekit/livekit-media.ts'
import type { Config } from '../configuration/config.ts'
import { GUEST_KEYS } from '../features/guests/invite-token.ts'
import { guestJobs } from '../features/guests/jobs.ts'
import { roomJobs } from '../features/rooms/jobs.ts'
import type { Job } from '../platform/background/jobs.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import { ProviderFailure } from '../platform/refusal.ts'
import { type KeyRing, makeKeyRing } from '../platform/secrets/sealed-column.ts'
import type { MediaPort } from '../ports/media.ts'

/** Rooms and guests: the media server, and what is done about it in the background. */
export interface Media {
  jobs: Job[]
  needs: { media: MediaPort; mediaUrl: string; guestRing: KeyRing }
}

/** The stand-in of the sandbox, as far as the adapter has to know it. */
export interface StandIn {
  /** Where it is reached; undefined before it listens. */
  address(): string | undefined
}

export function composeMedia({
  config,
  clock,
  log,
  db,
  standIn,
}: {
  config: Config
  clock: Clock
  log: Log
  db: Db
  standIn: StandIn | undefined
}): Media {
  const given = config.media?.url
  const url = standIn ? () => standIn.address() : () => given
  const media = config.media ? livekitMedia({ ...config.media, url }) : noMedia()
  const previous = config.previousSecretKey ? [config.previousSecretKey] : []
  const jobs = [...guestJobs({ db, clock, log, media }), ...roomJobs({ db, clock, log, media })]
  return {
    jobs: config.media ? jobs : [],
    needs: {
      media,
      mediaUrl: config.media?.publicUrl ?? '',
      guestRing: makeKeyRing(GUEST_KEYS, config.secretKey, previous),
    },
  }
}

/** In production without LIVEKIT_URL: whatever needs a media server answers 503. */
function noMedia(): MediaPort {
  const away = async (): Promise<never> => {
    throw new ProviderFailure('media', 'anything: LIVEKIT_URL is not set', { retryable: true })
  }
  return {
    openRoom: away,
    closeRoom: away,
    mintToken: away,
    admit: away,
    remove: away,
    rooms: away,
    participants: away,
    startRecording: away,
    stopRecording: away,
    recordings: away,
    ingresses: away,
    check: away,
  }
}
