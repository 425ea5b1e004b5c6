import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRecording } from '../../../tests/chapters/recordings.ts'
import { atMedia, guestLink, joinRoom, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { until } from '../../../tests/until.ts'
import type { ListedRoom } from './room-view.ts'

describe('listRooms', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  const enter = async ({ browser }: Pick<Person, 'browser'>, roomId: string, connection?: string) => {
    const input = { username: 'Somebody', roomId, ...(connection ? { connection } : {}) }
    await joinRoom(office, (await browser.call('authorizeRoom', input)).token)
  }
  const rooms = async ({ browser }: Pick<Person, 'browser'>) => (await browser.call('listRooms')).rooms
  const only = async (person: Pick<Person, 'browser'>) => (await rooms(person))[0]

  it('lists the rooms of the organization in its order, and none of others', async () => {
    const founder = await newFounder(office)
    await newRoom(await newFounder(office))
    const guest = await newMember(office, founder, 'guest')
    expect(await rooms(guest)).toEqual([])
    const metadata = { floor: 2 }
    const before = office.clock.now()
    for (const name of ['lounge', 'Kitchen', 'attic'])
      await founder.browser.call('createRoom', { name, metadata })
    const listed = await rooms(guest)
    expect(listed.map(({ name }) => name)).toEqual(['lounge', 'Kitchen', 'attic'])
    expect(listed[0]).toEqual({
      id: expect.any(String),
      name: 'lounge',
      metadata,
      kind: 'meeting',
      seats: null,
      position: 1000,
      locked: false,
      sealed: false,
      temporary: false,
      ownerId: null,
      createdAt: expect.any(String),
      agentDispatch: 'on-request',
      people: [],
      agents: [],
      guests: 0,
      recording: false,
    })
    expect(Date.parse(listed[0]?.createdAt as string)).toBeGreaterThanOrEqual(before.getTime())
  })

  it('says who is inside, since when and with what, whoever came first before the others', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: room } = await newRoom(founder)
    await enter(founder, room)
    await enter(member, room)
    for (const source of ['microphone', 'camera', 'screen_share'])
      await atMedia(office, 'publish', { room, identity: founder.id, source })
    await until(async () => (await only(founder))?.people[0]?.screen === true)
    const listed = await only(member)
    const { data } = await founder.browser.call('listMembers')
    const known = new Map(data.map((one) => [one.id, one]))
    const person = (id: string, publishes: boolean) => ({
      userId: id,
      presenceUserId: known.get(id)?.presenceUserId,
      displayName: known.get(id)?.displayName,
      avatarUrl: '',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      microphone: publishes,
      camera: publishes,
      screen: publishes,
      ...{ sound: publishes ? 'published' : 'off', speaking: false, hand: false },
    })
    expect(listed?.people).toEqual([person(founder.id, true), person(member.id, false)])

    await atMedia(office, 'unpublish', { room, identity: founder.id, source: 'camera' })
    await until(async () => (await only(founder))?.people[0]?.camera === false)
    await atMedia(office, 'leave', { room, identity: founder.id })
    await until(async () => (await only(founder))?.people.length === 1)
    expect((await only(founder))?.people).toEqual([person(member.id, false)])
  })

  it('gives back every name and every metadata as it was given, and the picture as the list of members does', async () => {
    const founder = await newFounder(office)
    const name = 'Küche "A" \\ <b> \u{1f98a}'
    const metadata = { 'a "key"': ['ü\u2028', 1.5, true, null, { deep: 'line\nbreak' }] }
    const { room } = await founder.browser.call('createRoom', { name, metadata })
    await founder.browser.call('updateProfile', { displayName: "Ada O'Neil \u{1f98a}" })
    await office.database.pool.query("update users set avatar_key = 'avatars/of-ada.webp' where id = $1", [
      founder.id,
    ])
    await enter(founder, room.id)
    await until(async () => (await only(founder))?.people.length === 1)
    const { data } = await founder.browser.call('listMembers')
    const { displayName, avatarUrl } = data[0] as { displayName: string; avatarUrl: string }
    expect(avatarUrl).toContain('/avatars/of-ada.webp')
    const people = [{ displayName, avatarUrl }]
    expect(await only(founder)).toMatchObject({ name, metadata, people })
    const read = await founder.browser.call('getRoom', { roomId: room.id })
    expect(read.room).toEqual(await only(founder))
  })

  it('names whoever has two connections once, until both have ended', async () => {
    const founder = await newFounder(office)
    const { id: room } = await newRoom(founder)
    await enter(founder, room)
    await enter(founder, room, 'tablet')
    await atMedia(office, 'publish', { room, identity: `${founder.id}#tablet`, source: 'camera' })
    await until(async () => (await only(founder))?.people[0]?.camera === true)
    expect((await only(founder))?.people).toHaveLength(1)
    await atMedia(office, 'leave', { room, identity: founder.id })
    await atMedia(office, 'unpublish', { room, identity: `${founder.id}#tablet`, source: 'camera' })
    await until(async () => (await only(founder))?.people[0]?.camera === false)
    expect((await only(founder))?.people).toMatchObject([{ userId: founder.id }])
    await atMedia(office, 'leave', { room, identity: `${founder.id}#tablet` })
    await until(async () => (await only(founder))?.people.length === 0)
  })

  it('counts guests who have been admitted, and never says anything of one who waits', async () => {
    const founder = await newFounder(office)
    const { id: room } = await newRoom(founder)
    const link = await guestLink(founder, room, { allowAll: true })
    const waits = await knock(link, office.browser(), 'Waiting Wanda')
    await joinRoom(office, waits.rtcToken)
    const comes = await knock(link, office.browser(), 'Gast')
    await joinRoom(office, comes.rtcToken)
    const { guestIdentity } = comes
    await founder.browser.call('admitGuest', { roomId: room, guestIdentity, action: 'admit' })
    await until(async () => (await only(founder))?.guests === 1)
    const listed = await only(founder)
    expect(listed).toMatchObject({ people: [], guests: 1 })
    expect(JSON.stringify(listed)).not.toContain('Wanda')
  })

  it('shows who appears offline: in a room one is seen', async () => {
    const founder = await newFounder(office)
    const { id: room } = await newRoom(founder)
    await founder.browser.call('setPresenceStatus', { status: 'appear_offline' })
    await enter(founder, room)
    await until(async () => (await only(founder))?.people.length === 1)
    const { data } = await founder.browser.call('listMembers')
    expect(data[0]?.presenceStatus).toBe('offline')
  })

  it('says what is recorded', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    await until(async () => (await only(founder))?.recording === true)
    await founder.browser.call('stopRecording', { roomName: room, egressId, zoneId: '' })
    await until(async () => (await only(founder))?.recording === false)
  })

  it('is kept right by the events that follow it', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: room } = await newRoom(founder)
    const { data: members } = await founder.browser.call('listMembers')
    const events = () => outbox.events(`org:${founder.organizationId}`)
    const snapshot = await rooms(founder)
    const before = (await events()).length
    const link = await guestLink(founder, room, { allowAll: true })
    const guest = await knock(link, office.browser())
    await joinRoom(office, guest.rtcToken)
    await enter(founder, room)
    await enter(founder, room, 'tablet')
    await enter(member, room)
    await atMedia(office, 'publish', { room, identity: `${founder.id}#tablet`, source: 'camera' })
    const { guestIdentity } = guest
    await founder.browser.call('admitGuest', { roomId: room, guestIdentity, action: 'admit' })
    await founder.browser.call('createRoom', { name: 'second' })
    await founder.browser.call('updateRoom', { roomId: room, name: 'first' })
    await atMedia(office, 'leave', { room, identity: founder.id })
    const isSo = async () => {
      const now = await rooms(founder)
      const kept = keptRight(snapshot, (await events()).slice(before), members)
      return JSON.stringify(kept) === JSON.stringify(inShort(now)) ? now : undefined
    }
    await until(async () => {
      const [first] = (await isSo()) ?? []
      return first?.guests === 1 && first.people.length === 2 && first.people.some(({ camera }) => camera)
    })
    await atMedia(office, 'leave', { room, identity: guestIdentity })
    await atMedia(office, 'leave', { room, identity: `${founder.id}#tablet` })
    await until(async () => {
      const [first] = (await isSo()) ?? []
      return first?.guests === 0 && first.people.length === 1
    })
    await founder.browser.call('deleteRoom', { roomId: room })
    await until(async () => (await isSo())?.length === 1)
  })
})

type Told = Awaited<ReturnType<RecordedOutbox['events']>>[number]
/** What there is to compare: times of the list are those of connections, names come with the members. */
type Short = Record<string, { name: string; guests: number; people: string[] }>

const shown = (person: { userId: string; microphone: boolean; camera: boolean; screen: boolean }) =>
  [person.userId, person.microphone, person.camera, person.screen].join(' ')

function inShort(listed: readonly ListedRoom[]): Short {
  const short = listed.map(({ id, name, guests, people }) => [
    id,
    { name, guests, people: people.map(shown).sort() },
  ])
  return Object.fromEntries(short.sort())
}

/** A list as a front end keeps it. */
function keptRight(
  snapshot: readonly ListedRoom[],
  events: readonly Told[],
  members: { id: string }[],
): Short {
  const kept = new Map(snapshot.map((room) => [room.id, structuredClone(room)]))
  for (const { type, data } of events) {
    const { roomId, userId, person, ...changed } = data as Partial<ListedRoom> & {
      roomId: string
      userId: string
      person?: ListedRoom['people'][number]
    }
    const room = kept.get(roomId)
    const nothing = {
      microphone: false,
      camera: false,
      screen: false,
      ...{ sound: 'off', speaking: false, hand: false },
    }
    const others = room?.people.filter((one) => one.userId !== (person?.userId ?? userId)) ?? []
    if (type === 'room.created')
      kept.set(roomId, { id: roomId, people: [], guests: 0, recording: false, ...changed } as never)
    else if (type === 'room.deleted') kept.delete(roomId)
    else if (room && type === 'room.updated')
      Object.assign(room, changed, person ? { people: [...others, person] } : {})
    else if (room && type === 'room.entered' && members.some(({ id }) => id === userId))
      room.people = [...others, { userId, ...nothing } as never]
    else if (room && type === 'room.left') room.people = others
  }
  return inShort([...kept.values()])
}
