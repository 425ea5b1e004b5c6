import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { organizationOfRoom } from '../../src/features/rooms/reads.ts'
import { insertRoom } from '../../src/features/rooms/store.ts'
import type { Db } from '../../src/platform/database/database.ts'
import { type OrganizationId, type RoomId, trusted } from '../../src/platform/ids.ts'
import type { TestOffice } from '../office.ts'
import { newFounder, type Person } from '../people.ts'
import { until } from '../until.ts'

/** Now, as the media server says it: whole seconds of Unix time. */
export const seconds = () => Math.floor(Date.now() / 1_000)

/** What the media server of a test signs with. */
export const MEDIA_KEY = { apiKey: 'test-key', secret: 'a-secret-of-the-media-server-0123456789' }

/** Settings of an office with the test itself as its media server: no server answers there. */
export const MEDIA_SETTINGS = {
  LIVEKIT_URL: 'http://127.0.0.1:9',
  LIVEKIT_API_KEY: MEDIA_KEY.apiKey,
  LIVEKIT_API_SECRET: MEDIA_KEY.secret,
  MEDIA_SWEEP_SECONDS: '0',
}

export interface SigningOptions {
  apiKey?: string
  secret?: string
  algorithm?: string
  /** Seconds by which the sender's clock is ahead. */
  skewSeconds?: number
  lifetimeSeconds?: number
  /** Signed for this body in place of the one that is sent. */
  bodySigned?: string
  /** Changes the claims before they are signed. */
  claims?: Record<string, unknown>
}

/** The `Authorization` header as the media server makes it. */
export function signature(body: string, options: SigningOptions = {}): string {
  const { apiKey = MEDIA_KEY.apiKey, secret = MEDIA_KEY.secret, algorithm = 'HS256' } = options
  const now = Math.floor(Date.now() / 1_000) + (options.skewSeconds ?? 0)
  const sha256 = createHash('sha256')
    .update(options.bodySigned ?? body)
    .digest('base64')
  const claims = {
    iss: apiKey,
    nbf: now,
    iat: now,
    exp: now + (options.lifetimeSeconds ?? 300),
    sha256,
    ...options.claims,
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: algorithm, typ: 'JWT' })}.${part(claims)}`
  const mac = algorithm === 'none' ? '' : createHmac('sha256', secret).update(signed).digest('base64url')
  return `${signed}.${mac}`
}

/** Sends a body to the webhook, signed unless told otherwise. */
export async function deliver(
  office: Pick<TestOffice, 'baseUrl'>,
  body: object | string,
  options: SigningOptions & { authorization?: string | null; contentType?: string } = {},
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const authorization = options.authorization === undefined ? signature(text, options) : options.authorization
  return fetch(`${office.baseUrl}/webhook`, {
    method: 'POST',
    headers: {
      'content-type': options.contentType ?? 'application/webhook+json',
      ...(authorization === null ? {} : { authorization }),
    },
    body: text,
  })
}

/** Delivers events one after the other; each must be taken. */
export async function deliverAll(
  office: Pick<TestOffice, 'baseUrl'>,
  events: readonly object[],
): Promise<void> {
  for (const event of events) {
    const { status } = await deliver(office, event)
    if (status !== 200) throw new Error(`the webhook answered ${status}`)
  }
}

/**
 * Waits until everything that was delivered has had its effect. The webhook answers before an event is written down: so
 * first that nothing waits in memory any more, and only then what the table says.
 */
export async function untilWorkedOff({ office, database }: TestOffice): Promise<void> {
  await until(async () => {
    if (office.mediaEvents.depth() > 0) return false
    if (office.jobs.isLeader()) await office.jobs.runNow('process-media-events')
    const { count } = await database.db
      .selectFrom('media_events')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('processed_at', 'is', null)
      .executeTakeFirstOrThrow()
    return count === '0'
  })
}

/** A live session of a room, as the media server would tell of it. Times in seconds of the epoch. */
export interface Session {
  room: string
  sid: string
  startedAt: number
}

export function newSession(room: string, startedAt = Math.floor(Date.now() / 1_000) - 100): Session {
  return { room, sid: `RM_${randomBytes(6).toString('hex')}`, startedAt }
}

export interface Somebody {
  sid: string
  identity: string
  joinedAt: number
  kind?: string
}

export function somebody(identity: string, joinedAt = Math.floor(Date.now() / 1_000) - 60): Somebody {
  return { sid: `PA_${randomBytes(6).toString('hex')}`, identity, joinedAt }
}

/** Bodies of webhooks, in the form of the captured ones. */
export const tell = {
  room(event: 'room_started' | 'room_finished', session: Session, at = session.startedAt) {
    return envelope(event, at, { room: roomOf(session) })
  },
  participant(
    event: 'participant_joined' | 'participant_left' | 'participant_connection_aborted',
    session: Session,
    who: Somebody,
    at = who.joinedAt,
    more: object = {},
  ) {
    const { sid, identity, joinedAt, kind } = who
    const participant = {
      sid,
      identity,
      state: 'ACTIVE',
      joinedAt: `${joinedAt}`,
      joinedAtMs: `${joinedAt}000`,
      ...(kind ? { kind } : {}),
      ...more,
    }
    return envelope(event, at, { room: roomOf(session), participant })
  },
  track(
    event: 'track_published' | 'track_unpublished',
    session: Session,
    who: Somebody,
    track: { sid: string; source?: string; type?: string },
    at = who.joinedAt + 1,
  ) {
    return envelope(event, at, {
      room: { sid: session.sid, name: session.room },
      participant: { sid: who.sid, identity: who.identity },
      track,
    })
  },
  egress(event: 'egress_started' | 'egress_updated' | 'egress_ended', info: object, at = 1_795_258_300) {
    return envelope(event, at, { egressInfo: info })
  },
  ingress(event: 'ingress_started' | 'ingress_ended', info: object, at = 1_795_258_300) {
    return envelope(event, at, { ingressInfo: info })
  },
}

function roomOf({ sid, room, startedAt }: Session) {
  return { sid, name: room, creationTime: `${startedAt}`, creationTimeMs: `${startedAt}000` }
}

function envelope<Content extends object>(event: string, at: number, content: Content) {
  return { event, ...content, id: `EV_${randomBytes(7).toString('hex')}`, createdAt: `${at}` }
}

/** A founder with a room, without any media server having been asked for it. */
export async function newRoom(office: TestOffice): Promise<{ founder: Founder; room: string }> {
  const founder = await newFounder(office)
  return { founder, room: await addRoom(office, founder) }
}

export type Founder = Person & { organizationId: string }

export async function addRoom(office: TestOffice, founder: Founder): Promise<string> {
  const { db } = office.database
  const { id } = await db
    .selectFrom('organizations')
    .select('id')
    .where('identity_organization_id', '=', founder.organizationId)
    .executeTakeFirstOrThrow()
  const room = {
    id: trusted.roomId(randomUUID()),
    organization: id as OrganizationId,
    name: `room ${randomUUID()}`,
    metadata: {},
    kind: 'meeting' as const,
    seats: null,
    position: 1_000,
    sealed: false,
  }
  await insertRoom(db, room, trusted.userId(founder.id), new Date())
  return room.id
}

/** The organization of a room, as processing asks. */
export async function placeOf(db: Db, room: RoomId) {
  const owner = await organizationOfRoom(db, room)
  return owner && { ...owner, roomId: room }
}

/** One line of the page. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export async function metricsOf(office: Pick<TestOffice, 'baseUrl'>): Promise<Sample[]> {
  const answer = await fetch(`${office.baseUrl}/metrics`)
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`)
  return parseMetrics(await answer.text())
}

export function parseMetrics(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (!name) throw new Error(`no metric: ${line}`)
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [
      key,
      text.replaceAll('\\n', '\n').replaceAll(/\\(.)/g, '$1'),
    ])
    return { name, labels: Object.fromEntries(pairs), value: Number(value) }
  })
}

/** The value of the one series with these labels; undefined where there is none. */
export function seriesValue(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const fits = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )
  if (fits.length > 1) throw new Error(`${fits.length} series of ${name} fit`)
  return fits[0]?.value
}

/** Waits until series of an organization have values. Keys: `name` or `name{label=value,…}`. */
export async function untilMetrics(
  office: Pick<TestOffice, 'baseUrl'>,
  organization: string,
  expected: Record<string, number>,
): Promise<void> {
  let found: Record<string, number | undefined> = {}
  const isSo = async () => {
    const samples = await metricsOf(office)
    found = Object.fromEntries(
      Object.keys(expected).map((key) => {
        const [, name = '', text = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(key) ?? []
        const labels = text === '' ? [] : text.split(',').map((pair) => pair.split('='))
        return [key, seriesValue(samples, name, { org_id: organization, ...Object.fromEntries(labels) })]
      }),
    )
    return Object.entries(expected).every(([key, value]) => found[key] === value)
  }
  await until(isSo).catch(() => {
    throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`)
  })
}
