import type { AddressInfo } from 'node:net'
import type { Clock } from '../../platform/clock.ts'
import type { Server } from '../../platform/http/server.ts'
import type { Log } from '../../platform/log.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { loopbackOf } from '../loopback.ts'
import { type Faults, NO_FAULTS } from './faults.ts'
import { type Heard, type LiveLimits, openLiveRooms } from './live-rooms.ts'
import { openRecorder } from './recorder.ts'
import { openRooms } from './rooms.ts'
import { serveSignalling } from './signalling.ts'
import { serveSimulation } from './simulation-routes.ts'
import { openStreams } from './streams.ts'
import { serveTwirp } from './twirp.ts'
import { openWebhookSender } from './webhook-sender.ts'

export interface SandboxMediaOptions {
  /** Of the media server itself: tokens are judged by it, never by a clock that a test moves. */
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  storage: Pick<ObjectStoragePort, 'write'>
  apiKey: string
  apiSecret: string
  /** Where webhooks go, where not to `/webhook` of the server that serves this. */
  webhookUrl?: string
  /** Real clients may come in, within these limits; not where it is undefined. */
  live?: LiveLimits | undefined
  /** How somebody with a real client is in a room: when it changes, and again every 5 seconds. */
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
const VIDEO = { contentType: 'video/mp4', cacheControl: 'private, no-store' }

export function sandboxMedia(options: SandboxMediaOptions): SandboxMedia {
  const { clock, log, storage, apiKey, apiSecret, webhookUrl } = options
  const faults: Faults = { current: { ...NO_FAULTS } }
  let listening: AddressInfo | undefined
  const address = () => listening && loopbackOf(listening)
  const webhooks = openWebhookSender({
    clock,
    log,
    faults,
    apiKey,
    apiSecret,
    url: () => webhookUrl ?? (listening && `${address()}/webhook`),
    ...(options.retryAfterMs ? { retryAfterMs: options.retryAfterMs } : {}),
  })
  const onFault = (err: unknown) => log.warn({ err }, 'a timer of the sandbox media server failed')
  const rooms = openRooms({
    clock,
    onFault,
    emit: webhooks.emit,
    onEnding: (room) => recorder.roomEnds(room),
    onLeft: (participant, reason) => live?.remove(participant, reason),
    onDescribed: (room) => live?.describe(room),
  })
  const live =
    options.live &&
    openLiveRooms({
      ...{ rooms, limits: options.live, log, clock, apiKey, apiSecret },
      onActivity: options.onActivity,
    })
  const recorder = openRecorder({
    clock,
    rooms,
    faults,
    onFault,
    emit: webhooks.emit,
    keepFile: (key, bytes) => storage.write(key, bytes, VIDEO),
    ...(options.paceMs === undefined ? {} : { paceMs: options.paceMs }),
  })
  const streams = openStreams({ clock, emit: webhooks.emit })
  const crash = () => {
    rooms.crash()
    recorder.crash()
    streams.crash()
  }
  const crashAll = () => {
    crash()
    live?.crash()
  }
  return {
    faults,
    address,
    serve(server) {
      server.addHook('onListen', async () => {
        listening = server.server.address() as AddressInfo
      })
      const needs = { clock, rooms, recorder, streams, faults, live, apiKey, apiSecret }
      serveTwirp(server, needs, [`${MEDIA_PATH}/twirp`, '/twirp'])
      const namesOf = options.namesOf ?? (async () => new Map())
      serveSimulation(server, { ...needs, namesOf, counts: webhooks.counts, crash: crashAll })
      if (live) serveSignalling(server, { clock, rooms, live, apiKey, apiSecret })
    },
    async close() {
      webhooks.close()
      crash()
      await recorder.close()
      await live?.close()
    },
  }
}
