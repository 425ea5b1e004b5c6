import type { TObject, TSchema } from 'typebox'

type Json = Record<string, unknown>

interface Schema {
  title?: string
  type?: string
  examples?: readonly unknown[]
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  format?: string
  documented?: { enum?: readonly unknown[] }
  anyOf?: readonly Schema[]
  oneOf?: readonly { required?: readonly string[] }[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  minLength?: number
  minimum?: number
}

const USER = '42'
const ORGANIZATION = 'org_01KAJ4Q8ZC7V0X3T5N2M9E6RWB'
const PERSON = 'user_01KAJ4Q8Z9GF4D7H1S6P3K8YTC'
const ROOM = '0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70'
const GUEST = 'guest:5b0e7c1d-93a4-4f68-8d27-6c1f0a2e4b93'
const INVITATION = 'invitation_01KAJ4RB2M5XQ7V9Z0C3T6N8EW'
const RECORDING = '7c2e9a51-4d08-4b3f-a6e1-90f5d2c8b734'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl'

/** Values by the name of a field, or by `Shape.field` where the name alone does not tell. */
const VALUES: Readonly<Record<string, unknown>> = {
  id: USER,
  'Organization.id': ORGANIZATION,
  'OrganizationChoice.id': ORGANIZATION,
  'organization.id': ORGANIZATION,
  'Invitation.id': INVITATION,
  'Room.id': ROOM,
  'room.id': ROOM,
  'Recording.id': RECORDING,
  'Domain.id': '7',
  'Calendar.id': 'primary',
  'CalendarEvent.id': '6vbn0q2k_20260323T090000Z',
  'CalendarEventDetails.id': '6vbn0q2k',
  'target.id': USER,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  displayName: 'Ada Lovelace',
  avatarURL: 'https://office.example/storage/avatars/42/0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70.png',
  avatarUrl: 'https://office.example/storage/avatars/42/0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70.png',
  logoUrl: 'https://office.example/storage/logos/7/0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70.png',
  organizationId: ORGANIZATION,
  orgId: ORGANIZATION,
  currentOrganizationId: ORGANIZATION,
  organizationName: 'Analytical Engines',
  name: 'Analytical Engines',
  'Room.name': 'Kitchen',
  'ListedRoom.id': ROOM,
  'ListedRoom.name': 'Kitchen',
  guests: 1,
  client_message_id: '6f9619ff-8b86-4011-b42d-00cf4fc964ff',
  emoji: '👍',
  knockId: '2b1f6f0a-5d0e-4f5e-8a53-0f6f4f0b7c11',
  connection: 'tablet',
  'Calendar.name': 'Work',
  'organizer.name': 'Ada Lovelace',
  domain: 'engines.example',
  code: '402913',
  'Done.code': 200,
  state: 'b3BhcXVlLXN0YXRl',
  'DomainState.state': 'verified',
  redirectURL: 'https://accounts.example/authorize?client_id=office&state=b3BhcXVlLXN0YXRl',
  redirectUrl: 'https://accounts.example/authorize?client_id=office&state=b3BhcXVlLXN0YXRl',
  token: JWT,
  rtcToken: JWT,
  pendingAuthenticationToken: 'psi_Yk3v9Qm2Xr7Tz1Ws8Lp5Nd4Hb6Gc0Jf',
  inviteToken: 'inv_Yk3v9Qm2Xr7Tz1Ws8Lp5Nd4Hb6Gc0Jf',
  inviteLink: 'https://office.example/join?invite_token=inv_Yk3v9Qm2Xr7Tz1Ws8Lp5Nd4Hb6Gc0Jf',
  inviteUrl: 'https://office.example/guest?invite_token=eyJhbGciOiJkaXIifQ',
  acceptInvitationUrl: 'https://office.example/invitation?invitation_token=inv_Yk3v9Qm2Xr7Tz1Ws',
  invitationId: INVITATION,
  inviterUserId: USER,
  userId: USER,
  'PresenceRecord.userId': PERSON,
  presenceUserId: PERSON,
  userIds: [USER],
  allowedAdmins: [USER],
  guestIdentity: GUEST,
  guestName: 'Grace',
  username: 'Ada Lovelace',
  roomId: ROOM,
  roomName: ROOM,
  zoneId: 'zone-1',
  spaceId: ROOM,
  conferenceTopic: 'Weekly',
  participants: 'Ada Lovelace,Grace Hopper',
  egressId: 'EG_7hGk2LqPw9Zx',
  recordingId: RECORDING,
  startedBy: USER,
  downloadUrl: 'https://office.example/storage/recordings/7c2e9a51.mp4?signature=8f3a',
  fileName: 'Weekly-2026-03-23.mp4',
  uploadUrl: 'https://office.example/storage/tmp/42/0d9f5c3e.png?signature=8f3a',
  tmpKey: 'tmp/42/0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70.png',
  url: 'wss://office.example/connection/websocket',
  timestamp: 1_774_256_400,
  expiresAt: '2026-03-30T09:00:00Z',
  'RealtimeConnectionToken.expiresAt': 1_774_257_000,
  expiresInSeconds: 120,
  durationSeconds: 3_600,
  sizeBytes: 73_400_320,
  calendarId: 'primary',
  eventId: '6vbn0q2k',
  recurringEventId: '6vbn0q2k',
  color: '#4285f4',
  title: 'Weekly',
  description: 'What we did, what we do',
  recurrence: 'RRULE:FREQ=WEEKLY;BYDAY=MO',
  start: '2026-03-23T10:00:00+01:00',
  end: '2026-03-23T10:30:00+01:00',
  timeMin: '2026-03-23T00:00:00Z',
  timeMax: '2026-03-30T00:00:00Z',
  startTimezone: 'Europe/Berlin',
  endTimezone: 'Europe/Berlin',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  before: null,
  after: null,
  limit: 20,
  offset: 0,
  total: 1,
  address: '203.0.113.7',
  attachmentId: '311',
  attachmentIds: ['311'],
  contentType: 'image/png',
  action: 'member.removed',
  kind: 'member',
  requestId: '3f1c9d52-8e07-4a6b-b1d4-7e20c5f9a813',
  message: 'Done',
  metadata: { capacity: 8 },
  detail: { role: 'member' },
}

/** A request to an operation as a program would send it: what is required, and the first form where there are several. */
export function exampleOfRequest(body: TObject): Json {
  const { required = [], oneOf = [], properties = {}, examples } = body as Schema
  if (examples) return examples[0] as Json
  const names = [...new Set([...required, ...(oneOf[0]?.required ?? [])])]
  return Object.fromEntries(names.map((name) => [name, example(properties[name] ?? {}, name, '')]))
}

/** A value of a schema, the same every time; of objects with all that they may have. */
export function exampleOf(schema: TSchema, field = ''): unknown {
  return example(schema as Schema, field, '')
}

function example(schema: Schema, field: string, owner: string): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  const words = schema.documented?.enum ?? schema.enum
  if (words) return words[0]
  if (schema.anyOf) return exampleOfUnion(schema.anyOf, field, owner)
  const value = VALUES[`${owner}.${field}`] ?? VALUES[field]
  if (value !== undefined && isOf(schema, value)) return value
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? '2026-03-23T09:00:00Z' : 'x'.repeat(schema.minLength ?? 1)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return schema.items ? [example(schema.items, singular(field), owner)] : []
    default:
      return exampleOfObject(schema, field)
  }
}

/** Something rather than `null`. */
function exampleOfUnion(alternatives: readonly Schema[], field: string, owner: string): unknown {
  const [first = {}] = alternatives
  const nullable = alternatives.some(({ type }) => type === 'null')
  if (nullable && VALUES[field] === null) return null
  return example(first, field, owner)
}

function exampleOfObject(schema: Schema, field: string): Json {
  const owner = schema.title ?? field
  const properties = Object.entries(schema.properties ?? {})
  return Object.fromEntries(properties.map(([name, inner]) => [name, example(inner, name, owner)]))
}

function singular(field: string): string {
  return field.replace(/s$/, '')
}

function isOf({ type, format }: Schema, value: unknown): boolean {
  if (format === 'date-time') return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  if (type === 'integer' || type === 'number') return typeof value === 'number'
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return type === undefined || typeof value === type
}
