import type { Member, Reply } from '@atrium/contract'
import { ALL } from './live/due-reader.ts'
import type { ReceivedEvent } from './realtime.ts'

/** A room with who is inside, how many guests, and whether it is recorded. */
export type Room = Reply<'listRooms'>['body']['rooms'][number]
export type PersonInRoom = Room['people'][number]
export type AgentInRoom = Room['agents'][number]

export interface Heard {
  /** The same list where the event changes nothing of it. */
  rooms: readonly Room[]
  /** What has to be read, because the event does not say it all: a room's id, or `ALL`. */
  toRead?: string
}

/** Finds a member of the organization by their `User.id`, where they are known. */
export type FindMember = (userId: string) => Member | undefined

/** The rooms after an event, as far as it says what is different. */
export function withEvent(
  rooms: readonly Room[],
  event: ReceivedEvent,
  findMember: FindMember = () => undefined,
): Heard {
  // a temporary room is in no list: its two people read it by itself
  if (event.type === 'room.created') return { rooms, toRead: event.data.temporary ? event.data.roomId : ALL }
  if (event.type === 'room.deleted') return { rooms: without(rooms, event.data.roomId) }
  if (event.type === 'room.entered') {
    const { roomId, userId } = event.data
    if (!rooms.some(({ id }) => id === roomId)) return { rooms, toRead: ALL }
    const member = findMember(userId)
    if (member === undefined) return { rooms, toRead: roomId }
    return { rooms: changed(rooms, roomId, (room) => withPerson(room, personInside(member, event.time))) }
  }
  if (event.type === 'room.left') {
    const { roomId, userId } = event.data
    const left = changed(rooms, roomId, (room) => withoutPerson(room, userId))
    // an empty desk is shown to its owner alone, whom the office knows
    const isEmptyDesk = left.some(
      ({ id, ownerId, people }) => id === roomId && ownerId !== null && people.length === 0,
    )
    return isEmptyDesk ? { rooms: left, toRead: ALL } : { rooms: left }
  }
  if (event.type === 'agent.entered') {
    const { roomId, ...agent } = event.data
    return { rooms: changed(rooms, roomId, (room) => withAgent(room, agent)) }
  }
  if (event.type === 'agent.left') {
    const { roomId, botId } = event.data
    return { rooms: changed(rooms, roomId, (room) => withoutAgent(room, botId)) }
  }
  if (event.type === 'room.updated') return withUpdate(rooms, event.data)
  if (event.type === 'room.activity') return withActivity(rooms, event.data)
  if (isRenamed(event) && isInside(rooms, event.data.userId)) return { rooms, toRead: ALL }
  return { rooms }
}

/** What was being read while the event came may be from before it: the id of a room, `ALL`, or undefined for none. */
export function outdatedBy(event: ReceivedEvent): string | undefined {
  if (/^(room|agent)\./.test(event.type)) return (event.data as { roomId?: string }).roomId ?? ALL
  return isRenamed(event) ? ALL : undefined
}

/** A person has another name or picture, which rooms show; their activity and note are in no room. */
function isRenamed(event: ReceivedEvent): event is Extract<ReceivedEvent, { type: 'profile.updated' }> {
  return event.type === 'profile.updated' && event.data.displayName !== undefined
}

/**
 * The rooms with one of them as it was read; undefined: it is gone. Of one that was not there the place is not known, but
 * for temporary rooms, which come last.
 */
export function withRoom(rooms: readonly Room[], roomId: string, room: Room | undefined): readonly Room[] {
  if (!room) return without(rooms, roomId)
  if (room.temporary && !rooms.some(({ id }) => id === roomId)) return [...rooms, room]
  return rooms.map((one) => (one.id === roomId ? room : one))
}

function withUpdate(
  rooms: readonly Room[],
  data: Extract<ReceivedEvent, { type: 'room.updated' }>['data'],
): Heard {
  const { roomId, name, metadata, kind, seats, locked, sealed, position, person } = data
  const { agentDispatch, guests, recording } = data
  const before = rooms.find(({ id }) => id === roomId)
  // the order of rooms at one place is by age, as the office knows it
  if (!before || (position !== undefined && position !== before.position)) return { rooms, toRead: ALL }
  const fields = {
    ...(name === undefined ? {} : { name }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(kind === undefined ? {} : { kind }),
    ...(seats === undefined ? {} : { seats }),
    ...(locked === undefined ? {} : { locked }),
    ...(sealed === undefined ? {} : { sealed }),
    ...(agentDispatch === undefined ? {} : { agentDispatch }),
    ...(guests === undefined ? {} : { guests }),
    ...(recording === undefined ? {} : { recording }),
  }
  return {
    rooms: changed(rooms, roomId, (room) => ({
      ...room,
      ...fields,
      people: person
        ? room.people.map((one) => (one.userId === person.userId ? withPublished(one, person) : one))
        : room.people,
    })),
  }
}

/**
 * Without a microphone nothing is heard of them; of one that has come it is not known whether it is muted, unless that was
 * told first.
 */
function withPublished(one: PersonInRoom, person: Partial<PersonInRoom>): PersonInRoom {
  const next = { ...one, ...person }
  if (!next.microphone) return { ...next, sound: 'off', speaking: false }
  return next.sound === 'off' ? { ...next, sound: 'published' } : next
}

function withActivity(
  rooms: readonly Room[],
  { roomId, userId, sound, speaking, hand }: Extract<ReceivedEvent, { type: 'room.activity' }>['data'],
): Heard {
  const of = (one: PersonInRoom) => (one.userId === userId ? { ...one, sound, speaking, hand } : one)
  return { rooms: changed(rooms, roomId, (room) => ({ ...room, people: room.people.map(of) })) }
}

function changed(rooms: readonly Room[], roomId: string, change: (room: Room) => Room): readonly Room[] {
  if (!rooms.some(({ id }) => id === roomId)) return rooms
  return rooms.map((room) => (room.id === roomId ? change(room) : room))
}

function without(rooms: readonly Room[], roomId: string): readonly Room[] {
  return rooms.some(({ id }) => id === roomId) ? rooms.filter(({ id }) => id !== roomId) : rooms
}

/** As they come in: what they publish, and how they are there, is told by later events. */
function personInside({ id, presenceUserId, displayName, avatarUrl }: Member, since: string): PersonInRoom {
  return {
    ...{ userId: id, presenceUserId, displayName, avatarUrl, since },
    ...{ microphone: false, camera: false, screen: false },
    ...{ sound: 'off', speaking: false, hand: false },
  }
}

function withPerson(room: Room, person: PersonInRoom): Room {
  if (room.people.some(({ userId }) => userId === person.userId)) return room
  return { ...room, people: [...room.people, person] }
}

function withoutPerson(room: Room, userId: string): Room {
  return { ...room, people: room.people.filter((one) => one.userId !== userId) }
}

function withAgent(room: Room, agent: AgentInRoom): Room {
  return { ...room, agents: [...withoutAgent(room, agent.botId).agents, agent] }
}

function withoutAgent(room: Room, botId: string): Room {
  return { ...room, agents: room.agents.filter((one) => one.botId !== botId) }
}

function isInside(rooms: readonly Room[], userId: string): boolean {
  return rooms.some(
    ({ people, agents }) =>
      people.some((one) => one.userId === userId) || agents.some(({ botId }) => botId === userId),
  )
}
