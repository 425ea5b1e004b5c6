import { randomBytes } from 'node:crypto'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** Internal id of a user: a bigint as a decimal string. `User.id` and `Member.id` on the wire. */
export type UserId = Branded<'UserId'>
/** The identity provider's id of a user: `user_…`. Used in channels, connection tokens and presence. */
export type IdentityUserId = Branded<'IdentityUserId'>
/** Internal id of an organization: a bigint as a decimal string. Never on the wire of this contract but in chat claims. */
export type OrganizationId = Branded<'OrganizationId'>
/** The identity provider's id of an organization: `org_…`. `Organization.id` on the wire. */
export type IdentityOrganizationId = Branded<'IdentityOrganizationId'>
/** Id of a room: a UUID in lower case. On the wire, and its name at the media server. */
export type RoomId = Branded<'RoomId'>
/** Internal id of any other row: a bigint as a decimal string. Stores look rows up by nothing less. */
export type RowId = Branded<'RowId'>

const BIGINT_MAX = 9_223_372_036_854_775_807n
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Before the id of a guest, in their identity inside a room. */
const GUEST_PREFIX = 'guest:'
/** Every identity that passes for one of a guest, as a pattern of `like`. */
export const GUEST_IDENTITIES = `${GUEST_PREFIX}%`
const IDENTITY_ID = /^(org|user|invitation)_[0-9A-Za-z]{10,64}$/

/** A decimal string from the wire as an internal id; undefined where it is not one. */
export function parseUserId(text: string): UserId | undefined {
  return isInternalId(text) ? (text as UserId) : undefined
}

/** A decimal string from the wire as an id of one of our rows; undefined where it is not one. */
export function parseInternalId(text: string): RowId | undefined {
  return isInternalId(text) ? (text as RowId) : undefined
}

/** `org_…` from the wire; undefined where it is not such an id. */
export function parseIdentityOrganizationId(text: string): IdentityOrganizationId | undefined {
  return isIdentityId(text, 'org') ? (text as IdentityOrganizationId) : undefined
}

/** `user_…` from the wire; undefined where it is not such an id. */
export function parseIdentityUserId(text: string): IdentityUserId | undefined {
  return isIdentityId(text, 'user') ? (text as IdentityUserId) : undefined
}

/** Whether a text from the wire is the id of an invitation: `invitation_…`. */
export function isInvitationId(text: string): boolean {
  return isIdentityId(text, 'invitation')
}

/** Whether a text from the wire is a UUID, in whichever case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A UUID from the wire, or the name of a room at the media server, in lower case; undefined where it is not one. */
export function parseRoomId(text: string): RoomId | undefined {
  return UUID.test(text) ? (text.toLowerCase() as RoomId) : undefined
}

/** Who a guest is inside a room. Never a user id, and never chosen by the guest. */
export function identityOfGuest(id: string): string {
  return `${GUEST_PREFIX}${id}`
}

/** A person's identity inside a room: another connection of theirs than the first has a name. */
export function identityOfUser(user: UserId, connection?: string): string {
  return connection === undefined ? user : `${user}#${connection}`
}

/**
 * The user of a connection to a room; undefined where it is no user's. The media server lets clients append `#` and
 * something to their own identity, as we do to that of another connection.
 */
export function parseConnectionUser(identity: string): UserId | undefined {
  return parseUserId(identity.split('#', 1)[0] ?? '')
}

/** The id of a guest; undefined where the identity is not exactly one that we gave. */
export function parseGuestIdentity(identity: string): string | undefined {
  if (!claimsToBeGuest(identity)) return undefined
  const id = identity.slice(GUEST_PREFIX.length)
  return UUID.test(id) && id === id.toLowerCase() ? id : undefined
}

/** Whether an identity passes for one of a guest, a real one or not: clients may append to theirs. */
export function claimsToBeGuest(identity: string): boolean {
  return identity.startsWith(GUEST_PREFIX)
}

type Id = UserId | IdentityUserId | OrganizationId | IdentityOrganizationId | RoomId | RowId
type Text<Value> = Value extends Id ? string : Value

/** A row as a statement answers it: its ids are text until they are branded with `trusted`. */
export type Answered<Row> = { [Column in keyof Row]: Text<Row[Column]> }

/** Ids that our own tables answered: known to be right. */
export const trusted = {
  userId: (text: string): UserId => text as UserId,
  identityUserId: (text: string): IdentityUserId => text as IdentityUserId,
  organizationId: (text: string): OrganizationId => text as OrganizationId,
  identityOrganizationId: (text: string): IdentityOrganizationId => text as IdentityOrganizationId,
  roomId: (text: string): RoomId => text as RoomId,
  rowId: (text: string): RowId => text as RowId,
}

/** A fresh outside id of our own, `<prefix>_<26 characters>`: sortable by time of making, 80 random bits. */
export function newIdentityId(prefix: 'org' | 'user' | 'invitation', now: Date): string {
  return `${prefix}_${base32(BigInt(now.getTime()), 10)}${base32(BigInt(`0x${randomBytes(10).toString('hex')}`), 16)}`
}

function isInternalId(text: string): boolean {
  return /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= BIGINT_MAX
}

function isIdentityId(text: string, prefix: string): boolean {
  return text.startsWith(`${prefix}_`) && IDENTITY_ID.test(text)
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function base32(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = CROCKFORD[Number(rest & 31n)] + text
  return text
}
