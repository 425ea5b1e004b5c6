import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TokenKeys } from './api/access-tokens.ts'
import type { Message } from './api/api-messages.ts'
import { pathOf } from './api/join-request.ts'
import { openSignalling } from './api/signalling.ts'
import { type Answer, answerCall, type Call } from './api/twirp.ts'
import type { Transcribe } from './captions/live-captions.ts'
import { type Faults, NO_FAULTS } from './faults.ts'
import {
  type FilmMaker,
  type FilmMakerOptions,
  type LiveFilmMaker,
  openFilmMaker,
} from './recording/film-maker.ts'
import { NO_RECORDER, openRecorder, type Recorder } from './recording/recorder.ts'
import type { Heard, LiveLimits, LiveRooms } from './rooms/live-rooms.ts'
import { openLiveRooms } from './rooms/open-live-rooms.ts'
import { type Emit, openRooms, type Rooms } from './rooms/rooms.ts'
import { openWebhookSender, type WebhookCounts } from './rooms/webhook-sender.ts'
import { type Clock, guarded, type OnFault } from './timers.ts'
import { type Dispatches, openDispatches } from './workers/dispatches.ts'
import { AGENT_PATH, openWorkers, type Workers } from './workers/workers.ts'

export interface EmbeddedMediaOptions extends TokenKeys {
  /** Judges tokens, and says when things happened. */
  clock: Clock
  /** Where webhooks go; undefined until the office listens there. */
  webhookUrl(): string | undefined
  /** Clients with sound and pictures may come in, within these limits; not where it is undefined. */
  live?: LiveLimits | undefined
  /** Rooms with real clients are recorded, within these limits; where it is undefined, starts are refused. */
  recordings?:
    | Pick<FilmMakerOptions, 'folder' | 'keepFilm' | 'limits' | 'withSpeech' | 'searchPath'>
    | undefined
  /** What makes films, where not (only) that: for tests. @param films undefined where `recordings` is */
  replaceMaker?(films: FilmMaker | undefined): FilmMaker
  /** From the start of a recording until it runs, and from its stop until its film is made. */
  paceMs?: number | undefined
  /** Streams that are brought in from outside, where anything brings them. */
  ingresses?(): Message[]
  /** Voice and mute of a participant with a real client: when they change, and again every 5 seconds. */
  onActivity?: ((heard: Heard) => void) | undefined
  /** Writes down what is said, for those who want captions; where it is undefined, there are none. */
  transcribe?: Transcribe | undefined
  onWarning(error: unknown, message: string): void
  /** What goes wrong: for tests. */
  faults?: Faults
  /** Before each attempt of a webhook after the first. */
  retryAfterMs?: readonly number[] | undefined
}

/** A media server for a few people: rooms, LiveKit's API and webhooks, and a process that carries sound and pictures. */
export interface EmbeddedMedia {
  rooms: Rooms
  recorder: Recorder
  emit: Emit
  /** Undefined where no real clients may come in. */
  live: LiveRooms | undefined
  /** @returns undefined: the connection is to be cut without an answer */
  answerCall(call: Call): Promise<Answer | undefined>
  /** Whether a client would be let in, in words; for `GET /rtc/validate`, which pages of any origin may read. */
  validate(request: IncomingMessage): Promise<{ status: number; text: string }>
  /** Takes over a socket that asked for a WebSocket at `/rtc`, or as a worker at `/agent`, or refuses it in HTTP. */
  acceptUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  webhookCounts(): WebhookCounts
  /** Forgets everything without a word, as a server that is killed. */
  crash(): void
  /** Refuses new clients, and ends all that are inside. */
  close(): Promise<void>
}

/** To clients, where none may come in. */
const CLOSED = { status: 404, text: 'no clients may come in here' }

/** What every part is opened with. */
interface Shared extends TokenKeys {
  clock: Clock
  rooms: Rooms
  onFault: OnFault
}

export function startEmbeddedMedia(options: EmbeddedMediaOptions): EmbeddedMedia {
  const { faults = { current: { ...NO_FAULTS } }, ingresses = () => [] } = options
  const { webhooks, shared, live, films, recorder, dispatches, workers } = openParts(options, faults)
  const { rooms } = shared
  const signalling = live && openSignalling({ ...shared, live })
  const needs = { ...shared, recorder, faults, live, ingresses, dispatches }
  return {
    ...{ rooms, recorder, live, emit: webhooks.emit, webhookCounts: webhooks.counts },
    answerCall: (call) => answerCall(needs, call),
    validate: async (request) => (await signalling?.validate(request)) ?? CLOSED,
    acceptUpgrade(request, socket, head) {
      const path = pathOf(request)
      if (path === '') socket.destroy()
      else if (path === AGENT_PATH) void workers.acceptUpgrade(request, socket, head)
      else if (signalling) void signalling.acceptUpgrade(request, socket, head)
      else socket.destroy()
    },
    crash() {
      for (const part of [rooms, dispatches, recorder, live]) part?.crash()
    },
    async close() {
      webhooks.close()
      signalling?.refuseAll()
      workers.close()
      rooms.crash()
      films?.close()
      await recorder.close()
      await live?.close()
    },
  }
}

/** What happens in rooms reaches all who work on them. */
function openParts(options: EmbeddedMediaOptions, faults: Faults) {
  const { clock, apiKey, apiSecret, onWarning, retryAfterMs, webhookUrl: url } = options
  const keys = { apiKey, apiSecret }
  const onFault = (error: unknown) => onWarning(error, 'a timer of the media server failed')
  const webhooks = openWebhookSender({ ...keys, clock, faults, onWarning, retryAfterMs, url })
  const rooms = openRooms({
    ...{ clock, onFault, emit: webhooks.emit },
    onEnding(room) {
      recorder.roomEnds(room)
      dispatches.roomEnds(room)
    },
    onLeft(participant, reason, room) {
      live?.remove(participant, reason)
      dispatches.left(room, participant, reason)
    },
    onDescribed: (room) => live?.describe(room),
  })
  const shared: Shared = { ...keys, clock, rooms, onFault }
  const { live, films, recorder } = openClients(shared, webhooks.emit, options)
  const { dispatches, workers } = openAgents(shared)
  return { webhooks, shared, live, films, recorder, dispatches, workers }
}

/** Clients with sound and pictures, where they may come in, and what is recorded of them. */
function openClients(
  { clock, rooms, onFault, ...keys }: Shared,
  emit: Emit,
  options: EmbeddedMediaOptions,
): { live: LiveRooms | undefined; films: LiveFilmMaker | undefined; recorder: Recorder } {
  const { onWarning, onActivity, transcribe, paceMs } = options
  const live =
    options.live &&
    openLiveRooms({
      ...{ ...keys, rooms, clock, onWarning, onActivity, transcribe, limits: options.live },
      onRecorded: (report) => films?.hear(report),
      onEnded: () => films?.processEnded(),
    })
  const films: LiveFilmMaker | undefined =
    live &&
    options.recordings &&
    openFilmMaker({
      ...{ ...options.recordings, live, onFault },
      onOver: (egressId, why) => recorder.overBy(egressId, why),
    })
  const maker = options.replaceMaker ? options.replaceMaker(films) : films
  const recorder = maker ? openRecorder({ clock, rooms, emit, maker, onFault, paceMs }) : NO_RECORDER
  if (films) guarded(async () => recorder.resume(await films.left()), onFault)
  return { live, films, recorder }
}

/** Programs that take part, and which rooms have asked for them. */
function openAgents({ rooms, ...shared }: Shared): { dispatches: Dispatches; workers: Workers } {
  const dispatches: Dispatches = openDispatches({
    ...{ ...shared, rooms },
    choose: (wanted, tried) => workers.choose(wanted, tried),
  })
  const workers = openWorkers({ ...shared, onJob: dispatches.hear, onGone: dispatches.workerGone })
  return { dispatches, workers }
}
