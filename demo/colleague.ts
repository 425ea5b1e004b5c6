import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { connectRealtime, type Realtime } from '@atrium/client/realtime'
import type { Role } from './cast.ts'
import type { Presence } from './media.ts'

/** One of the colleagues of the demo: a browser of their own, over the public client. */
export interface Colleague {
  name: string
  id: string
  client: AtriumClient
  /** Whether others see them as there. */
  line: Realtime | undefined
  /** The room that they are in. */
  room: { id: string; camera: boolean; screen: boolean; hand: boolean; media?: Presence } | undefined
}

interface SandboxMail {
  code?: string
}

/** Signs a colleague up as a person would: by the code in the mail. */
export async function signUp(url: string, { name, email }: Role): Promise<Colleague> {
  const client = createAtriumClient({ baseUrl: url, cookies: createCookieJar(), timeoutMs: 60_000 })
  await client.call('signUp', { email })
  const answer = await fetch(`${url}/sandbox/mail?to=${encodeURIComponent(email)}`, {
    headers: { accept: 'application/json' },
  })
  const [mail] = (await answer.json()) as SandboxMail[]
  if (!mail?.code) throw new Error(`no code was mailed to ${email}`)
  const { user } = await client.call('finalizeMagicAuth', { email, code: mail.code })
  await client.call('updateProfile', { displayName: name })
  return { name, id: user.id, client, line: undefined, room: undefined }
}

/** Comes into the office: a connection, as a browser keeps one. */
export async function come(colleague: Colleague): Promise<void> {
  colleague.line ??= await connectRealtime(colleague.client)
}

export function go(colleague: Colleague): void {
  colleague.line?.close()
  colleague.line = undefined
}

/** Does at the stand-in of the media server what a client does with a microphone and a camera, without either. */
export async function atMedia(url: string, act: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/sandbox/media/${act}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${act}: ${answer.status} ${await answer.text()}`)
}
