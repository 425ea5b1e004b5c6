import { setTimeout as pause } from 'node:timers/promises'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { connectRealtime, type Realtime } from '@atrium/client/realtime'
import type { ChosenStatus } from '@atrium/contract'
import pg from 'pg'
import { mailedCode } from '../mailbox.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import type { CentrifugoOffice } from './office.ts'

/** A connected member. */
export interface Colleague {
  userId: string
  realtime: Realtime
}

/** What is not answered by then counts as an error. */
const ANSWER_WITHIN_MS = 5_000

/** New people of one new organization, who all follow each other; at both nodes where there are two. */
export async function gatherColleagues(
  office: CentrifugoOffice,
  count: number,
  ends: Ends,
): Promise<Colleague[]> {
  const founder = await signUp(office.url)
  await founder.call('createOrganization', { name: 'Colleagues' })
  const { inviteLink } = await founder.call('getInviteLink')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  const clients = [founder]
  while (clients.length < count) {
    const client = await signUp(office.url)
    await client.call('joinOrganization', { inviteToken })
    clients.push(client)
  }
  const colleagues: Colleague[] = []
  for (const [at, client] of clients.entries()) {
    const realtime = await connectRealtime(client, { url: office.nodes[at % 2 ? 1 : 0].url })
    ends.push(async () => realtime.close())
    colleagues.push({ userId: realtime.userId, realtime })
  }
  const ids = colleagues.map(({ userId }) => userId)
  for (const { realtime } of colleagues) realtime.follow(ids)
  await eventually('everybody sees everybody online', () =>
    colleagues.every(({ realtime }) => ids.every((id) => realtime.statusOf(id) === 'online')),
  )
  return colleagues
}

export async function signUp(url: string): Promise<AtriumClient> {
  const client = createAtriumClient({ baseUrl: url, cookies: createCookieJar(), timeoutMs: ANSWER_WITHIN_MS })
  const email = `colleague-${crypto.randomUUID()}@people.example`
  await client.call('signUp', { email })
  await client.call('finalizeMagicAuth', { email, code: await mailedCode(url, email) })
  return client
}

/** One change of a status, and how the office took it. */
export interface AskedChange {
  status: ChosenStatus
  ms: number
  error?: unknown
}

const VISIBLE: readonly ChosenStatus[] = ['online', 'away', 'busy']
/** From one change of a person to the next. */
const PAUSE_MS = 200

/** Changes a person's status over and over, each time to another visible one; resolves when it was told to stop. */
export async function keepChanging(
  { realtime, userId }: Colleague,
  stop: AbortSignal,
): Promise<AskedChange[]> {
  const changes: AskedChange[] = []
  const standing = VISIBLE.indexOf(realtime.statusOf(userId) as ChosenStatus)
  for (let turn = standing + 1; !stop.aborted; turn++) {
    const status = VISIBLE[turn % VISIBLE.length] as ChosenStatus
    const began = performance.now()
    const error = await realtime.setStatus(status).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    changes.push({ status, ms: performance.now() - began, ...(error === undefined ? {} : { error }) })
    await pause(PAUSE_MS * (0.5 + Math.random()))
  }
  return changes
}

/** The tables of an office, as an operator reads them. */
export interface PresenceTables {
  statuses(): Promise<Map<string, string>>
  /** Events that the broker has not taken yet. */
  backlog(): Promise<number>
  /** Whether the poll waits because it could not tell who is connected, or could not believe it. */
  isQuiet(): Promise<boolean>
  /** As a minute after the last loss. */
  endQuietTime(): Promise<void>
}

export async function openTables({ databaseUrl }: CentrifugoOffice, ends: Ends): Promise<PresenceTables> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  ends.push(() => client.end())
  const count = async (query: string) =>
    Number((await client.query<{ count: string }>(`select ${query} as count`)).rows[0]?.count)
  return {
    async statuses() {
      const { rows } = await client.query<{ id: string; status: string }>(
        'select u.identity_user_id as id, p.status from presence p join users u on u.id = p.user_id',
      )
      return new Map(rows.map(({ id, status }) => [id, status]))
    },
    backlog: () => count('(select count(*) from centrifugo_outbox)'),
    isQuiet: async () => (await count('(select count(*) from presence_poll where quiet_until > now())')) > 0,
    async endQuietTime() {
      await client.query('update presence_poll set quiet_until = null')
    },
  }
}
