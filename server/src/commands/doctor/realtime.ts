import { randomBytes } from 'node:crypto'
import { organizationChannel, statusChannel, userChannel } from '@atrium/contract/events'
import { centrifugoBroker } from '../../adapters/centrifugo/centrifugo-broker.ts'
import type { Config } from '../../configuration/config.ts'
import { appendEvent, lastPartition } from '../../platform/background/outbox.ts'
import { openDatabase, openPool } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { Secret } from '../../platform/secrets/secret.ts'
import { signToken } from '../../platform/secrets/signed-token.ts'

/** One part that was looked at. */
export interface Finding {
  part: string
  ok: boolean
  /** It works, and yet an operator should look at it. */
  warns?: true
  /** What is there, or what is wrong with which setting and how to mend it. */
  says: string
}

type Reply = Record<string, Record<string, unknown> | undefined>

const ANSWER_WITHIN_MS = 5_000

/**
 * Tries a Centrifugo as an office and its clients use it. Its own `checkconfig` passes a broker that refuses all
 * clients: no secret, another key, a proxy that is not asked, an outbox that is not read.
 */
export async function lookAtBroker(config: Config): Promise<Finding[]> {
  const { centrifugo, publicUrl } = config.broker
  if (!centrifugo)
    return [{ part: 'broker', ok: true, says: 'embedded, for one node (set BROKER=centrifugo for several)' }]
  const findings: Finding[] = []
  const look = async (part: string, says: string, work: () => Promise<void>) => {
    try {
      await work()
      findings.push({ part, ok: true, says })
    } catch (error) {
      const cause =
        error instanceof ProviderFailure && error.cause instanceof Error ? `: ${error.cause.message}` : ''
      findings.push({ part, ok: false, says: `${error instanceof Error ? error.message : error}${cause}` })
    }
  }
  await look('broker api', `${new URL(centrifugo.apiUrl).host} accepts our key`, () =>
    centrifugoBroker({ url: centrifugo.apiUrl, key: centrifugo.apiKey }).check().catch(explainApi),
  )
  await look('broker', `${new URL(publicUrl).host} serves clients as configured`, () => tryAsClient(config))
  return findings
}

function explainApi(error: unknown): never {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
  throw new Error(
    `Centrifugo's API does not accept us: ${reason}. Check CENTRIFUGO_API_URL, and CENTRIFUGO_API_KEY against its http_api.key (v5: api_key).`,
  )
}

/** A client of an organization that does not exist: no real client hears the trials. */
async function tryAsClient(config: Config): Promise<void> {
  const mark = randomBytes(8).toString('hex')
  const [org, user] = [`org_doctor${mark}`, `user_doctor${mark}`]
  const now = new Date()
  const token = await signToken(
    { sub: user, channels: [userChannel(org, user), organizationChannel(org)], meta: { org } },
    new TextEncoder().encode(config.broker.tokenSecrets.current.reveal()),
    { now, expiresAt: new Date(now.getTime() + 60_000) },
  )
  const socket = await openSocket(config.broker.publicUrl)
  try {
    const { connect } = await socket.ask(
      { connect: { token } },
      'it refused a token of ours. Compare BROKER_TOKEN_SECRET with its client.token.hmac_secret_key (v5: token_hmac_secret_key)',
    )
    const subs = (connect?.subs ?? {}) as Reply
    for (const channel of [userChannel(org, user), organizationChannel(org)])
      if (subs[channel]?.recoverable !== true)
        throw new Error(
          `its namespace of ${channel.split(':')[0]}: keeps no history (force_recovery, history_size)`,
        )
    const own = await socket.ask({ subscribe: { channel: statusChannel(org, user) } }, 'no answer')
    if (!own.subscribe)
      throw new Error(
        `it does not let us subscribe to a status (error ${own.error?.code}). 100: it cannot reach /internal/broker/subscribe, or BROKER_PROXY_SECRET differs; 103: no subscribe proxy in its namespace status; 403: include_connection_meta is off`,
      )
    const foreign = await socket.ask(
      { subscribe: { channel: statusChannel('org_another', user) } },
      'no answer',
    )
    if (!foreign.error)
      throw new Error(
        'it lets anybody subscribe to statuses of other organizations: its subscribe proxy is not ours',
      )
    const other = await socket.ask(
      { subscribe: { channel: organizationChannel('org_another') } },
      'no answer',
    )
    if (!other.error)
      throw new Error(
        'it lets anybody subscribe to channels of other organizations: allow_subscribe_for_client must be off',
      )
    if (config.databaseUrl) await tryOutbox(config.databaseUrl, org, user, socket)
  } finally {
    socket.end()
  }
}

async function tryOutbox(
  databaseUrl: Secret,
  organization: string,
  user: string,
  socket: Socket,
): Promise<void> {
  const pool = openPool({
    connectionString: databaseUrl.reveal(),
    maxConnections: 1,
    acquireWithinMs: ANSWER_WITHIN_MS,
    statementTimeoutMs: ANSWER_WITHIN_MS,
    onIdleError: () => {},
  })
  const db = openDatabase(pool)
  try {
    const id = randomBytes(8).toString('hex')
    const last = await lastPartition(db, id)
    await transaction(db, (tx) =>
      appendEvent(tx, organization, {
        id,
        type: 'status.changed',
        time: new Date(),
        data: { userId: user, status: 'offline' },
        to: { scope: 'user', users: [user] },
        orderingKey: last.key,
      }),
    )
    await socket.heard(
      id,
      `it does not read the outbox. Check its consumer: type postgresql, dsn, centrifugo_outbox, num_partitions ${last.partitions}, pool of 2 connections or more`,
    )
  } finally {
    await db.destroy()
  }
}

interface Socket {
  /** Sends a command and answers its reply. */
  ask(command: object, otherwise: string): Promise<Reply>
  /** Resolves when a publication that holds the text has come. */
  heard(text: string, otherwise: string): Promise<void>
  end(): void
}

/** What comes in on a socket, line by line, and how to wait for some of it. */
function linesOf(socket: WebSocket) {
  const lines: string[] = []
  let closed: string | undefined
  let wake = () => {}
  socket.addEventListener('message', ({ data }) => {
    lines.push(...String(data).split('\n'))
    wake()
  })
  socket.addEventListener('close', ({ code, reason }) => {
    closed = `${code} ${reason}`
    wake()
  })
  const until = async <Found>(find: () => Found | undefined, otherwise: string): Promise<Found> => {
    const deadline = Date.now() + ANSWER_WITHIN_MS
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (closed !== undefined) throw new Error(`${otherwise} (closed: ${closed})`)
      if (Date.now() > deadline) throw new Error(otherwise)
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, 100)
      })
    }
  }
  return { lines, until }
}

async function openSocket(url: string): Promise<Socket> {
  const socket = new WebSocket(url)
  const { lines, until } = linesOf(socket)
  await until(
    () => (socket.readyState === WebSocket.OPEN ? true : undefined),
    `no WebSocket at ${url}: check BROKER_PUBLIC_URL`,
  )
  let id = 0
  return {
    async ask(command, otherwise) {
      id += 1
      const mine = id
      socket.send(JSON.stringify({ id: mine, ...command }))
      const reply = await until(
        () =>
          lines.map((line) => JSON.parse(line) as Reply & { id?: number }).find((line) => line.id === mine),
        otherwise,
      )
      lines.length = 0
      if ('connect' in command && reply.error) throw new Error(`${otherwise} (error ${reply.error.code})`)
      return reply
    },
    async heard(text, otherwise) {
      await until(() => lines.find((line) => line.includes(text)), otherwise)
    },
    end: () => socket.close(),
  }
}
