import { randomBytes, randomUUID } from 'node:crypto'
import type { Input, Reply } from '@atrium/contract'
import type { Person } from '../people.ts'

/** What a device publishes of itself. */
export function newDevice(name = 'Firefox on Linux'): Input<'publishDevice'> {
  return { deviceId: randomUUID(), publicKey: newPublicKey(), name }
}

/** A key without its private half. */
export function newPublicKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The devices of a member, as another one, or they themselves, are shown them. */
export async function devicesOf(
  { browser }: Pick<Person, 'browser'>,
  { id }: Pick<Person, 'id'>,
): Promise<Reply<'listDevices'>['body']['devices']> {
  return (await browser.call('listDevices', { userId: id })).devices
}
