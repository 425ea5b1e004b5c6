import { livekitMedia } from '../../../adapters/livekit/livekit-media.ts'
import { httpTranscriber } from '../../../adapters/transcriber/http-transcriber.ts'
import { GUEST_KEYS } from '../../../features/guests/invites/invite-token.ts'
import { guestJobs, guestQueue } from '../../../features/guests/jobs.ts'
import { keepSpeech } from '../../../features/recordings/transcript/keep-speech.ts'
import { keepChapters } from '../../../features/recordings/watching/chapters.ts'
import { eraseFromDoors } from '../../../features/rooms/doors/door-store.ts'
import { roomJobs, roomQueues } from '../../../features/rooms/jobs.ts'
import { type OpenRooms, openRooms } from '../../../features/rooms/open-rooms.ts'
import { ProviderFailure } from '../../../platform/refusal.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import type { MediaPort } from '../../../ports/media.ts'
import type { SpokenStretch, TranscriberPort } from '../../../ports/transcriber.ts'
import { keyRingOf } from '../../keys/key-rings.ts'
import type { Opening, Part } from '../../part.ts'
import type { Activity } from '../features/activity.ts'
import type { Databases } from '../platform/databases.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Uploads } from './uploads.ts'

/** Rooms and guests: the media server, and what is done about it in the background. */
export interface Media extends Part {
  needs: { media: MediaPort; mediaUrl: string; guestRing: KeyRing; openRooms: OpenRooms }
  /** Writes down what is said: captions, and transcripts of recordings. Undefined where there is none. */
  transcriber: TranscriberPort | undefined
}

export function openMedia(
  { config, clock, log, stack }: Opening,
  given: { databases: Databases; sandbox: Sandbox; uploads: Uploads; activity: Activity },
): Media {
  const { background: db } = given.databases
  const { storage } = given.uploads
  const { transcriberUrl } = config.recordings
  const transcriber = transcriberUrl === undefined ? undefined : httpTranscriber(transcriberUrl)
  const standIn = config.media?.sandbox
    ? given.sandbox.standIns?.openMedia({
        ...{ config: config.media, log, storage },
        onActivity: given.activity.hearMedia,
        keepChapters: (fileKey, chapters) => keepChapters(db, fileKey, chapters),
        transcribe: transcriber && captionsBy(transcriber),
        keepSpeech: transcriber
          ? (fileKey, speech) => keepSpeech({ db, clock, log, storage }, fileKey, speech)
          : undefined,
      })
    : undefined
  if (standIn) stack.defer(() => standIn.close())
  // the stand-in has no address before it listens
  const url = standIn ? () => standIn.address() : () => config.media?.url
  const media = config.media ? livekitMedia({ ...config.media, url }) : noMedia()
  return {
    needs: {
      media,
      mediaUrl: config.media?.publicUrl ?? '',
      guestRing: keyRingOf(config, GUEST_KEYS),
      openRooms: openRooms(),
    },
    transcriber,
    jobs: [...roomJobs({ db, clock }), ...(config.media ? guestJobs({ db, clock, log, media }) : [])],
    erasers: [{ name: 'room-doors', erase: (person) => eraseFromDoors(db, person) }],
    queues: config.media ? [guestQueue({ db, media }), ...roomQueues({ db, clock, media })] : [],
    routes(server) {
      standIn?.serve(server)
    },
  }
}

/** One line of what was said. */
function captionsBy(transcriber: TranscriberPort) {
  return async (stretch: SpokenStretch, signal: AbortSignal) => {
    const words = await transcriber.transcribe(stretch, signal)
    return words.map(({ text }) => text).join(' ')
  }
}

/** In production without LIVEKIT_URL: each call to the media server answers 503. */
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
    rename: away,
    mute: away,
    askWorker: away,
    askedWorkers: away,
    dismissWorkers: away,
    sendData: away,
    rooms: away,
    participants: away,
    startRecording: away,
    stopRecording: away,
    recordings: away,
    ingresses: away,
    check: away,
  }
}
