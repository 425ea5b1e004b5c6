/**
 * What travels over the realtime connection: the names of its channels, and the form of what is published on them.
 * Ids in channels are those of the identity provider (`org_…`, `user_…`).
 */

/** The kinds of channels: of one person, of an organization's members, of one person's visible status. */
export type EventScope = 'user' | 'organization' | 'status'

/** The data of every publication. */
export interface RealtimeEvent<Type extends string = string, Data = unknown> {
  /** Unique to the event: the same after a redelivery. */
  id: string
  /** Name of the event, such as `status.changed`. */
  type: Type
  /** When it happened: RFC 3339, UTC. */
  time: string
  data: Data
}

/** Channel of one person's visible status in one organization; clients subscribe to it. */
export function statusChannel(organization: string, user: string): string {
  return `status:${organization}:${user}`
}

/** Channel of what concerns one person in one organization; every connection of theirs has it from the start. */
export function userChannel(organization: string, user: string): string {
  return `user:${organization}:${user}`
}

/** Channel of what concerns all members of an organization; each of their connections has it from the start. */
export function organizationChannel(organization: string): string {
  return `org:${organization}`
}

/** Who receives an event inside its organization, by its scope. */
export type EventAddress<Scope extends EventScope = EventScope> = {
  user: { scope: 'user'; users: readonly string[] }
  organization: { scope: 'organization' }
  status: { scope: 'status'; user: string }
}[Scope]

/** The channels of an address, each once; none where it has no recipient. */
export function channelsOf(organization: string, to: EventAddress): string[] {
  switch (to.scope) {
    case 'user':
      return [...new Set(to.users)].map((user) => userChannel(organization, user))
    case 'organization':
      return [organizationChannel(organization)]
    case 'status':
      return [statusChannel(organization, to.user)]
  }
}

const STATUS_CHANNEL = /^status:([A-Za-z0-9_-]+):([A-Za-z0-9_-]+)$/

/** Whether a channel lies in the namespace of statuses, well formed or not. */
export function isStatusNamespace(channel: string): boolean {
  return channel.startsWith('status:')
}

/** The two ids of a status channel; undefined where the name is not exactly `status:<org>:<uid>`. */
export function parseStatusChannel(channel: string): { organization: string; user: string } | undefined {
  const [, organization, user] = STATUS_CHANNEL.exec(channel) ?? []
  return organization && user ? { organization, user } : undefined
}

/** A publication's data as an event; undefined where it does not have its form. */
export function parseRealtimeEvent(data: unknown): RealtimeEvent | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { id, type, time } = data as Record<string, unknown>
  if (typeof id !== 'string' || typeof type !== 'string' || typeof time !== 'string') return undefined
  return data as RealtimeEvent
}
