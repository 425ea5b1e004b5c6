/** One meeting, from coming in to going out: who was there, and what was said. */
import { ParticipantKind, Room, RoomEvent, TrackSource } from '@livekit/rtc-node'
import { notesOf } from './notes.js'

/** A person who reloads their page comes back within this. */
const EMPTY_MS = 5_000
const PEOPLE_MAX = 500

/**
 * Comes into a room by the office's token, and stays until it is put out, or the room is empty of people.
 * @returns {Promise<{ leave(): Promise<void>, left: Promise<unknown>, over: Promise<object> }>} `over`: what minutes are made of,
 *   once everything that was heard is written down
 */
export async function attend({ office, roomId, transcriberUrl }) {
  const listened = transcriberUrl !== undefined
  // without the right to listen it would not see who is there either
  const about = { roomId, username: 'Assistant', listens: true, speaks: false }
  const { token, url } = await office.call('authorizeRoom', about)
  const { name } = (await office.call('getRoom', { roomId })).room
  const room = new Room()
  const now = () => office.time.now()
  const presence = presenceIn(room, now)
  const notes = listened ? notesOf({ transcriberUrl, now }) : undefined
  const hear = (publication, participant) => {
    if (publication.source === TrackSource.SOURCE_MICROPHONE && isPerson(participant))
      publication.setSubscribed(true)
  }
  if (notes) {
    room.on(RoomEvent.TrackPublished, hear)
    room.on(RoomEvent.TrackSubscribed, (track, publication, participant) => {
      if (publication.source === TrackSource.SOURCE_MICROPHONE) notes.listen(track, idOf(participant))
    })
  }
  const left = new Promise((resolve) => room.once(RoomEvent.Disconnected, resolve))
  const from = now()
  await room.connect(url, token, { autoSubscribe: false, dynacast: false })
  for (const participant of room.remoteParticipants.values()) {
    presence.enter(participant)
    if (notes)
      for (const publication of participant.trackPublications.values()) hear(publication, participant)
  }
  presence.look()
  const over = left.then(async () => {
    const to = now()
    const people = await named(office, presence.end(to))
    const { said, lost } = (await notes?.end()) ?? { said: [], lost: 0 }
    return { roomId, room: name, from, to, people, said, lost, listened }
  })
  return { leave: () => room.disconnect(), left, over }
}

const isPerson = ({ kind }) => kind !== ParticipantKind.AGENT && kind !== ParticipantKind.EGRESS
/** Another device of a person is called after them: `42#phone`. */
const idOf = ({ identity }) => identity.split('#')[0]

/** In a room people are called what they choose: members are written down by their names in the office. */
async function named(office, people) {
  const all = []
  for (const person of people) {
    const { id, name } = person
    if (id.startsWith('guest:')) all.push({ ...person, name: `${name} (guest)` })
    else {
      // a member who has left the organization meanwhile
      const { displayName } = await office.call('getMember', { id }).catch(() => ({ displayName: name }))
      all.push({ ...person, name: displayName })
    }
  }
  return all
}

/** Who was there, each once, from when to when. */
function presenceIn(room, now) {
  const people = new Map()
  let emptyTimer
  const inside = () => [...room.remoteParticipants.values()].filter(isPerson)
  const look = () => {
    clearTimeout(emptyTimer)
    if (inside().length === 0)
      emptyTimer = setTimeout(() => room.disconnect().catch(() => undefined), EMPTY_MS)
  }
  const enter = (participant) => {
    const id = idOf(participant)
    if (!isPerson(participant) || (people.size >= PEOPLE_MAX && !people.has(id))) return
    const { from = now() } = people.get(id) ?? {}
    people.set(id, { id, name: participant.name || id, from, to: undefined })
  }
  room.on(RoomEvent.ParticipantConnected, (participant) => {
    enter(participant)
    look()
  })
  room.on(RoomEvent.ParticipantDisconnected, (participant) => {
    const person = people.get(idOf(participant))
    const isElsewhere = inside().some((one) => one !== participant && idOf(one) === person?.id)
    if (person && !isElsewhere) person.to = now()
    look()
  })
  return {
    enter,
    look,
    end(to) {
      clearTimeout(emptyTimer)
      return [...people.values()].map((person) => ({ ...person, to: person.to ?? to }))
    },
  }
}
