import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { refreshedToken, type TokenKeys } from '../api/access-tokens.ts'
import { type LiveCaptions, openLiveCaptions, type Transcribe } from '../captions/live-captions.ts'
import { offered } from '../captions/wanted-captions.ts'
import type { Handshake, LeaveReason, Person, RoomDescription, ServerData } from '../messages.ts'
import {
  type ConnectionReport,
  type MediaProcess,
  type RecordingReport,
  startMediaProcess,
} from '../process/start-media-process.ts'
import { type Clock, every, guarded } from '../timers.ts'
import { type Asked, openRemoteCalls } from './remote-calls.ts'
import type { NewParticipant, Participant, Room, Rooms, Track } from './rooms.ts'

export interface LiveLimits {
  /** Where media goes; undefined: an ordinary address of this machine. */
  address: string | undefined
  /** Cameras of one room at a time. */
  cameras: number
  /** People in one room, but for those who wait. */
  people: number
  /** Those who wait before one room. */
  waiting: number
}

export interface LiveNeeds extends TokenKeys {
  clock: Clock
  rooms: Rooms
  limits: LiveLimits
  onWarning(error: unknown, message: string): void
  onRecorded(report: RecordingReport): void
  /** The process that carries media has died, and with it all sessions. */
  onEnded(): void
  onActivity?: ((heard: Heard) => void) | undefined
  /** Where it is undefined, captions cannot be asked for. */
  transcribe?: Transcribe | undefined
}

/** Voice and mute of a participant, as far as the media server can hear. */
export interface Heard {
  /** The name of the room. */
  room: string
  identity: string
  sound: 'on' | 'muted' | 'off'
  speaking: boolean
}

/** Those who are in rooms with a real client. Who is where is kept by `rooms`; here it is what their connections say. */
export interface LiveRooms {
  /** Begins to start the process that carries media. */
  start(): void
  /** Whether there is no place: those who wait keep only others who wait out. An admitted guest has one. */
  isFull(room: Room, newcomer: NewParticipant): boolean
  enter(room: Room, newcomer: NewParticipant, request: Upgrade): void
  /** A client comes back after its signals broke off: to its own session in that room, and to no other. */
  resume(sid: string, who: { room: Room; identity: string }, request: Upgrade): void
  update(participant: Participant): void
  /** Something else is said of the room now. */
  describe(room: Room): void
  mute(participant: Participant, track: Track): void
  /** Chooses for a participant what is received, as the client itself would. */
  subscribe(participant: Participant, trackSids: string[], subscribe: boolean): void
  /** Calls a method in the client of a participant. @returns its answer @throws MediaFault */
  call(participant: Participant, asked: Asked): Promise<string>
  /** Says something to those who are in the room, as the server. */
  sendData(room: Room, data: ServerData): void
  /** Everything in the room goes to this recording from now on, into a folder that is there. @returns false: nothing does */
  record(room: Room, recording: string, folder: string): boolean
  /** @returns false where no report will say that it is written */
  endRecording(recording: string): boolean
  /** A participant who is out of the room here is put out there. */
  remove(participant: Participant, reason: string): void
  /** The process that carries media has died, and the next one is not ready yet. */
  isAway(): boolean
  /** The process that carries media; undefined while there is none. */
  pid(): number | undefined
  /** Ends the process that carries media, as an accident would: everybody is out, and another is started. */
  kill(): void
  /** The same, without a word. */
  crash(): void
  close(): Promise<void>
}

/** Long before the last one ends. */
const REFRESH_EVERY_MS = 300_000
const ACTIVITY_EVERY_MS = 5_000

/** A WebSocket that a client asks for. */
export interface Upgrade {
  request: IncomingMessage
  socket: Socket
  head: Buffer
}

interface Inside {
  room: Room
  participant: Participant
}

export function openLiveRooms({
  rooms,
  limits,
  onWarning,
  clock,
  apiKey,
  apiSecret,
  onActivity,
  onRecorded,
  onEnded,
  transcribe,
}: LiveNeeds): LiveRooms {
  const calls = openRemoteCalls()
  const inside = new Map<string, Inside>()
  const media: MediaProcess = startMediaProcess({
    ...(limits.address === undefined ? {} : { address: limits.address }),
    cameras: limits.cameras,
    onReport: (report) => hear(report),
    onRecorded,
    onEnded() {
      for (const { room, participant } of [...inside.values()])
        rooms.leave(room, participant, 'SERVER_SHUTDOWN')
      inside.clear()
      calls.giveUp()
      onEnded()
    },
    onWarning,
  })
  const captions = transcribe && captionsOf({ inside, media }, { transcribe, onWarning })
  const hasCaptions = captions !== undefined
  const onFault = (error: unknown) => onWarning(error, 'a token of a room was not refreshed')
  const refresh = (room: Room, participant: Participant) =>
    guarded(async () => {
      const what = { room: room.name, participant, now: clock.now() }
      const token = await refreshedToken({ apiKey, apiSecret }, what)
      if (inside.has(participant.sid)) media.send({ order: 'refresh', sid: participant.sid, token })
    }, onFault)
  const refreshAll = () => {
    for (const { room, participant } of inside.values()) refresh(room, participant)
  }
  const refreshing = every(REFRESH_EVERY_MS, refreshAll, onFault)
  const speaking = new Set<string>()
  const tell = (room: Room, { sid, identity, tracks }: Participant) =>
    onActivity?.({ room: room.name, identity, sound: soundOf(tracks), speaking: speaking.has(sid) })
  const tellingAgain = every(
    ACTIVITY_EVERY_MS,
    () => {
      for (const { room, participant } of inside.values()) tell(room, participant)
    },
    onFault,
  )
  const hear = (report: ConnectionReport) => {
    const found = inside.get(report.sid)
    if (!found) return
    const { room, participant } = found
    switch (report.report) {
      case 'active':
        refresh(room, participant)
        return rooms.activate(room, participant)
      case 'left':
        inside.delete(report.sid)
        speaking.delete(report.sid)
        captions?.forget(report.sid)
        return rooms.leave(room, participant, report.reason)
      case 'published':
        rooms.publish(room, participant, report.track)
        return tell(room, participant)
      case 'unpublished': {
        const track = participant.tracks.get(report.trackSid)
        if (track) rooms.unpublish(room, participant, track)
        return tell(room, participant)
      }
      case 'muted': {
        const track = participant.tracks.get(report.trackSid)
        if (track) track.muted = report.muted
        return tell(room, participant)
      }
      case 'called':
        return calls.hear(report.answer)
      case 'speaking':
        if (report.speaking) speaking.add(report.sid)
        else speaking.delete(report.sid)
        return tell(room, participant)
      case 'spoken':
        return captions?.take(report)
      case 'described': {
        const { name, metadata, attributes } = report
        Object.assign(participant, { name, metadata, attributes })
        refresh(room, participant)
        return
      }
    }
  }
  return {
    start: () => media.start(),
    isFull: ({ participants }, newcomer) => {
      if (participants.has(newcomer.identity)) return false
      const wait = waits(newcomer)
      const alike = [...participants.values()].filter(
        (one) => !one.permission.recorder && waits(one) === wait,
      )
      return alike.length >= (wait ? limits.waiting : limits.people)
    },
    enter(room, newcomer, upgrade) {
      const participant = rooms.admit(room, hasCaptions ? offered(newcomer) : newcomer)
      inside.set(participant.sid, { room, participant })
      const order = { order: 'join', handshake: handshakeOf(upgrade) } as const
      const isOnTheWay = media.send(
        { ...order, room: descriptionOf(room, hasCaptions), person: personOf(participant) },
        upgrade.socket,
      )
      // that process will not tell that they are gone
      if (!isOnTheWay) rooms.leave(room, participant, 'JOIN_FAILURE')
    },
    resume(sid, { room, identity }, upgrade) {
      const found = inside.get(sid)
      const isTheirs = found?.room === room && found.participant.identity === identity
      // a session that is not theirs is one that there is not: they begin again
      const order = { order: 'resume', sid: isTheirs ? sid : '', handshake: handshakeOf(upgrade) } as const
      media.send(order, upgrade.socket)
    },
    update(participant) {
      const found = inside.get(participant.sid)
      if (!found) return
      media.send({ order: 'update', person: personOf(participant) })
      refresh(found.room, participant)
    },
    describe(room) {
      if ([...inside.values()].some((one) => one.room === room))
        media.send({ order: 'describe', room: descriptionOf(room, hasCaptions) })
    },
    mute({ sid }, { sid: trackSid, muted }) {
      if (inside.has(sid)) media.send({ order: 'mute', sid, trackSid, muted })
    },
    subscribe({ sid }, trackSids, subscribe) {
      if (inside.has(sid)) media.send({ order: 'subscribe', sid, trackSids, subscribe })
    },
    call: ({ sid }, asked) =>
      calls.call(asked, (call) => inside.has(sid) && media.send({ order: 'call', sid, call })),
    sendData(room, data) {
      if ([...inside.values()].some((one) => one.room === room))
        media.send({ order: 'data', room: room.sid, data })
    },
    record: (room, recording, folder) => media.send({ order: 'record', room: room.sid, recording, folder }),
    endRecording: (recording) =>
      media.pid() !== undefined && media.send({ order: 'end-recording', recording }),
    remove({ sid }, reason) {
      captions?.forget(sid)
      if (inside.delete(sid)) media.send({ order: 'remove', sid, reason: reason as LeaveReason })
    },
    isAway: () => media.isAway(),
    pid: () => media.pid(),
    kill: () => media.kill(),
    crash() {
      inside.clear()
      media.kill()
    },
    async close() {
      refreshing.stop()
      tellingAgain.stop()
      captions?.close()
      await media.close()
    },
  }
}

/** Captions of those who are inside, sent to their rooms. */
function captionsOf(
  { inside, media }: { inside: ReadonlyMap<string, Inside>; media: Pick<MediaProcess, 'send'> },
  needs: { transcribe: Transcribe; onWarning: LiveNeeds['onWarning'] },
): LiveCaptions {
  return openLiveCaptions({
    ...needs,
    onHeard(sid, said) {
      const found = inside.get(sid)
      if (!found) return
      const { room, participant } = found
      const caption = { ...said, identity: participant.identity }
      media.send({ order: 'caption', room: room.sid, caption })
    },
  })
}

function soundOf(tracks: Participant['tracks']): Heard['sound'] {
  const microphones = [...tracks.values()].filter(({ source }) => source === 'MICROPHONE')
  if (microphones.length === 0) return 'off'
  return microphones.every(({ muted }) => muted) ? 'muted' : 'on'
}

function waits({ permission }: Pick<Participant, 'permission'>): boolean {
  return !permission.canPublish && !permission.canSubscribe
}

function descriptionOf(room: Room, hasCaptions: boolean): RoomDescription {
  const { sid, name, metadata, createdAtMs, isRecording } = room
  return { sid, name, metadata, createdAtMs, isRecorded: isRecording, hasCaptions }
}

function personOf(participant: Participant): Person {
  const {
    sid,
    identity,
    name,
    metadata,
    attributes,
    kind,
    joinedAtMs,
    permission,
    encryptedOnly = false,
  } = participant
  return { sid, identity, name, metadata, attributes, kind, joinedAtMs, permission, encryptedOnly }
}

/** Without the token: that process does not ask for it. */
function handshakeOf({ request, head }: Upgrade): Handshake {
  const url = new URL(request.url ?? '/', 'http://localhost')
  url.searchParams.delete('access_token')
  const { authorization: _, cookie: __, ...headers } = request.headers
  return { url: `${url.pathname}${url.search}`, headers, head: head.toString('base64') }
}
