import { eventually } from '../../waiting.ts'
import { type Expected, INVITERS, isWorker, MODERATORS, refusalFirst, type Worker } from '../caller.ts'
import { calling } from '../calling.ts'
import { Disagreement } from '../disagreement.ts'
import { emptied } from '../organization.ts'
import { picked, type Rule, refused } from '../rule.ts'
import type { Room } from '../state.ts'
import type { World } from '../world.ts'

/** Every room there has been, of all organizations: what is another's, or deleted, is not found. */
export const roomsOf = ({ organizations }: World) => organizations.flatMap(({ rooms }) => rooms)

export function notHere(caller: Worker, room: Room): Expected | undefined {
  const isHere = !room.isDeleted && caller.organization.rooms.includes(room)
  return isHere ? undefined : refused(404, 'room-not-found')
}

const nameTaken = ({ organization }: Worker, name: string, but?: Room) =>
  organization.rooms.some((room) => room !== but && !room.isDeleted && room.name === name)

const create: Rule = {
  name: 'a room is made',
  written: 'spec, room-create: any signed-in user, the name is unique; decisions, Rooms: it is told on org:',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const name = `Room ${drawn.one % 4}`
    const first = refusalFirst(caller)
    const taken = !first && nameTaken(caller as Worker, name) ? refused(409, 'room-exists') : undefined
    return calling(world, caller, {
      id: 'createRoom',
      input: { name, metadata: { floor: drawn.other } },
      says: `makes ${name}`,
      expected: first ?? taken ?? { status: 200 },
      after({ room: { id } }: { room: { id: string } }) {
        const { organization } = caller as Worker
        organization.rooms.push({
          ...{ id, name, isLocked: false, isDeleted: false, recording: undefined },
          ...{ inside: new Map(), leftAt: new Map(), timesEmpty: 0 },
        })
        world.tell(organization, 'room.created', { roomId: id, name })
      },
    })
  },
}

const rename: Rule = {
  name: 'a room is renamed',
  written:
    'decisions, Rooms: update is for moderators and up; a name is there once; another organization’s is 404',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const room = picked(roomsOf(world), drawn.one)
    if (!room) return undefined
    const name = `Room ${drawn.other % 4}`
    const refusal = refusalFirst(caller, MODERATORS) ?? notHere(caller as Worker, room)
    const taken =
      !refusal && nameTaken(caller as Worker, name, room) ? refused(409, 'room-exists') : undefined
    return calling(world, caller, {
      id: 'updateRoom',
      input: { roomId: room.id, name },
      says: `renames ${room.name} to ${name}`,
      expected: refusal ?? taken ?? { status: 200 },
      after() {
        if (room.name === name) return
        room.name = name
        world.tell((caller as Worker).organization, 'room.updated', { roomId: room.id, name })
      },
    })
  },
}

const remove: Rule = {
  name: 'a room is deleted',
  written: 'decisions, Rooms: delete is for moderators and up; people in it are put out',
  weight: 0.5,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const room = picked(roomsOf(world), drawn.one)
    if (!room || room.inside.size > 0) return undefined
    return calling(world, caller, {
      id: 'deleteRoom',
      input: { roomId: room.id },
      says: `deletes ${room.name}`,
      expected: refusalFirst(caller, MODERATORS) ?? notHere(caller as Worker, room) ?? { status: 204 },
      after() {
        room.isDeleted = true
        world.tell((caller as Worker).organization, 'room.deleted', { roomId: room.id })
      },
    })
  },
}

/** "Others get 403 room-locked; moderators enter always"; people who left in the last two minutes return. */
function entry(world: World, caller: Worker, room: Room): Expected {
  const left = room.leftAt.get(caller.person)
  const maySimply = MODERATORS.includes(caller.role) || room.inside.has(caller.person)
  const hasJustLeft = left !== undefined && world.now() - left < 110_000
  if (!room.isLocked || maySimply || hasJustLeft) return { status: 200 }
  return refused(403, 'room-locked')
}

function keptOut(world: World, caller: Worker, room: Room): Expected | undefined {
  const expected = entry(world, caller, room)
  return expected.status === 200 ? undefined : expected
}

const enter: Rule = {
  name: 'somebody enters a room',
  written: 'spec, room-auth; decisions, Locks; who is in which room follows the media server’s events',
  weight: 3,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const room = picked(roomsOf(world), drawn.one)
    const isInside = roomsOf(world).some(({ inside }) => inside.has(caller.person))
    if (!room || isInside) return undefined
    return calling(world, caller, {
      id: 'authorizeRoom',
      input: { roomId: room.id, username: caller.person.name },
      says: `enters ${room.name}`,
      expected:
        refusalFirst(caller) ?? notHere(caller as Worker, room) ?? entry(world, caller as Worker, room),
      async after({ token }: { token: string }) {
        await atMedia(world, 'join', { token })
        room.inside.set(caller.person, caller.device)
        await untilSeen(world, caller as Worker, room, true)
        world.tell((caller as Worker).organization, 'room.entered', {
          roomId: room.id,
          userId: caller.person.id,
        })
      },
    })
  },
}

const leave: Rule = {
  name: 'somebody leaves a room',
  written:
    'decisions, Rooms: who is inside follows the media server; Locks: unlocked when the last member leaves',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const { person } = caller
    if (!isWorker(caller)) return undefined
    const room = caller.organization.rooms.find(({ inside }) => inside.has(person))
    if (!room) return undefined
    return {
      says: `${caller.name} leaves ${room.name}`,
      async act() {
        await atMedia(world, 'leave', { room: room.id, identity: person.id })
        room.inside.delete(person)
        room.leftAt.set(person, world.now())
        if (room.inside.size === 0) emptied(room)
        await untilSeen(world, caller, room, false)
        world.tell(caller.organization, 'room.left', { roomId: room.id, userId: person.id })
      },
    }
  },
}

const lock: Rule = {
  name: 'a room is locked, or opened',
  written: 'decisions, Locks: by a member who is inside; moderators may unlock from outside',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const room = picked(roomsOf(world), drawn.one)
    if (!room) return undefined
    const locked = drawn.yes
    const mayAct =
      isWorker(caller) && (room.inside.has(caller.person) || (!locked && MODERATORS.includes(caller.role)))
    return calling(world, caller, {
      id: 'lockRoom',
      input: { roomId: room.id, locked },
      says: `${locked ? 'locks' : 'opens'} ${room.name}`,
      expected:
        refusalFirst(caller) ??
        notHere(caller as Worker, room) ??
        (mayAct ? { status: 204 } : refused(409, 'not-inside')),
      after() {
        room.isLocked = locked
      },
    })
  },
}

const record: Rule = {
  name: 'a room is recorded',
  written:
    'decisions, Recordings: at most one running for a room (409); stop twice is 200; an unknown one 404; Locks: begun by those whom the door lets in',
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const room = picked(roomsOf(world), drawn.one)
    if (!room || room.inside.size === 0 || room.recording === 'unknown') return undefined
    const about = { roomName: room.id, zoneId: 'zone' }
    const refusal = refusalFirst(caller, INVITERS) ?? notHere(caller as Worker, room)
    if (room.recording && drawn.yes)
      return calling(world, caller, {
        id: 'stopRecording',
        input: { ...about, egressId: room.recording },
        says: `stops the recording of ${room.name}`,
        expected: refusal ? stray(refusal) : { status: 200, body: { egressId: room.recording } },
        after: () => untilOver(world, caller as Worker, room),
      })
    return calling(world, caller, {
      id: 'startRecording',
      input: { ...about, conferenceTopic: 'Weekly', participants: 'Ada' },
      says: `records ${room.name}`,
      expected:
        refusal ??
        keptOut(world, caller as Worker, room) ??
        (room.recording ? refused(409, 'recording-running') : { status: 200 }),
      after({ egressId }: { egressId: string }) {
        room.recording = egressId
      },
    })
  },
}

/** A recording that is stopped is over a moment later; until then it still runs. */
async function untilOver(world: World, { device }: Worker, room: Room): Promise<void> {
  const { recording } = room
  const isOver = async () => {
    const body = await world.ask(device, 'listRecordings', { roomName: room.id }, { status: 200 })
    const { data } = body as { data: { egressId: string; state: string }[] }
    return data.find(({ egressId }) => egressId === recording)?.state === 'completed'
  }
  await eventually('the recording is completed', isOver, { withinMs: 30_000, everyMs: 100 })
  room.recording = undefined
}

/** Stopping looks for the recording, in whichever room. */
const stray = (refusal: Expected): Expected => (refusal.status === 404 ? refused(404, 'not-found') : refusal)

export async function atMedia({ office }: World, act: string, body: object): Promise<void> {
  const answer = await fetch(`${office.url}/sandbox/media/${act}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const said = await answer.text()
  if (answer.status !== 200) throw new Disagreement(`the media server refuses to ${act}: ${said}`)
}

/** The office follows the media server. */
async function untilSeen(
  world: World,
  { device, person }: Worker,
  room: Room,
  isInside: boolean,
): Promise<void> {
  const sees = async () => {
    const body = await world.ask(device, 'getRoom', { roomId: room.id }, { status: 200 })
    const { people } = (body as { room: { people: { userId: string }[] } }).room
    return people.some(({ userId }) => userId === person.id) === isInside
  }
  const what = `${person.name} is ${isInside ? 'seen in' : 'gone from'} ${room.name}`
  await eventually(what, sees, { withinMs: 20_000, everyMs: 100 }).catch((error: Error) => {
    throw new Disagreement(error.message)
  })
}

export const roomRules: readonly Rule[] = [create, rename, remove, enter, leave, lock, record]
