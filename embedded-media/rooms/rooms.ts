import { MediaFault, type Message, newSid } from '../api/api-messages.ts'
import type { Permission, PublishedTrack } from '../messages.ts'
import { after, type Clock, type Timer } from '../timers.ts'

export type Track = PublishedTrack

export interface Participant {
  sid: string
  /** `JOINED` until media can flow: those who never came so far are not announced. */
  state: 'JOINED' | 'ACTIVE'
  identity: string
  name: string
  metadata: string
  attributes: Record<string, string>
  kind: string
  joinedAtMs: number
  version: number
  permission: Permission
  encryptedOnly?: boolean
  tracks: Map<string, Track>
}

export interface Room {
  sid: string
  name: string
  emptyTimeoutSeconds: number
  departureTimeoutSeconds: number
  maxParticipants: number
  createdAtMs: number
  metadata: string
  isRecording: boolean
  participants: Map<string, Participant>
  /** Ends the room when it has been empty for so long. */
  closing: Timer | undefined
}

export interface NewParticipant {
  identity: string
  name: string
  metadata: string
  attributes: Record<string, string>
  kind: string
  permission: Permission
  /** May publish encrypted tracks alone, as their token says. */
  encryptedOnly?: boolean
}

export type Emit = (event: string, payload: Message, queue: string) => void

export interface RoomsNeeds {
  clock: Clock
  emit: Emit
  /** Told before a room ends: its recordings end with it. */
  onEnding(room: Room): void
  /** Told of what fails in a timer. */
  onFault(error: unknown): void
  /** Told of each participant who is out, by a choice of their own or by an order. */
  onLeft?(participant: Participant, reason: string, room: Room): void
  /** Told of a room of which something else is said now. */
  onDescribed?(room: Room): void
}

export interface Rooms {
  list(): Room[]
  find(name: string): Room | undefined
  /** @throws MediaFault not_found */
  require(name: string): Room
  /** The room of that name, made where there is none: an existing one is answered as it is. */
  create(options: Pick<Room, 'name' | 'metadata' | 'maxParticipants'> & RoomTimeouts): Room
  remove(room: Room): void
  /** Says something else of a room. */
  describe(room: Room, changed: Partial<Pick<Room, 'metadata' | 'isRecording'>>): void
  /** Lets a participant in before media flows. */
  admit(room: Room, newcomer: NewParticipant): Participant
  /** Media can flow: now they are told of. */
  activate(room: Room, participant: Participant): void
  /** Both at once, for those who have no media. */
  join(room: Room, newcomer: NewParticipant): Participant
  leave(room: Room, participant: Participant, reason: string): void
  abort(room: Room, visitor: NewParticipant, reason: string): void
  publish(
    room: Room,
    participant: Participant,
    track: Pick<Track, 'name' | 'source' | 'type'> & Partial<Pick<Track, 'sid' | 'muted' | 'encryption'>>,
  ): Track
  unpublish(room: Room, participant: Participant, track: Track): void
  /** Forgets everything at once without a word, as a server that is killed. */
  crash(): void
}

interface RoomTimeouts {
  emptyTimeoutSeconds: number
  departureTimeoutSeconds: number
}

const EMPTY_TIMEOUT_SECONDS = 300
const DEPARTURE_TIMEOUT_SECONDS = 20
/** They do not keep a room open, and take no place in it. */
const DEPENDENT_KINDS = ['EGRESS', 'AGENT']

/** The rooms by their names, and what they are told with. */
interface OpenRooms extends RoomsNeeds {
  byName: Map<string, Room>
}

/** The rooms and who is in them. In memory, as at a media server without Redis. */
export function openRooms(needs: RoomsNeeds): Rooms {
  const byName = new Map<string, Room>()
  const rooms: OpenRooms = { ...needs, byName }
  return {
    list: () => [...byName.values()],
    find: (name) => byName.get(name),
    require(name) {
      const room = byName.get(name)
      if (!room) throw new MediaFault('not_found', 'requested room does not exist')
      return room
    },
    create: (options) => byName.get(options.name) ?? begin(rooms, options),
    remove: (room) => remove(rooms, room),
    describe(room, changed) {
      Object.assign(room, changed)
      needs.onDescribed?.(room)
    },
    admit: (room, newcomer) => admit(rooms, room, newcomer),
    activate: (room, participant) => activate(rooms, room, participant),
    join(room, newcomer) {
      const participant = admit(rooms, room, newcomer)
      activate(rooms, room, participant)
      return participant
    },
    leave: (room, participant, reason) => leave(rooms, room, participant, reason),
    abort: (room, visitor, reason) => tellGone(rooms, room, enter(visitor, needs.clock), reason),
    publish: (room, participant, track) => publish(rooms, room, participant, track),
    unpublish: (room, participant, track) => unpublish(rooms, room, participant, track),
    crash() {
      for (const room of byName.values()) room.closing?.stop()
      byName.clear()
    },
  }
}

function begin(rooms: OpenRooms, options: Parameters<Rooms['create']>[0]): Room {
  const room: Room = {
    ...options,
    sid: newSid('RM'),
    emptyTimeoutSeconds: options.emptyTimeoutSeconds || EMPTY_TIMEOUT_SECONDS,
    departureTimeoutSeconds: options.departureTimeoutSeconds || DEPARTURE_TIMEOUT_SECONDS,
    createdAtMs: rooms.clock.now().getTime(),
    isRecording: false,
    participants: new Map(),
    closing: undefined,
  }
  rooms.byName.set(room.name, room)
  rooms.emit('room_started', { room: roomMessage(room) }, room.name)
  closeLater(rooms, room, room.emptyTimeoutSeconds)
  return room
}

function closeLater(rooms: OpenRooms, room: Room, seconds: number): void {
  room.closing?.stop()
  room.closing = after(seconds * 1_000, () => remove(rooms, room), rooms.onFault)
}

function remove(rooms: OpenRooms, room: Room): void {
  if (rooms.byName.get(room.name) !== room) return
  rooms.onEnding(room)
  for (const participant of room.participants.values()) leave(rooms, room, participant, 'ROOM_DELETED')
  room.closing?.stop()
  rooms.byName.delete(room.name)
  rooms.emit('room_finished', { room: roomMessage(room) }, room.name)
}

function admit(rooms: OpenRooms, room: Room, newcomer: NewParticipant): Participant {
  const before = room.participants.get(newcomer.identity)
  if (before) leave(rooms, room, before, 'DUPLICATE_IDENTITY')
  if (keepsOpen(newcomer) && hasNoPlace(room)) throw new MediaFault('internal', 'room is full')
  const participant = enter(newcomer, rooms.clock)
  room.participants.set(participant.identity, participant)
  if (keepsOpen(participant)) room.closing?.stop()
  return participant
}

function activate({ emit }: OpenRooms, room: Room, participant: Participant): void {
  participant.state = 'ACTIVE'
  const payload = { room: roomMessage(room), participant: participantMessage(participant) }
  emit('participant_joined', payload, room.name)
}

function leave(rooms: OpenRooms, room: Room, participant: Participant, reason: string): void {
  if (room.participants.get(participant.identity) !== participant) return
  // a participant who leaves takes tracks back first; a server that goes away does not
  if (!['MIGRATION', 'SERVER_SHUTDOWN'].includes(reason))
    for (const track of participant.tracks.values()) unpublish(rooms, room, participant, track)
  room.participants.delete(participant.identity)
  participant.version += 1
  rooms.onLeft?.(participant, reason, room)
  tellGone(rooms, room, { ...participant, tracks: new Map() }, reason)
  if (![...room.participants.values()].some(keepsOpen)) closeLater(rooms, room, room.departureTimeoutSeconds)
}

function tellGone({ emit }: OpenRooms, room: Room, gone: Participant, reason: string): void {
  const event = gone.state === 'ACTIVE' ? 'participant_left' : 'participant_connection_aborted'
  const participant = { ...participantMessage(gone), state: 'DISCONNECTED', disconnectReason: reason }
  emit(event, { room: roomMessage(room), participant }, room.name)
}

function publish(
  { emit }: OpenRooms,
  room: Room,
  participant: Participant,
  wanted: Parameters<Rooms['publish']>[2],
): Track {
  if (!participant.permission.canPublish)
    throw new MediaFault('permission_denied', 'this participant may not publish')
  const track = { sid: newSid('TR'), muted: false, ...wanted }
  participant.tracks.set(track.sid, track)
  emit('track_published', trackPayload(room, participant, track), room.name)
  return track
}

function unpublish({ emit }: OpenRooms, room: Room, participant: Participant, track: Track): void {
  if (!participant.tracks.delete(track.sid)) return
  emit('track_unpublished', trackPayload(room, participant, track), room.name)
}

function enter(newcomer: NewParticipant, clock: Clock): Participant {
  const joinedAtMs = clock.now().getTime()
  return { ...newcomer, sid: newSid('PA'), state: 'JOINED', joinedAtMs, version: 2, tracks: new Map() }
}

function keepsOpen({ kind }: NewParticipant): boolean {
  return !DEPENDENT_KINDS.includes(kind)
}

function hasNoPlace({ maxParticipants, participants }: Room): boolean {
  return maxParticipants > 0 && [...participants.values()].filter(keepsOpen).length >= maxParticipants
}

export function roomMessage(room: Room): Message {
  const inside = [...room.participants.values()].filter(keepsOpen)
  return {
    sid: room.sid,
    name: room.name,
    emptyTimeout: room.emptyTimeoutSeconds,
    departureTimeout: room.departureTimeoutSeconds,
    maxParticipants: room.maxParticipants,
    creationTime: BigInt(Math.floor(room.createdAtMs / 1_000)),
    creationTimeMs: BigInt(room.createdAtMs),
    turnPassword: `embedded-${room.sid}`,
    enabledCodecs: [{ mime: 'audio/opus' }, { mime: 'audio/red' }, { mime: 'video/VP8' }],
    metadata: room.metadata,
    numParticipants: inside.length,
    numPublishers: inside.filter(({ tracks }) => tracks.size > 0).length,
    activeRecording: room.isRecording,
  }
}

export function participantMessage(participant: Participant): Message {
  const { permission } = participant
  return {
    sid: participant.sid,
    identity: participant.identity,
    state: participant.state,
    tracks: [...participant.tracks.values()].map(trackMessage),
    metadata: participant.metadata,
    joinedAt: BigInt(Math.floor(participant.joinedAtMs / 1_000)),
    joinedAtMs: BigInt(participant.joinedAtMs),
    name: participant.name,
    version: participant.version,
    permission: { ...permission },
    isPublisher: participant.tracks.size > 0,
    kind: participant.kind,
    attributes: participant.attributes,
  }
}

function trackMessage(track: Track): Message {
  const mimeType = track.type === 'AUDIO' ? 'audio/red' : 'video/VP8'
  const size = track.type === 'VIDEO' ? { width: 320, height: 240 } : { width: 0, height: 0 }
  return { ...track, ...size, mimeType, stream: 'camera' }
}

function trackPayload(room: Room, participant: Participant, track: Track): Message {
  return {
    room: { sid: room.sid, name: room.name },
    participant: { sid: participant.sid, identity: participant.identity },
    track: trackMessage(track),
  }
}
