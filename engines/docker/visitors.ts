import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { Agent, fetch as fetchFrom } from 'undici'
import type { MailStandIn } from '../deploy/mail-stand-in.ts'
import { OFFICE_URL } from './places.ts'

export interface Visitor {
  client: AtriumClient
  id: string
  /** Requests by the address of the visitor. */
  fetch: typeof globalThis.fetch
}

/** Requests that leave by one address of this machine. */
export function fetchBy(localAddress: string): typeof globalThis.fetch {
  const dispatcher = new Agent({ localAddress })
  const ask = (input: string | URL, init?: object) => fetchFrom(input, { ...init, dispatcher })
  return ask as unknown as typeof globalThis.fetch
}

/** A newcomer at one address: signs up, and in by the code of the mail. */
export async function signUp(mail: MailStandIn, name: string, address: string): Promise<Visitor> {
  const fetch = fetchBy(address)
  const client = createAtriumClient({ baseUrl: OFFICE_URL, cookies: createCookieJar(), fetch })
  const email = `${name}@people.example`
  await client.call('signUp', { email })
  const { user } = await client.call('finalizeMagicAuth', { email, code: await mail.codeFor(email) })
  return { client, id: user.id, fetch }
}
