import type { AtriumClient } from '@atrium/client'
import { decodeJwt } from 'jose'
import type { MediaParticipant } from '../../src/ports/media.ts'
import type { TestOffice } from '../office.ts'
import { newFounder, newMember, type Person } from '../people.ts'
import { until } from '../until.ts'

type Founder = Person & { organizationId: string }

let made = 0

/** A room of the person's active organization. */
export async function newRoom({ browser }: Pick<Person, 'browser'>) {
  made += 1
  return (await browser.call('createRoom', { name: `Room ${made}` })).room
}

interface LinkOptions {
  durationSeconds?: number
  allowAll?: boolean
  allowedAdmins?: string[]
}

/** The token in a fresh link for guests of a room. */
export async function guestLink(
  { browser, organizationId }: Pick<Founder, 'browser' | 'organizationId'>,
  roomId: string,
  options: LinkOptions = {},
): Promise<string> {
  const invite = { orgId: organizationId, roomId, durationSeconds: 3_600, ...options }
  const { inviteUrl } = await browser.call('inviteGuest', invite)
  return new URL(inviteUrl).searchParams.get('invite_token') as string
}

/** A guest before a room, in a browser of their own. */
export interface TestGuest {
  browser: AtriumClient
  rtcToken: string
  guestIdentity: string
  state: string
}

/** Asks to be let into a room, as a guest. */
export async function knock(
  inviteToken: string,
  browser: AtriumClient,
  guestName = 'Gast',
): Promise<TestGuest> {
  const answer = await browser.call('authorizeGuest', { inviteToken, guestName })
  const { guestIdentity = '', state = '' } = answer
  return { browser, rtcToken: answer.rtcToken, guestIdentity, state }
}

/** Does something at the stand-in of the media server that a client or an accident would do. */
export async function atMedia(office: TestOffice, act: string, body: object) {
  const response = await fetch(`${office.baseUrl}/sandbox/media/${act}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

/** Joins a room with a token. @returns the connection's id */
export async function joinRoom(office: TestOffice, token: string): Promise<string> {
  const { status, body } = await atMedia(office, 'join', { token })
  if (status !== 200) throw new Error(`joining failed: ${status} ${body.message}`)
  return body.sid as string
}

/** Joins a room as a person, and is seen there by the office. */
export async function enterRoom(
  office: TestOffice,
  { browser, id }: Pick<Person, 'browser' | 'id'>,
  roomId: string,
): Promise<void> {
  const { token } = await browser.call('authorizeRoom', { username: 'Somebody', roomId })
  await joinRoom(office, token)
  await untilSeen(browser, { roomId, userId: id }, true)
}

/** Leaves a room, and is seen there no more. */
export async function leaveRoom(
  office: TestOffice,
  { browser, id }: Pick<Person, 'browser' | 'id'>,
  roomId: string,
): Promise<void> {
  await atMedia(office, 'leave', { room: roomId, identity: id })
  await untilSeen(browser, { roomId, userId: id }, false)
}

async function untilSeen(
  browser: AtriumClient,
  { roomId, userId }: { roomId: string; userId: string },
  isInside: boolean,
): Promise<void> {
  await until(async () => {
    const { people } = (await browser.call('getRoom', { roomId })).room
    return people.some((one) => one.userId === userId) === isInside
  })
}

/** Who is in a room, as the media server says. */
export async function insideOf(office: TestOffice, roomId: string): Promise<Map<string, MediaParticipant>> {
  const inside = await office.office.media.needs.media.participants(roomId)
  return new Map(inside.map((participant) => [participant.identity, participant]))
}

/** What a token of the media server says. */
export function claimsOf(token: string) {
  return decodeJwt<{ video: Record<string, unknown>; name: string; attributes: Record<string, string> }>(
    token,
  )
}

/** A member inside a room that they have locked, and others outside. */
export async function lockedRoom(office: TestOffice) {
  const founder = await newFounder(office)
  const [inside, outside, moderator] = [
    await newMember(office, founder, 'member'),
    await newMember(office, founder, 'member'),
    await newMember(office, founder, 'moderator'),
  ]
  const { id: roomId } = await newRoom(founder)
  await enterRoom(office, inside, roomId)
  await inside.browser.call('lockRoom', { roomId, locked: true })
  return { founder, inside, outside, moderator, roomId }
}
