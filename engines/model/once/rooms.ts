import { randomBytes, randomUUID } from 'node:crypto'
import { same } from '../disagreement.ts'
import { newDevice } from '../people.ts'
import { refused } from '../rule.ts'
import { atMedia } from '../rules/rooms.ts'
import { asks, type Cast, DONE, OK, soon } from './once.ts'

/** What goes on inside of rooms. (decisions, Rooms, people, media) */
export async function rooms(cast: Cast): Promise<void> {
  const { ada, bob, cem } = cast
  const { room: desk } = await asks<{ room: { id: string; kind: string } }>(cast, cem, 'openDesk')
  same('a desk', desk.kind, 'desk')
  const { room } = await asks<{ room: { id: string } }>(cast, ada, 'createRoom', {
    name: 'A room for one day',
  })
  const roomId = room.id
  const saying = { roomId, sound: 'muted', speaking: false, hand: true }
  await asks(cast, cem, 'setActivity', saying, refused(409, 'not-inside'))
  await enter(cast, cem, roomId)
  await asks(cast, cem, 'setActivity', saying, DONE)
  await asks(cast, ada, 'muteInRoom', { roomId, userId: cem.id }, DONE)
  await asks(cast, ada, 'lowerHands', { roomId }, DONE)
  await asks(cast, cem, 'lockRoom', { roomId, locked: true }, DONE)
  await asks(cast, ada, 'knockAtRoom', { roomId }, { ...OK, body: { state: 'waiting' } })
  await asks(cast, bob, 'lockRoom', { roomId, locked: false }, DONE)
  await recordings(cast, roomId)
  await sealed(cast)
  await guests(cast, roomId)
  await asks(cast, bob, 'removeFromRoom', { roomId, userId: cem.id }, DONE)
  const back = { roomId, username: 'Cem' }
  await asks(cast, cem, 'authorizeRoom', back, refused(403, 'removed-from-room'))
  await soon('nobody is inside', async () => (await insideOf(cast, roomId)).length === 0)
  await asks(cast, ada, 'updateRoom', { roomId, seats: 4 })
  await asks(cast, ada, 'deleteRoom', { roomId }, DONE)
  await asks(cast, ada, 'listRooms')
}

async function enter(cast: Cast, person: Cast['cem'], roomId: string): Promise<void> {
  const { token } = await asks<{ token: string }>(cast, person, 'authorizeRoom', {
    roomId,
    username: person.name,
  })
  await atMedia(cast.world, 'join', { token })
  await soon('somebody is inside', async () => (await insideOf(cast, roomId)).includes(person.id))
}

async function insideOf(cast: Cast, roomId: string): Promise<string[]> {
  const { room } = await asks<{ room: { people: { userId: string }[] } }>(cast, cast.ada, 'getRoom', {
    roomId,
  })
  return room.people.map(({ userId }) => userId)
}

/** (decisions, Recordings: what runs is neither downloaded nor deleted; a legal hold keeps it from being deleted) */
async function recordings(cast: Cast, roomId: string): Promise<void> {
  const { ada, cem } = cast
  const about = { roomName: roomId, conferenceTopic: 'Weekly', zoneId: 'zone', participants: 'Cem' }
  const { egressId } = await asks<{ egressId: string }>(cast, cem, 'startRecording', about)
  await asks(cast, cem, 'deleteRecording', { egressId }, refused(409, 'recording-not-finished'))
  const stateIs = (wanted: string) => async () => {
    const { data } = await asks<{ data: { state: string }[] }>(cast, ada, 'listRecordings', {
      roomName: roomId,
    })
    return data[0]?.state === wanted
  }
  await soon('it runs', stateIs('active'))
  await asks(cast, cem, 'stopRecording', { roomName: roomId, egressId, zoneId: '' })
  await asks(cast, cem, 'stopRecording', { roomName: roomId, egressId, zoneId: '' })
  await soon('it is complete', stateIs('completed'))
  await asks(cast, cem, 'updateRecording', { egressId, name: 'The weekly' })
  await asks(cast, cem, 'shareRecording', { egressId, days: 7 })
  await asks(cast, cem, 'getRecording', { egressId })
  await asks(cast, cem, 'downloadRecording', { egressId })
  await asks(cast, cem, 'readTranscript', { egressId }, refused(409, 'no-transcript'))
  await asks(cast, ada, 'holdRecording', { egressId, hold: true, reason: 'A dispute' })
  await asks(cast, ada, 'deleteRecording', { egressId }, refused(409, 'legal-hold'))
  await asks(cast, ada, 'holdRecording', { egressId, hold: false })
  await asks(cast, cem, 'deleteRecording', { egressId })
}

/** A key that goes round in boxes. (decisions, Sealed rooms) */
async function sealed(cast: Cast): Promise<void> {
  const { world, ada, cem, acme } = cast
  const device = { deviceId: randomUUID(), publicKey: newKey(32), name: 'Laptop' }
  await asks(cast, cem, 'publishDevice', device, DONE)
  const { devices } = await asks<{ devices: object[] }>(cast, ada, 'listDevices', { userId: cem.id })
  same('the device of a colleague', devices, [
    { deviceId: device.deviceId, userId: cem.id, publicKey: device.publicKey },
  ])
  const vault = { name: 'A vault for one day', sealed: true }
  const { room } = await asks<{ room: { id: string } }>(cast, ada, 'createRoom', vault)
  const roomId = room.id
  const browser = newDevice(world.office.url, world.fetch)
  const invite = { orgId: acme.id, roomId, durationSeconds: 3_600, allowAll: true }
  const made = await asks<{ inviteUrl: string; inviteId: string }>(cast, ada, 'inviteGuest', invite, {
    status: 201,
  })
  const inviteToken = new URL(made.inviteUrl).searchParams.get('invite_token') ?? ''
  const asked = { inviteToken, guestName: 'Grace' }
  await asks(cast, browser, 'authorizeGuest', asked, refused(409, 'key-required'))
  const { guestIdentity } = await asks<{ guestIdentity: string }>(cast, browser, 'authorizeGuest', {
    ...asked,
    publicKey: newKey(32),
  })
  await asks(cast, ada, 'admitGuest', { roomId, guestIdentity, action: 'admit' })
  const [ofDevice, ofGuest] = [newKey(80), newKey(80)]
  const boxes = [
    { deviceId: device.deviceId, box: ofDevice },
    { guestIdentity, box: ofGuest },
  ]
  await asks(cast, cem, 'sendRoomKey', { roomId, epoch: 1, boxes }, refused(409, 'not-inside'))
  await enter(cast, cem, roomId)
  await asks(cast, cem, 'sendRoomKey', { roomId, epoch: 1, boxes }, DONE)
  await asks(cast, cem, 'sendRoomKey', { roomId, epoch: 1, boxes }, refused(409, 'epoch-taken'))
  const own = { roomId, deviceId: device.deviceId }
  await asks(cast, cem, 'fetchRoomKey', own, { ...OK, body: { epoch: 1, box: ofDevice } })
  const place = { inviteId: made.inviteId }
  await asks(cast, browser, 'fetchGuestRoomKey', place, { ...OK, body: { epoch: 1, box: ofGuest } })
  await asks(cast, cem, 'endDevice', { deviceId: device.deviceId }, DONE)
  await asks(cast, ada, 'deleteRoom', { roomId }, DONE)
}

const newKey = (bytes: number) => randomBytes(bytes).toString('base64url')

/** (decisions, Guests; Guests in the room’s conversation: from admission until the stay ends) */
async function guests(cast: Cast, roomId: string): Promise<void> {
  const { world, ada, acme } = cast
  const browser = newDevice(world.office.url, world.fetch)
  const invite = { orgId: acme.id, roomId, durationSeconds: 3_600, allowAll: true }
  const made = await asks<{ inviteUrl: string; inviteId: string }>(cast, ada, 'inviteGuest', invite, {
    status: 201,
  })
  const inviteToken = new URL(made.inviteUrl).searchParams.get('invite_token') ?? ''
  const { inviteId } = made
  await asks(
    cast,
    browser,
    'previewGuestInvite',
    { inviteToken },
    { ...OK, body: { organizationName: acme.name } },
  )
  const asked = { inviteToken, guestName: 'Grace' }
  const { guestIdentity, rtcToken } = await asks<{ guestIdentity: string; rtcToken: string }>(
    cast,
    browser,
    'authorizeGuest',
    asked,
    { ...OK, body: { state: 'waiting' } },
  )
  await asks(cast, browser, 'listGuestMessages', { inviteId }, refused(401, 'unauthenticated'))
  const { guests } = await asks<{ guests: { guestIdentity: string; state: string }[] }>(
    cast,
    ada,
    'listGuests',
    { roomId },
  )
  same(
    'who waits',
    guests.map((one) => [one.guestIdentity, one.state]),
    [[guestIdentity, 'waiting']],
  )
  const waiting = await asks<{ guests: { guestIdentity: string }[] }>(cast, ada, 'listWaitingGuests')
  same(
    'who waits before any room',
    waiting.guests.map((one) => one.guestIdentity),
    [guestIdentity],
  )
  await asks(cast, ada, 'admitGuest', { roomId, guestIdentity, action: 'admit' })
  await atMedia(world, 'join', { token: rtcToken })
  await soon('the guest is inside', async () => {
    const { room } = await asks<{ room: { guests: number } }>(cast, ada, 'getRoom', { roomId })
    return room.guests === 1
  })
  await asks(cast, browser, 'setGuestActivity', { inviteId, sound: 'off', speaking: false, hand: true }, DONE)
  await asks(cast, browser, 'sendGuestMessage', { inviteId, content: 'Hello' }, DONE)
  const { messages } = await asks<{ messages: { content: string; mine: boolean }[] }>(
    cast,
    browser,
    'listGuestMessages',
    { inviteId },
  )
  same(
    'what the guest reads',
    messages.map(({ content, mine }) => [content, mine]),
    [['Hello', true]],
  )
  const { invites } = await asks<{ invites: { inviteId: string }[] }>(cast, ada, 'listGuestInvites')
  same(
    'the links for guests',
    invites.map((one) => one.inviteId),
    [inviteId],
  )
  await asks(cast, ada, 'removeGuest', { roomId, guestIdentity }, DONE)
  await asks(
    cast,
    browser,
    'sendGuestMessage',
    { inviteId, content: 'Still?' },
    refused(401, 'unauthenticated'),
  )
  await asks(cast, ada, 'revokeGuestInvite', { inviteId }, DONE)
}

/** Opens or finds it, by the earlier data access. @returns its id */
export async function conversationOfTwo(cast: Cast, one: Cast['ada'], other: Cast['bob']): Promise<number> {
  const { token } = await asks<{ token: string }>(cast, one, 'mintChatToken')
  const answer = await fetch(`${cast.world.office.url}/rest/v1/rpc/open_dm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ p_peer_user_id: Number(other.id) }),
  })
  const [row] = (await answer.json()) as { conversation_id: number }[]
  return row?.conversation_id ?? 0
}

/** (decisions, Talk; typing is told to those who are in the conversation) */
export async function talks(cast: Cast): Promise<void> {
  const { ada, bob } = cast
  const conversationId = await conversationOfTwo(cast, ada, bob)
  await asks(cast, ada, 'tellTyping', { conversationId }, DONE)
  await asks(cast, cast.cem, 'tellTyping', { conversationId }, refused(404, 'conversation-not-found'))
  const talk = await asks<{ roomId: string }>(
    cast,
    ada,
    'talk',
    { userId: bob.id },
    { ...OK, body: { state: 'not-reachable' } },
  )
  await asks(cast, cast.cem, 'getRoom', { roomId: talk.roomId }, refused(404, 'room-not-found'))
}
