import { isDeepStrictEqual } from 'node:util'
import { createGuestVisit, createLobby } from '@atrium/client/guests'
import { createPeople } from '@atrium/client/people'
import { connectRealtime } from '@atrium/client/realtime'
import { createRooms } from '@atrium/client/rooms'
import type { Invitation, Recording } from '@atrium/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endRecording } from '../chapters/recordings.ts'
import { atMedia, guestLink, joinRoom, newRoom } from '../chapters/rooms.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../office.ts'
import { invitationTokenFor, newFounder, newMember, newPerson, type Person } from '../people.ts'
import { until } from '../until.ts'

/**
 * The lists that a screen shows, by `@atrium/client` against a whole office: after every change each comes to what a
 * fresh reading answers, by its first reading, events, and new readings after what was missed. Nothing here reads by
 * the clock.
 */
describe('the lists of a screen', () => {
  let office: TestOffice
  const ends: (() => void)[] = []
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterEach(() => {
    for (const end of ends.splice(0).reverse()) end()
  })
  afterAll(() => office.close())

  /** What an admin has before them, of one room's lobby. */
  async function screenOf({ browser }: Pick<Person, 'browser'>, roomId: string, isAway = false) {
    const sockets = controlledSockets()
    if (isAway) sockets.cut()
    const live = await connectRealtime(browser, { websocket: sockets.websocket })
    ends.push(live.close)
    const [people, lobby] = [createPeople(browser, live), createLobby(browser, live, roomId)]
    // as screens do: an entry of a colleague is not read, and is as the office lists it
    const rooms = createRooms(browser, live, people.person)
    const readRecordings = async () => (await browser.call('listRecordings', { limit: 100 })).data
    const readInvitations = async () => (await browser.call('listInvitation', { limit: 100 })).data
    let recordings: Recording[] = await readRecordings()
    let invitations: Invitation[] = await readInvitations()
    const readAgain = {
      recording: async () => {
        recordings = await readRecordings()
      },
      invitation: async () => {
        invitations = await readInvitations()
      },
    }
    live.on('event', ({ type }) => {
      if (/^recording\./.test(type)) void readAgain.recording()
      if (type === 'invitation.changed') void readAgain.invitation()
    })
    live.on('gap', () => void Promise.all([readAgain.recording(), readAgain.invitation()]))
    ends.push(rooms.close, people.close, lobby.close)

    const shown = () => ({
      rooms: rooms.get().rooms,
      people: people.get().people,
      waiting: lobby.get().waiting,
      admitted: lobby.get().admitted,
      recordings,
      invitations,
    })
    type Shown = ReturnType<typeof shown>
    async function fresh(): Promise<Shown> {
      const [listed, members, { guests }, stored, invited] = await Promise.all([
        browser.call('listRooms'),
        browser.call('listMembers'),
        browser.call('listGuests', { roomId }),
        readRecordings(),
        readInvitations(),
      ])
      return {
        rooms: listed.rooms,
        people: members.data.map((member) => ({ ...member, status: member.presenceStatus })),
        waiting: guests.filter(({ state }) => state === 'waiting'),
        admitted: guests.filter(({ state }) => state === 'admitted'),
        recordings: stored,
        invitations: invited,
      }
    }
    return {
      ...{ sockets, shown, live },
      /** After a change that this is true after: what is shown is what is read afresh. */
      async comesTo(isThere: (now: Shown) => boolean) {
        let [now, read] = [shown(), await fresh()]
        const isRight = () => isThere(now) && isDeepStrictEqual(withoutPresence(now), withoutPresence(read))
        await until(async () => {
          ;[read, now] = [await fresh(), shown()]
          return isRight()
        })
        expect(withoutPresence(now)).toEqual(withoutPresence(read))
      },
    }
  }

  async function scene({ isAway = false } = {}) {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: roomId, name } = await newRoom(founder)
    const screen = await screenOf(founder, roomId, isAway)
    const enter = async ({ browser }: Pick<Person, 'browser'>) =>
      joinRoom(office, (await browser.call('authorizeRoom', { username: 'Somebody', roomId })).token)
    const guestComes = async (guestName: string) => {
      const visit = createGuestVisit(office.browser(), await guestLink(founder, roomId), { askAgainMs: 0 })
      ends.push(visit.close)
      const place = await visit.ask(guestName)
      if (place.state !== 'waiting') throw new Error(`not waiting: ${place.state}`)
      return { visit, ...place, guestIdentity: place.guestIdentity as string }
    }
    await screen.comesTo(({ rooms, people }) => rooms.length === 1 && people.length === 2)
    return { founder, member, roomId, name, screen, enter, guestComes }
  }
  type Scene = Awaited<ReturnType<typeof scene>>
  type Screen = Awaited<ReturnType<typeof screenOf>>
  type Room = ReturnType<Screen['shown']>['rooms'][number]
  const theRoom = (roomId: string, holds: (room: Room) => boolean) => (now: ReturnType<Screen['shown']>) =>
    now.rooms.some((room) => room.id === roomId && holds(room))

  it('rooms: made, named anew, entered, with microphones on, left, deleted', async () => {
    const { founder, member, roomId, screen, enter } = await scene()
    const { id: second } = await newRoom(founder)
    await screen.comesTo(({ rooms }) => rooms.length === 2)
    await founder.browser.call('updateRoom', { roomId: second, name: 'Attic', metadata: { floor: 3 } })
    await screen.comesTo(theRoom(second, ({ name }) => name === 'Attic'))
    await enter(member)
    await enter(founder)
    await screen.comesTo(theRoom(roomId, ({ people }) => people.length === 2))
    await atMedia(office, 'publish', { room: roomId, identity: member.id, source: 'microphone' })
    await screen.comesTo(theRoom(roomId, ({ people }) => people.some(({ microphone }) => microphone)))
    await member.browser.call('updateProfile', { displayName: 'Ada Lovelace' })
    await screen.comesTo(
      theRoom(roomId, ({ people }) => people.some(({ displayName }) => displayName === 'Ada Lovelace')),
    )
    await atMedia(office, 'leave', { room: roomId, identity: member.id })
    await screen.comesTo(theRoom(roomId, ({ people }) => people.length === 1))
    await founder.browser.call('deleteRoom', { roomId: second })
    await screen.comesTo(({ rooms }) => rooms.length === 1)
  })

  it('people: who joins, is named anew, has another role, is removed', async () => {
    const { founder, member, screen } = await scene()
    const third = await newMember(office, founder, 'guest')
    await screen.comesTo(({ people }) => people.length === 3)
    await founder.browser.call('updateMember', { id: member.id, role: 'moderator' })
    await screen.comesTo(({ people }) => people.some(({ role }) => role === 'moderator'))
    await third.browser.call('updateProfile', { displayName: 'Grace Hopper' })
    await screen.comesTo(({ people }) => people.some(({ displayName }) => displayName === 'Grace Hopper'))
    await founder.browser.call('removeMember', { id: third.id })
    await screen.comesTo(({ people }) => people.length === 2)
  })

  it('guests: who asks, is let in, comes in, is put out, is turned away, loses their link', async () => {
    const { founder, roomId, screen, guestComes } = await scene()
    const ada = await guestComes('Ada')
    const ben = await guestComes('Ben')
    await screen.comesTo(({ waiting }) => waiting.length === 2)
    const decide = (guestIdentity: string, action: 'admit' | 'deny') =>
      founder.browser.call('admitGuest', { roomId, guestIdentity, action })
    await decide(ada.guestIdentity, 'admit')
    await screen.comesTo(({ waiting, admitted }) => waiting.length === 1 && admitted.length === 1)
    await joinRoom(office, ada.rtcToken)
    await screen.comesTo(theRoom(roomId, ({ guests }) => guests === 1))
    expect(await ada.visit.check()).toMatchObject({ state: 'admitted', guestIdentity: ada.guestIdentity })
    await founder.browser.call('removeGuest', { roomId, guestIdentity: ada.guestIdentity })
    await screen.comesTo(
      ({ admitted, rooms }) => admitted.length === 0 && rooms.every(({ guests }) => guests === 0),
    )
    expect(await ada.visit.check()).toMatchObject({ state: 'denied', error: { error: 'guest-removed' } })
    await decide(ben.guestIdentity, 'deny')
    await screen.comesTo(({ waiting }) => waiting.length === 0)
    expect(await ben.visit.check()).toMatchObject({ state: 'denied', error: { error: 'guest-denied' } })

    const cyd = await guestComes('Cyd')
    await screen.comesTo(({ waiting }) => waiting.length === 1)
    expect(await cyd.visit.preview()).toMatchObject({ roomName: expect.any(String) })
    const { invites } = await founder.browser.call('listGuestInvites')
    for (const { inviteId } of invites) await founder.browser.call('revokeGuestInvite', { inviteId })
    await office.office.jobs.runNow('expire-guests')
    await screen.comesTo(({ waiting }) => waiting.length === 0)
    expect(await cyd.visit.check()).toMatchObject({ state: 'ended', error: { status: 410 } })
  })

  it('invitations: sent, sent anew, revoked, accepted', async () => {
    const { founder, screen } = await scene()
    const send = (email: string) => founder.browser.call('sendInvitation', { email })
    const stateOf = (invitations: readonly Invitation[], email: string) =>
      invitations.filter((one) => one.email === email).map(({ state }) => state)
    const [ada, ben] = [await newPerson(office), freshEmail()]
    await send(ada.email)
    await send(ben)
    await screen.comesTo(({ invitations }) => invitations.length === 2)
    await send(ben)
    await screen.comesTo(({ invitations }) =>
      isDeepStrictEqual(stateOf(invitations, ben), ['pending', 'revoked']),
    )
    const waiting = (await founder.browser.call('listInvitation', { email: ben, limit: 1 })).data[0]
    await founder.browser.call('revokeInvitation', { invitationId: waiting?.id as string })
    await screen.comesTo(({ invitations }) =>
      isDeepStrictEqual(stateOf(invitations, ben), ['revoked', 'revoked']),
    )
    await ada.browser.call('acceptInvitation', { token: await invitationTokenFor(office, ada.email) })
    await screen.comesTo(
      ({ invitations, people }) =>
        people.length === 3 && isDeepStrictEqual(stateOf(invitations, ada.email), ['accepted']),
    )
  })

  it('recordings: begun, stopped, finished, deleted; and whether their room is recorded', async () => {
    const { founder, roomId, screen } = await scene()
    const about = { conferenceTopic: 'Weekly', zoneId: 'zone-1', participants: 'Ada' }
    const { egressId } = await founder.browser.call('startRecording', { roomName: roomId, ...about })
    await screen.comesTo(({ rooms, recordings }) =>
      Boolean(rooms[0]?.recording && recordings[0]?.state === 'active'),
    )
    await founder.browser.call('stopRecording', { roomName: roomId, egressId, zoneId: '' })
    await endRecording(office, { room: roomId, egressId })
    await screen.comesTo(({ rooms, recordings }) =>
      Boolean(rooms[0]?.recording === false && recordings[0]?.state === 'completed'),
    )
    await founder.browser.call('deleteRecording', { egressId })
    await screen.comesTo(({ recordings }) => recordings.length === 0)
  })

  it('all of them, where everything changed before the first connection stood', async () => {
    const there = await scene({ isAway: true })
    expect(there.screen.live.state).not.toBe('connected')
    await changeEverything(there)
  })

  it('all of them, after the connection was away while everything changed', async () => {
    const there = await scene()
    await until(() => there.screen.live.state === 'connected')
    there.screen.sockets.cut()
    await until(() => there.screen.live.state !== 'connected')
    await changeEverything(there)
  })

  /** While nothing is heard; then it is. */
  async function changeEverything({ founder, member, roomId, screen, enter, guestComes }: Scene) {
    await newRoom(founder)
    await enter(member)
    await member.browser.call('updateProfile', { displayName: 'Away Meanwhile' })
    await newMember(office, founder, 'guest')
    await guestComes('Ada')
    await founder.browser.call('sendInvitation', { email: freshEmail() })
    screen.sockets.restore()
    await screen.comesTo(
      ({ rooms, people, waiting, invitations }) =>
        invitations.length === 1 &&
        rooms.length === 2 &&
        rooms.some((room) => room.id === roomId && room.people.length === 1) &&
        people.length === 3 &&
        waiting.length === 1,
    )
  }
})

/** Presence has events and tests of its own, and one's own status is the true one. */
function withoutPresence<Lists extends { people: readonly object[] }>({ people, ...lists }: Lists) {
  return { ...lists, people: people.map((person) => ({ ...person, status: '', presenceStatus: '' })) }
}

/** Sockets that the test can cut, and keep from coming back. */
function controlledSockets() {
  const open = new Set<WebSocket>()
  let blocked = false
  class Controlled extends WebSocket {
    constructor(url: string, protocols?: string | string[]) {
      // no process listens on port 9
      super(blocked ? 'ws://127.0.0.1:9' : url, protocols)
      open.add(this)
    }
  }
  return {
    websocket: Controlled,
    cut() {
      blocked = true
      for (const socket of open) socket.close()
    },
    restore() {
      blocked = false
    },
  }
}
