import type { AtriumClient, CookieJar } from '@atrium/client'
import type { ChosenStatus, Role } from '@atrium/contract'

/** A place where a person is signed in, or not. */
export interface Device {
  client: AtriumClient
  cookies: CookieJar
  session: Session | undefined
  line: Line | undefined
}

/** What the office holds of a device that is signed in. */
export interface Session {
  /** As the list of sessions names it, once that was read. */
  id: string | undefined
  organization: Organization | undefined
  startedAt: number
  usedAt: number
}

export interface Person {
  name: string
  email: string
  id: string
  presenceUserId: string
  displayName: string
  devices: readonly [Device, Device]
  /** Providers with a connected calendar. */
  calendars: Set<'A' | 'B'>
  isDeleted: boolean
}

/** Of these every one is expected; what else is told has rules of its own. */
export const COMPARED = [
  'member.joined',
  'member.updated',
  'member.removed',
  'organization.updated',
  'invitation.changed',
  'room.created',
  'room.updated',
  'room.deleted',
  'room.entered',
  'room.left',
  'knock.received',
  'knock.ended',
  'wave.received',
  'message.created',
] as const
export type ComparedEvent = (typeof COMPARED)[number]
/** A realtime connection: what it has heard, and what the rules say that it hears. */
export interface Line {
  organization: Organization
  expect(scope: 'user' | 'organization', type: ComparedEvent, data: Record<string, unknown>): void
  /** Waits for all that is expected. @throws Disagreement where something else is heard, or another order */
  settle(who: string): Promise<void>
  /** Nothing more is expected of it. */
  give(up: 'closed' | 'ended'): void
  /** After an accident: what was told meanwhile may be missed. */
  startAgain(): Promise<void>
}

export type Status = ChosenStatus | 'offline'

export interface Invitation {
  id: string
  token: string
  email: string
  role: Role
  state: 'pending' | 'accepted' | 'revoked'
  inviter: Person
  expiresAt: number
}

export interface Room {
  id: string
  name: string
  isLocked: boolean
  isDeleted: boolean
  /** With the device that each came by: what ends its session puts them out. */
  inside: Map<Person, Device>
  /** Who left lately, and may come back into a locked room. */
  leftAt: Map<Person, number>
  recording: string | undefined
  /** How often the last member has left, or hours have passed: the admissions of guests end soon after. */
  timesEmpty: number
}

export interface GuestLink {
  id: string
  token: string
  room: Room
  maker: Person
  allowAll: boolean
  expiresAt: number
  isRevoked: boolean
}

export interface Guest {
  identity: string
  name: string
  link: GuestLink
  state: 'waiting' | 'admitted' | 'denied'
  /** How often the room had been empty when they were admitted. */
  admittedAfter?: number
}

export interface ServiceToken {
  id: string
  token: string
  name: string
  isRevoked: boolean
  expiresAt: number | undefined
}

/** What the rules hold to be true of one organization. */
export interface Organization {
  id: string
  name: string
  isDeleted: boolean
  members: Map<Person, Role>
  /** Those who were members, and how that ended. */
  gone: Map<Person, { how: 'left' | 'removed'; role: Role }>
  /** What the status of a member can be: more than one while nothing has been seen since the last connection ended. */
  statuses: Map<Person, Status[]>
  invitations: Invitation[]
  link: string | undefined
  formerLinks: string[]
  rooms: Room[]
  guestLinks: GuestLink[]
  guests: Guest[]
  tokens: ServiceToken[]
  webhooks: Map<string, { url: string; events: string[] }>
  directories: Map<string, string>
  domains: Map<string, string>
  settings: { guestAdmission: string; agents: boolean; language: string }
  conversations: Conversation[]
}

export interface Conversation {
  id: number
  between: readonly [Person, Person]
  messages: { id: number; content: string; sender: Person }[]
  read: Map<Person, number>
}
