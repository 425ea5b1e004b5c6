import { createReadStream } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Transcribe } from '@atrium/embedded-media/captions/live-captions.ts'
import type { Chapter } from '@atrium/embedded-media/recording/chapters.ts'
import type { RecordingLimits } from '@atrium/embedded-media/recording/film-maker.ts'
import type { SpeechFile } from '@atrium/embedded-media/recording/speech/speech.ts'
import type { Heard, LiveLimits } from '@atrium/embedded-media/rooms/live-rooms.ts'
import { type EmbeddedMediaOptions, startEmbeddedMedia } from '@atrium/embedded-media/start-embedded-media.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Server } from '../../platform/http/server.ts'
import type { Log } from '../../platform/log.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { loopbackOf } from '../loopback.ts'
import { type Faults, NO_FAULTS } from './faults.ts'
import { serveCalls, serveSignals, serveWorkers } from './media-routes.ts'
import { simulatedFilms } from './simulated-films.ts'
import { serveSimulation } from './simulation-routes.ts'
import { openStreams, type Streams } from './streams.ts'

export interface SandboxMediaOptions {
  /** Of the media server itself: tokens are judged by it, never by a clock that a test moves. */
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  storage: Pick<ObjectStoragePort, 'write' | 'writeStream'>
  apiKey: string
  apiSecret: string
  /** Where webhooks go, where not to `/webhook` of the server that serves this. */
  webhookUrl?: string
  /** Real clients may come in, within these limits; not where it is undefined. */
  live?: LiveLimits | undefined
  /** Rooms of real clients are recorded, into this folder at first; not where it is undefined. */
  recordings?: { folder: string; limits: RecordingLimits; searchPath?: string | undefined } | undefined
  /** Takes what a film shows, before the end of its recording is told. */
  keepChapters?(fileKey: string, chapters: readonly Chapter[]): Promise<void>
  /** Takes what each person said, where it is wanted; undefined where it could not be written. */
  keepSpeech?: ((fileKey: string, speech: readonly SpeechFile[] | undefined) => Promise<void>) | undefined
  /** Writes down what is said, for those who ask for captions; where it is undefined, they cannot be asked for. */
  transcribe?: Transcribe | undefined
  /** The activity of a real client in a room: when it changes, and again every 5 seconds. */
  onActivity?(heard: Heard): void
  /** Names of rooms, by their ids: for people who look. Without it they see the ids. */
  namesOf?(rooms: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Shorter in tests. */
  retryAfterMs?: readonly number[]
  paceMs?: number
}

/**
 * In the place of the media server: its API for the official SDK, its webhooks, a recorder that makes files without
 * what was said, and rooms that real clients can enter, where that is wanted.
 */
export interface SandboxMedia {
  /** Adds the API and the pages; from the moment it listens, webhooks go out. */
  serve(server: Server): void
  /** What goes wrong: for tests. */
  faults: Faults
  /** Where it is reached from inside this machine; undefined before it listens. */
  address(): string | undefined
  close(): Promise<void>
}

/** Its pages, and one of the two addresses of its API. */
export const MEDIA_PATH = '/sandbox/media'
const PRIVATE = 'private, no-store'

export function sandboxMedia(options: SandboxMediaOptions): SandboxMedia {
  const { clock, log, storage, apiKey, apiSecret, webhookUrl } = options
  const { live, transcribe, onActivity, paceMs, retryAfterMs } = options
  const faults: Faults = { current: { ...NO_FAULTS } }
  let listening: AddressInfo | undefined
  const address = () => listening && loopbackOf(listening)
  const media = startEmbeddedMedia({
    ...{ clock, apiKey, apiSecret, faults, live, transcribe, onActivity, paceMs, retryAfterMs },
    webhookUrl: () => webhookUrl ?? (listening && `${address()}/webhook`),
    onWarning: (err, message) => log.warn({ err }, message),
    ingresses: () => streams.list(),
    recordings: keptRecordings(options),
    replaceMaker: (films) =>
      simulatedFilms({
        ...{ clock, faults, films },
        keepFile: (key, bytes) =>
          storage.write(key, bytes, { contentType: 'video/mp4', cacheControl: PRIVATE }),
      }),
  })
  const streams: Streams = openStreams({ clock, emit: media.emit })
  return {
    faults,
    address,
    serve(server) {
      server.addHook('onListen', async () => {
        listening = server.server.address() as AddressInfo
      })
      serveCalls(server, media, [`${MEDIA_PATH}/twirp`, '/twirp'])
      serveWorkers(server, media)
      if (media.live) serveSignals(server, media)
      serveSimulation(server, {
        ...{ clock, media, streams, faults, apiKey, apiSecret },
        namesOf: options.namesOf ?? (async () => new Map()),
        crash() {
          media.crash()
          streams.crash()
        },
      })
    },
    async close() {
      streams.crash()
      await media.close()
    },
  }
}

/** Films go to the object storage, before the end of their recording is told. */
function keptRecordings(options: SandboxMediaOptions): EmbeddedMediaOptions['recordings'] {
  const { storage, recordings, keepChapters, keepSpeech } = options
  return (
    recordings && {
      ...recordings,
      withSpeech: keepSpeech !== undefined,
      async keepFilm({ key, path, contentType, chapters, speech }) {
        await storage.writeStream(key, createReadStream(path), { contentType, cacheControl: PRIVATE })
        await keepChapters?.(key, chapters)
        await keepSpeech?.(key, speech)
      },
    }
  )
}
