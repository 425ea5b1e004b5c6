import { livekitMedia } from '@atrium/server/src/adapters/livekit/livekit-media.ts'
import { trusted } from '@atrium/server/src/platform/ids.ts'
import { Secret } from '@atrium/server/src/platform/secrets/secret.ts'
import { AccessToken } from 'livekit-server-sdk'
import { browser, type Colleague, founder, metricsOf } from './office.ts'
import { until } from './people.ts'
import { LIVEKIT } from './server.ts'

const media = livekitMedia({
  url: () => LIVEKIT.url,
  apiKey: LIVEKIT.apiKey,
  apiSecret: new Secret(LIVEKIT.apiSecret),
})

/** What everybody in these trials needs: an organization, a room, and how to get in. */
export interface Scene {
  ada: Colleague
  roomId: string
}

export async function setScene(): Promise<Scene> {
  const ada = await founder()
  const { room } = await ada.client.call('createRoom', { name: 'The Kitchen' })
  return { ada, roomId: room.id }
}

export const tokenOf = async ({ client }: Colleague, roomId: string) =>
  (await client.call('authorizeRoom', { username: 'Somebody', roomId })).token

export async function linkTo({ ada, roomId }: Scene, durationSeconds = 3_600): Promise<string> {
  const invite = { orgId: ada.organizationId, roomId, durationSeconds, allowAll: true }
  const { inviteUrl } = await ada.client.call('inviteGuest', invite)
  return new URL(inviteUrl).searchParams.get('invite_token') as string
}

export async function knock(inviteToken: string, client = browser()) {
  const { rtcToken, guestIdentity = '' } = await client.call('authorizeGuest', {
    inviteToken,
    guestName: 'Bob',
  })
  return { client, rtcToken, guestIdentity }
}

export const decide = ({ ada, roomId }: Scene, guestIdentity: string, action: 'admit' | 'deny') =>
  ada.client.call('admitGuest', { roomId, guestIdentity, action })

/** Two rounds of the office's sweep, and a little more. */
export const SWEEPS_MS = 5_000
/** What the media server says of a participant's rights; undefined where they are not there. */
export const rightsOf = async ({ roomId }: Scene, identity: string) =>
  (await media.participants(trusted.roomId(roomId))).find((one) => one.identity === identity)?.mayPublish

/** How many microphones the media server has in a room. */
export const microphonesIn = async ({ roomId }: Scene) =>
  (await media.participants(trusted.roomId(roomId)))
    .flatMap(({ tracks }) => tracks)
    .filter(({ source }) => source === 'microphone').length

/** A token with all rights, as an official client is given one by the media server itself once it was let in. */
export async function strongToken({ roomId }: Scene, identity: string): Promise<string> {
  const token = new AccessToken(LIVEKIT.apiKey, LIVEKIT.apiSecret, { identity, ttl: 600 })
  token.addGrant({ roomJoin: true, room: roomId, canPublish: true, canSubscribe: true, canPublishData: true })
  return await token.toJwt()
}

export const MICROPHONES = 'rtc_tracks_active{source="microphone",type="audio"}'
export const CAMERAS = 'rtc_tracks_active{source="camera",type="video"}'

/** Waits until metrics of an organization are these; what is not shown is 0. */
export async function untilCounted(of: Colleague, expected: Record<string, number>, withinMs?: number) {
  let found: Record<string, number> = {}
  const isSo = async () => {
    const metrics = await metricsOf(of)
    found = Object.fromEntries(Object.keys(expected).map((name) => [name, metrics.get(name) ?? 0]))
    return Object.entries(expected).every(([name, value]) => found[name] === value)
  }
  await until(JSON.stringify(expected), isSo, withinMs).catch((error: Error) => {
    throw new Error(`${error.message}; found ${JSON.stringify(found)}`)
  })
}
