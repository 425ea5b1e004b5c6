import { randomBytes } from 'node:crypto'
import type { AtriumClient } from '@atrium/client'
import type { TestOffice } from '../office.ts'
import type { Person } from '../people.ts'
import { newDevice, newPublicKey } from './devices.ts'
import { guestLink, newRoom } from './rooms.ts'

type Founder = Pick<Person, 'browser'> & { organizationId: string }

export async function sealedRoom(founder: Pick<Person, 'browser'>): Promise<string> {
  return await sealed(founder, await newRoom(founder))
}

/** Seals a room that is new. @returns its id */
export async function sealed({ browser }: Pick<Person, 'browser'>, { id }: { id: string }): Promise<string> {
  await browser.call('updateRoom', { roomId: id, sealed: true })
  return id
}

/** What looks like a sealed key. */
export function newBox(): string {
  return randomBytes(80).toString('base64url')
}

/** A device that its person has published. @returns its id */
export async function publishedDevice({ browser }: Pick<Person, 'browser'>): Promise<string> {
  const device = newDevice()
  await browser.call('publishDevice', device)
  return device.deviceId
}

/** Lets a guest into a sealed room, by whichever browser. */
export async function admittedWithKey(founder: Founder, roomId: string, browser: AtriumClient) {
  const asking = { inviteToken: await guestLink(founder, roomId), guestName: 'Gast' }
  const asked = await browser.call('authorizeGuest', { ...asking, publicKey: newPublicKey() })
  const { guestIdentity = '', inviteId = '', rtcToken } = asked
  await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
  return { browser, guestIdentity, inviteId, rtcToken }
}

/** Keeps the first key of a room, for trials that look only at who may read it. */
export async function keepKey(
  { database: { pool } }: TestOffice,
  roomId: string,
  to: { device?: string; guestIdentity?: string },
): Promise<void> {
  await pool.query('insert into room_keys select id, organization_id, 1, now() from rooms where id = $1', [
    roomId,
  ])
  await pool.query(
    'insert into room_key_boxes select id, organization_id, $2, $3, $4 from rooms where id = $1',
    [roomId, to.device ?? null, to.guestIdentity?.replace('guest:', '') ?? null, 'A'.repeat(107)],
  )
}
