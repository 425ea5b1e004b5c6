import { addMembership } from '../../src/directory/members/memberships.ts'
import { insertOrganization, type OrganizationRef } from '../../src/directory/organizations.ts'
import { ensureUser, findUserByEmail } from '../../src/directory/users.ts'
import type { PresenceOwner } from '../../src/features/presence/change-presence.ts'
import type { PresenceMirror } from '../../src/features/presence/mirror.ts'
import { visible } from '../../src/features/presence/rules.ts'
import type { Db } from '../../src/platform/database/database.ts'
import { newIdentityId, type OrganizationId, trusted, type UserId } from '../../src/platform/ids.ts'
import { freshEmail } from '../office.ts'

/** What a broker does with the outbox, and what clients do with its publications, in memory. */
export interface PublishingBroker {
  /** Takes rows from the outbox in order. `crash`: they were published, and stay in the table. */
  relay(options?: { crash?: boolean; rows?: number }): Promise<void>
  subscribe(listener: (published: Published) => void): () => void
  /** History and what it knew of versions and repetitions are gone. */
  restart(): void
  /** Everything published, each event once. */
  published: Published[]
}

export interface Published {
  channel: string
  id: string
  status: string
  version: number | undefined
}

export function publishingBroker(db: Db): PublishingBroker {
  const listeners = new Set<(published: Published) => void>()
  const published: Published[] = []
  let seen = new Set<string>()
  let versions = new Map<string, number>()

  const publish = (event: Published) => {
    if (!published.some(({ id }) => id === event.id)) published.push(event)
    if (seen.has(event.id)) return
    seen.add(event.id)
    if (event.version !== undefined) {
      if (event.version <= (versions.get(event.channel) ?? 0)) return
      versions.set(event.channel, event.version)
    }
    for (const listener of listeners) listener(event)
  }
  return {
    published,
    async relay({ crash = false, rows: limit = 1_000 } = {}) {
      const rows = await db
        .selectFrom('centrifugo_outbox')
        .select(['id', 'payload'])
        .orderBy('partition')
        .orderBy('id')
        .limit(limit)
        .execute()
      for (const { payload } of rows) publish(toPublished(payload))
      if (crash || rows.length === 0) return
      const ids = rows.map(({ id }) => id)
      await db.deleteFrom('centrifugo_outbox').where('id', 'in', ids).execute()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    restart() {
      listeners.clear()
      seen = new Set()
      versions = new Map()
    },
  }
}

function toPublished(payload: unknown): Published {
  const { channel, version, data } = payload as {
    channel: string
    version?: number
    data: { id: string; data: { status: string } }
  }
  return { channel, id: data.id, status: data.data.status, version }
}

/** A colleague's client: what it shows of all members of the organization. */
export interface Watcher {
  readonly live: boolean
  /** Subscribes, then takes a snapshot; what arrives in between is applied after it. */
  hydrate(meanwhile?: () => Promise<void>): Promise<void>
  /** The connection is gone: nothing arrives any more. */
  drop(): void
  shows(): Record<string, string>
}

export function watcher(
  broker: PublishingBroker,
  mirror: PresenceMirror,
  organization: OrganizationRef,
  people: readonly PresenceOwner['user'][],
): Watcher {
  const shown = new Map<string, string>()
  let unsubscribe: (() => void) | undefined
  const prefix = `status:${organization.identityId}:`
  return {
    get live() {
      return unsubscribe !== undefined
    },
    async hydrate(meanwhile = async () => {}) {
      unsubscribe?.()
      let waiting: Published[] | undefined = []
      const apply = ({ channel, status }: Published) => shown.set(channel.slice(prefix.length), status)
      unsubscribe = broker.subscribe((event) => {
        if (!event.channel.startsWith(prefix)) return
        if (waiting) waiting.push(event)
        else apply(event)
      })
      await meanwhile()
      const ids = people.map(({ id }) => id)
      const found = await mirror.find(organization.id, ids)
      for (const { identityId, status } of found) shown.set(identityId, visible(status))
      for (const event of waiting) apply(event)
      waiting = undefined
    },
    drop() {
      unsubscribe?.()
      unsubscribe = undefined
    },
    shows: () => Object.fromEntries([...shown].sort()),
  }
}

/** An organization with people, made without the ceremony of sign-up. */
export async function foundOrganization(
  db: Db,
  people: readonly PresenceOwner['user'][],
): Promise<OrganizationRef> {
  const now = new Date()
  const identityId = trusted.identityOrganizationId(newIdentityId('org', now))
  const organization = await insertOrganization(db, { identityId, name: 'Model' }, now)
  for (const { id } of people)
    await addMembership(db, { organization: organization.id, user: id, role: 'member' }, now)
  return organization
}

export async function makePerson(db: Db): Promise<PresenceOwner['user']> {
  const now = new Date()
  const email = freshEmail()
  const identityId = trusted.identityUserId(newIdentityId('user', now))
  await ensureUser(db, { identityId, email, displayName: 'Somebody', emailVerified: true }, now)
  const user = await findUserByEmail(db, email)
  if (!user) throw new Error('nobody was made')
  return { id: user.id, identityId }
}

/** The true statuses of an organization's people, by internal id. */
export async function truthOf(db: Db, organization: OrganizationId): Promise<Map<UserId, string>> {
  const rows = await db
    .selectFrom('presence')
    .select(['user_id', 'status'])
    .where('organization_id', '=', organization)
    .execute()
  return new Map(rows.map((row) => [trusted.userId(row.user_id), row.status]))
}
