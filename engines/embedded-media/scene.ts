import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { mailedCode } from '../mailbox.ts'
import type { Visitor } from './pages.ts'

export interface Member {
  client: AtriumClient
  id: string
}

/** Members of an organization, and a room of it. */
export interface Scene {
  url: string
  ada: Member
  grace: Member
  organizationId: string
  roomId: string
}

export async function openScene(url: string): Promise<Scene> {
  const ada = await newPerson(url, 'ada@rooms.example')
  const { id: organizationId } = await ada.client.call('createOrganization', { name: 'Rooms' })
  const scene = { url, ada, organizationId }
  const grace = await colleague(scene, 'grace@rooms.example')
  const { room } = await ada.client.call('createRoom', { name: 'Kitchen' })
  return { ...scene, grace, roomId: room.id }
}

/** One more member of the organization. */
export async function colleague({ url, ada }: Pick<Scene, 'url' | 'ada'>, email: string): Promise<Member> {
  const { inviteLink } = await ada.client.call('getInviteLink')
  const person = await newPerson(url, email)
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  await person.client.call('joinOrganization', { inviteToken })
  return person
}

/** Brings a member into a room, by the token that the office gives them. */
export async function bring(page: Visitor, { client }: Member, roomId: string, username: string) {
  const { url = '', token } = await client.call('authorizeRoom', { roomId, username })
  await page.enter(url, token)
}

/** @returns knocks under a name, each time from a browser of its own */
export async function guestLink({ url, ada, organizationId, roomId }: Scene) {
  const invite = { orgId: organizationId, roomId, durationSeconds: 3_600 }
  const { inviteUrl } = await ada.client.call('inviteGuest', invite)
  const inviteToken = new URL(inviteUrl).searchParams.get('invite_token') ?? ''
  return async (guestName: string) => {
    const browser = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
    const answer = await browser.call('authorizeGuest', { inviteToken, guestName })
    return { address: answer.url ?? '', token: answer.rtcToken, identity: answer.guestIdentity ?? '' }
  }
}

async function newPerson(url: string, email: string): Promise<Member> {
  const client = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
  await client.call('signUp', { email })
  await client.call('finalizeMagicAuth', { email, code: await mailedCode(url, email) })
  return { client, id: (await client.call('getCurrentUser')).id }
}
