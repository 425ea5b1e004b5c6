import { createAtriumClient } from '@atrium/client'
import { createGuestVisit, createLobby, type GuestVisit, type Lobby } from '@atrium/client/guests'
import { createOffice, type Presence } from '@atrium/client/office'
import { signInWithCode, startSignIn } from '@atrium/client/sign-in'
import type { EventData } from '@atrium/contract'
import { Room, RoomEvent, VideoPresets } from 'livekit-client'
import { mediaOf } from '../embedded-media/room-media.ts'

/**
 * A day in the office by the client's own helpers, as a front end would be made of them: what a person does, and what
 * they see. whole-day.ts opens it, for two people and a guest.
 */
export interface DayPage {
  /** Has a code mailed. @param isNew whether there is no account yet */
  askForCode(email: string, isNew: boolean): Promise<void>
  /** Signs in; newcomers found an organization, or join one. @returns the token that others join by */
  come(person: Coming): Promise<string>
  addRoom(name: string): Promise<string>
  knock(knock: { at: string; roomId: string; message: string }): Promise<void>
  answer(answer: 'accept' | 'later' | 'no'): Promise<void>
  enter(roomId: string): Promise<void>
  leave(): Promise<void>
  /** In the conversation of the room one is in. */
  write(text: string): Promise<void>
  /** @returns the token of a guest's link */
  invite(roomId: string): Promise<string>
  admit(guestName: string): Promise<void>
  /** As a guest, without an account: asks, waits at the media server, and is in the room when let in. */
  ask(inviteToken: string, guestName: string): Promise<void>
  goHome(): Promise<void>
  sees(): Promise<Seen>
}

export interface Coming {
  email: string
  code: string
  name: string
  inviteToken?: string
  found?: string
}

export interface Seen {
  session: string
  /** `name: status`, with what they are at. */
  people: string[]
  /** `name: who is inside`, with guests and what they publish. */
  rooms: string[]
  /** Waits for an answer. */
  knockFrom?: string | undefined
  knockSays?: string | undefined
  /** What became of one's own knocks. */
  answers: string[]
  waiting: string[]
  messages: string[]
  unread: number
  visit?: string | undefined
  /** Pictures and sound of others that arrive here, by who sends them. */
  media: Record<string, { frames: number; samples: number }>
}

type Knock = EventData<'knock.received'>

const client = createAtriumClient({ baseUrl: new URLSearchParams(location.search).get('office') ?? '' })
const office = createOffice(client)
const answers: string[] = []
let knocks: Knock[] = []
let call: Room | undefined
let lobby: Lobby | undefined
let visit: GuestVisit | undefined
let roomId = ''
/** Of the room one is or was in. */
let conversationId: number | undefined

function present(): Presence {
  const { present: now, error } = office.get()
  if (!now) throw error ?? new Error('nobody is connected')
  return now
}

/** @returns when the person is connected */
function connected(): Promise<Presence> {
  return new Promise((resolve) => {
    const look = () => {
      const { present: now } = office.get()
      if (!now) return
      end()
      resolve(now)
    }
    const end = office.subscribe(look)
    look()
  })
}

function hearKnocks({ live }: Presence): void {
  live.on('event', (event) => {
    if (event.type === 'knock.received')
      knocks = [...knocks.filter(({ knockId }) => knockId !== event.data.knockId), event.data]
    if (event.type === 'knock.ended') {
      const wasMine = knocks.every(({ knockId }) => knockId !== event.data.knockId)
      if (wasMine) answers.push(event.data.outcome)
      knocks = knocks.filter(({ knockId }) => knockId !== event.data.knockId)
    }
  })
}

/** Sound counts once something plays it. */
function listeningRoom(): Room {
  const room = new Room({ publishDefaults: { simulcast: false } })
  return room.on(RoomEvent.TrackSubscribed, (track) => document.body.append(track.attach()))
}

const page: DayPage = {
  async askForCode(email, isNew) {
    if (isNew) await client.call('signUp', { email })
    else await startSignIn(client, { email })
  },
  async come({ email, code, name, inviteToken, found }) {
    await signInWithCode(client, { email, code })
    await client.call('updateProfile', { displayName: name })
    if (found) await client.call('createOrganization', { name: found })
    if (inviteToken) await client.call('joinOrganization', { inviteToken })
    office.open()
    hearKnocks(await connected())
    const { inviteLink } = await client.call('getInviteLink')
    return new URL(inviteLink).searchParams.get('invite_token') ?? ''
  },
  addRoom: async (name) => (await client.call('createRoom', { name })).room.id,
  async knock({ at, ...said }) {
    const whom = present().people.search(at)[0]
    await client.call('knock', { userId: whom?.id ?? '', ...said })
  },
  async answer(answer) {
    await client.call('answerKnock', { knockId: knocks[0]?.knockId ?? '', answer })
  },
  async enter(id) {
    roomId = id
    const { url = '', token } = await client.call('authorizeRoom', { roomId, username: 'Somebody' })
    call = listeningRoom()
    await call.connect(url, token)
    await call.localParticipant.setCameraEnabled(true, { resolution: VideoPresets.h180.resolution })
    await call.localParticipant.setMicrophoneEnabled(true)
    lobby = createLobby(client, present().live, roomId)
  },
  async leave() {
    lobby?.close()
    lobby = undefined
    await call?.disconnect()
    call = undefined
  },
  async write(text) {
    const { chat } = present()
    const conversation = await chat.openRoom(roomId)
    conversationId = conversation.id
    await conversation.send(text)
  },
  async invite(id) {
    const { currentOrganizationId: orgId } = await client.call('getCurrentUser')
    const invite = { orgId, roomId: id, durationSeconds: 3_600 }
    const { inviteUrl } = await client.call('inviteGuest', invite)
    return new URL(inviteUrl).searchParams.get('invite_token') ?? ''
  },
  async admit(guestName) {
    const guest = lobby?.get().waiting.find((one) => one.guestName === guestName)
    await lobby?.admit(guest?.guestIdentity ?? '')
  },
  async ask(inviteToken, guestName) {
    const asking = createGuestVisit(client, inviteToken)
    visit = asking
    await asking.preview()
    const place = await asking.ask(guestName)
    if (place.state !== 'waiting') throw new Error(`not waiting: ${place.state}`)
    const entered = listeningRoom()
    call = entered
    entered.on(RoomEvent.ParticipantPermissionsChanged, async () => {
      if (!entered.localParticipant.permissions?.canPublish) return
      await asking.check()
      // the pages of a browser share its made-up camera
      await entered.localParticipant.setMicrophoneEnabled(true)
    })
    await entered.connect(place.url ?? '', place.rtcToken)
  },
  goHome: () => office.session.signOut().then(() => {}),
  async sees() {
    const now = office.get().present
    const rooms = now?.rooms.get().rooms ?? []
    // the conversation of the room appears in the list with its first message
    const inRoom = now?.chat.conversations.get().rows.find((row) => row.type === 'ROOM')
    conversationId ??= inRoom?.conversation_id
    const conversation = conversationId === undefined ? undefined : now?.chat.conversation(conversationId)
    const media = await mediaOf([...(call?.remoteParticipants.values() ?? [])])
    return {
      session: office.session.get().state,
      people: (now?.people.get().people ?? []).map(({ displayName, status, activity }) =>
        [`${displayName}: ${status}`, activity].filter(Boolean).join(', '),
      ),
      rooms: rooms.map(({ name, people, guests }) => {
        const inside = people.map(
          ({ displayName, camera }) => `${displayName}${camera ? ' with camera' : ''}`,
        )
        // who was first is told by seconds, and both come at once
        inside.sort()
        return `${name}: ${[...inside, ...(guests > 0 ? [`${guests} guest`] : [])].join(', ')}`
      }),
      knockFrom: knocks[0]?.from,
      knockSays: knocks[0]?.message,
      answers,
      waiting: (lobby?.get().waiting ?? []).map(({ guestName }) => guestName),
      messages: (conversation?.get().messages ?? []).map(({ content }) => content),
      unread: now?.chat.conversations.get().unread ?? 0,
      visit: visit?.get().state,
      media,
    }
  },
}

Object.assign(globalThis, { day: page })
