import { offered } from '../captions/wanted-captions.ts'
import type { Handshake, LeaveReason, Person, RoomDescription } from '../messages.ts'
import type { Live } from './live.ts'
import type { LiveRooms, Upgrade } from './live-rooms.ts'
import type { Participant, Room } from './rooms.ts'

/** How clients come in, and come back. */
export function entrancesOf({
  rooms,
  limits,
  media,
  inside,
  captions,
}: Live): Pick<LiveRooms, 'isFull' | 'enter' | 'resume'> {
  const hasCaptions = captions !== undefined
  return {
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
  }
}

/** What goes to the process that carries media, about rooms and participants that are there. */
export function ordersOf({ media, inside, calls, captions, refresh }: Live) {
  const isOpen = (room: Room) => [...inside.values()].some((one) => one.room === room)
  return {
    update(participant) {
      const found = inside.get(participant.sid)
      if (!found) return
      media.send({ order: 'update', person: personOf(participant) })
      refresh(found.room, participant)
    },
    describe(room) {
      if (isOpen(room)) media.send({ order: 'describe', room: descriptionOf(room, captions !== undefined) })
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
      if (isOpen(room)) media.send({ order: 'data', room: room.sid, data })
    },
    record: (room, order) => media.send({ order: 'record', room: room.sid, ...order }),
    endRecording: (recording) =>
      media.pid() !== undefined && media.send({ order: 'end-recording', recording }),
    remove({ sid }, reason) {
      captions?.forget(sid)
      if (inside.delete(sid)) media.send({ order: 'remove', sid, reason: reason as LeaveReason })
    },
  } satisfies Partial<LiveRooms>
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
