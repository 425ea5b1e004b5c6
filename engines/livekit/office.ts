import { fileURLToPath } from 'node:url'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { mailedCode } from '../mailbox.ts'
import { type Ends, end, start, untilAnswers } from '../processes.ts'
import { LIVEKIT } from './server.ts'

const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))
const PORT = 17890
export const OFFICE_URL = `http://127.0.0.1:${PORT}`

/** An office that goes away and comes back. */
export interface Office {
  /** SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>
  /** The same one again: what it has written down is there. */
  start(): Promise<void>
}

/** An office that uses the LiveKit beside it. */
export async function openOffice(folder: string, ends: Ends): Promise<Office> {
  const settings = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ATRIUM_ENV: 'test',
    PORT: String(PORT),
    BASE_URL: OFFICE_URL,
    DATA_DIR: `${folder}/office`,
    RATE_LIMIT_GUEST_PER_ADDRESS: '0',
    RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
    // fifty requests of one person at once have two connections
    DATABASE_WAIT_MS: '30000',
    MEDIA_SWEEP_SECONDS: '2',
    LIVEKIT_URL: LIVEKIT.url,
    LIVEKIT_API_KEY: LIVEKIT.apiKey,
    LIVEKIT_API_SECRET: LIVEKIT.apiSecret,
  }
  const open = async () => {
    const opened = start(process.execPath, ['--no-warnings', ENTRY, 'serve'], settings, ends)
    await untilAnswers(`${OFFICE_URL}/health/ready`)
    return opened
  }
  let running = await open()
  return {
    kill: () => end(running, 'SIGKILL'),
    async start() {
      running = await open()
    },
  }
}

export const browser = (): AtriumClient =>
  createAtriumClient({ baseUrl: OFFICE_URL, cookies: createCookieJar() })

export interface Colleague {
  client: AtriumClient
  id: string
  organizationId: string
}

/** A new person who has founded an organization. */
export async function founder(): Promise<Colleague> {
  const { client, id } = await person()
  const { id: organizationId } = await client.call('createOrganization', { name: 'Engine Works' })
  return { client, id, organizationId }
}

/** A new person in the organization of another. */
export async function colleague(of: Colleague): Promise<Colleague> {
  const { client, id } = await person()
  const { inviteLink } = await of.client.call('getInviteLink')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') as string
  await client.call('joinOrganization', { inviteToken })
  return { client, id, organizationId: of.organizationId }
}

let people = 0

async function person(): Promise<{ client: AtriumClient; id: string }> {
  people += 1
  const email = `engine-${people}@people.example`
  const client = browser()
  await client.call('signUp', { email })
  const { user } = await client.call('finalizeMagicAuth', {
    email,
    code: await mailedCode(OFFICE_URL, email),
  })
  return { client, id: user.id }
}

/** The lines of the metrics that tell of an organization, as they are. */
export async function metricLinesOf({ organizationId }: Colleague): Promise<string[]> {
  const text = await (await fetch(`${OFFICE_URL}/metrics`)).text()
  return text.split('\n').filter((line) => line.includes(`org_id="${organizationId}"`))
}

/** Everything that the metrics say of an organization: `name{labels}` without the labels that all have. */
export async function metricsOf(of: Colleague): Promise<Map<string, number>> {
  const lines = await metricLinesOf(of)
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      const name = line.slice(0, at).replace(/(org_id|project|region)="[^"]*",?/g, '')
      return [name.replace(/,?}$/, '}').replace('{}', ''), Number(line.slice(at + 1))]
    }),
  )
}
