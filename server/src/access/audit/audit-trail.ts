import { type AuditAction, type BearerKind, type Role, roles } from '@atrium/contract'
import { type ColumnType, type Generated, type RawBuilder, sql } from 'kysely'
import { isMemberWith } from '../../directory/members/memberships.ts'
import { HOUR_MS } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { networkOf } from '../../platform/http/connections/network-address.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import {
  type ChainedEntry,
  commitTo,
  GENESIS,
  hashOf,
  NO_ADDRESS,
  NOTHING_SAID,
  partPersonal,
} from './audit-chain.ts'
import { type AuditFilter, actorKindOf, fits } from './audit-filter.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    audit_heads: { organization_id: string; sequence: string; hash: Buffer }
    audit_entries: {
      organization_id: string
      sequence: string
      at: Date
      actor_user_id: string | null
      actor_kind: ActorKind | null
      actor_token_id: string | null
      action: AuditAction
      target_kind: AuditTarget['kind']
      target_id: string
      request_id: string
      address: string
      /** JSON: read as what it holds. */
      detail: ColumnType<AuditRecord['detail'], string, never>
      /** JSON too: what of it is said of a person, or was. */
      personal: ColumnType<AuditRecord['detail'], string | undefined, never>
      address_salt: Buffer | null
      address_commitment: Buffer | null
      personal_salt: Buffer | null
      personal_commitment: Buffer | null
      chain: Generated<number>
      hash: Buffer
    }
    /** Of chains that were made again, by migration 0032. */
    audit_former_heads: {
      organization_id: string
      sequence: string
      hash: Buffer
      replaced_at: Generated<Date>
    }
  }
}

/** What was acted on, by the id that the wire knows it by. */
export interface AuditTarget {
  kind:
    | 'organization'
    | 'domain'
    | 'invite-link'
    | 'invitation'
    | 'user'
    | 'email'
    | 'room'
    | 'message'
    | 'guest'
    | 'guest-invite'
    | 'recording'
    | 'service-token'
    | 'bot'
    | 'webhook'
    | 'export'
    | 'directory-connection'
    | 'directory-group'
  id: string
}

/** What kind of author does something. */
export type ActorKind = 'user' | 'operator' | 'identity-provider' | 'directory' | 'token' | 'bot'

/**
 * The author of an entry: a caller over the network, with a null user where they are not known (a sign-in that is
 * refused), or a bot; a program with a token, which includes a directory by one of its connections; or an author without a
 * request.
 */
export type AuditAuthor =
  | {
      user: { id: UserId } | null
      bot?: unknown
      /** Where they were at work when they asked, and as what. */
      organization?: { id: OrganizationId; role: Role } | null
      requestId: string
      address: string
    }
  | { token: { id: string; kind: BearerKind }; requestId: string; address: string }
  | { kind: Exclude<ActorKind, 'user' | 'token' | 'bot'> }

/** The operator at the command line. */
export const OPERATOR = { kind: 'operator' } as const satisfies AuditAuthor

export interface AuditEntry {
  action: AuditAction
  target: AuditTarget
  /**
   * What changed. No secrets, and nothing that the ids do not already tell, where possible. Values of a person are named
   * `displayName` or `email`: they can be erased (audit-chain.ts).
   */
  detail?: Record<string, string | number | null>
}

/**
 * Writes an entry, in the transaction of the change itself. Call it last: it locks the trail of the organization
 * until the transaction ends.
 * @throws Refusal role-not-allowed, unauthenticated: the author has lost their right meanwhile
 */
export async function recordAudit(
  tx: Tx,
  organization: OrganizationId,
  author: AuditAuthor,
  now: Date,
  entry: AuditEntry,
): Promise<void> {
  await recordAudits(tx, organization, author, now, [entry])
}

const REPEATED_WITHIN_MS = HOUR_MS
const REPEATED_AMONG = 100

/**
 * Writes an entry about an attempt that any caller may repeat: not where the same stands among the last entries of the
 * hour already, so that attempts cannot fill an organization's trail.
 */
export async function recordAttempt(
  tx: Tx,
  organization: OrganizationId,
  author: AuditAuthor,
  now: Date,
  entry: AuditEntry,
): Promise<void> {
  const since = new Date(now.getTime() - REPEATED_WITHIN_MS)
  const { targetId, detail, personal } = partPersonal(entry)
  const { rows } = await sql`
    select 1 from (select at, action, target_kind, target_id, detail, personal from audit_entries
      where organization_id = ${organization} order by sequence desc limit ${REPEATED_AMONG}) as entry
    where action = ${entry.action} and target_kind = ${entry.target.kind} and target_id = ${targetId}
      and detail::jsonb = ${JSON.stringify(detail)}::jsonb and personal::jsonb = ${JSON.stringify(personal)}::jsonb
      and at > ${since} limit 1`.execute(tx)
  if (rows.length === 0) await recordAudit(tx, organization, author, now, entry)
}

/** As `recordAudit`, for several entries at once, in as few statements. */
export async function recordAudits(
  tx: Tx,
  organization: OrganizationId,
  author: AuditAuthor,
  now: Date,
  entries: readonly AuditEntry[],
): Promise<void> {
  const head = await lockHead(tx, organization)
  const chained: Chained[] = []
  for (const entry of entries) {
    const before = chained.at(-1) ?? head
    const { targetId, detail, personal } = partPersonal(entry)
    const { address, ...actor } = actorOf(author)
    const next: ChainedEntry = {
      chain: 2,
      organizationId: organization,
      sequence: String(BigInt(before.sequence) + 1n),
      at: now.toISOString(),
      ...actor,
      action: entry.action,
      targetKind: entry.target.kind,
      targetId,
      detail: JSON.stringify(detail),
      address: commitTo(address, NO_ADDRESS),
      personal: commitTo(JSON.stringify(personal), NOTHING_SAID),
    }
    chained.push({ ...next, hash: hashOf(next, before.hash) })
  }
  await append(tx, chained, keepsStanding(organization, author, entries))
}

type Chained = ChainedEntry & { hash: Buffer }

/** Of an address only its network is kept. */
function actorOf(author: AuditAuthor): Actor {
  if ('kind' in author) return { ...NO_ACTOR, actorKind: author.kind, requestId: '', address: NO_ADDRESS }
  const address = author.address === '' ? NO_ADDRESS : networkOf(author.address)
  const request = { requestId: author.requestId, address }
  if ('token' in author) {
    const actorKind = author.token.kind === 'scim' ? 'directory' : 'token'
    return { ...NO_ACTOR, actorKind, actorTokenId: author.token.id, ...request }
  }
  return {
    ...NO_ACTOR,
    actorKind: author.bot ? 'bot' : 'user',
    actorUserId: author.user?.id ?? null,
    ...request,
  }
}

type Actor = Pick<ChainedEntry, 'actorKind' | 'actorUserId' | 'actorTokenId' | 'requestId'> & {
  address: string
}
const NO_ACTOR = { actorUserId: null, actorTokenId: null }

/** What must be true of the author under the lock of the trail, and whom it refuses otherwise. */
interface Standing {
  holds: RawBuilder<boolean>
  refusal: 'role-not-allowed' | 'unauthenticated'
}

/**
 * The loss of a role, a membership or a token is written to the same trail: by its lock, one of the two is first, and
 * nothing is done by a right that was lost before. What members change about themselves, and the end of the organization, is
 * judged by the operation.
 */
function keepsStanding(
  organization: OrganizationId,
  author: AuditAuthor,
  entries: readonly AuditEntry[],
): Standing | undefined {
  if ('kind' in author) return undefined
  if ('token' in author) {
    const { id } = author.token
    return { holds: sql`exists (select from bearer_tokens where id = ${id})`, refusal: 'unauthenticated' }
  }
  const { user, organization: place } = author
  if (!user || place?.id !== organization) return undefined
  const isJudged = ({ action, target }: AuditEntry) =>
    action === 'organization.deleted' || (target.kind === 'user' && target.id === user.id)
  if (entries.some(isJudged)) return undefined
  const noLower = roles.slice(roles.indexOf(place.role))
  return { holds: isMemberWith(organization, user.id, noLower), refusal: 'role-not-allowed' }
}

/** Entries of one author at one moment, in the order of the chain. */
async function append(tx: Tx, entries: readonly Chained[], standing: Standing | undefined): Promise<void> {
  const last = entries.at(-1)
  if (!last) return
  const column = <Value>(of: (entry: Chained) => Value) => entries.map(of)
  const { numAffectedRows } = await sql`
    with entry as (
      insert into audit_entries (chain, organization_id, at, actor_kind, actor_user_id, actor_token_id, request_id, address,
        sequence, action, target_kind, target_id, detail, hash, address_salt, address_commitment, personal, personal_salt,
        personal_commitment)
      select 2, ${last.organizationId}::bigint, ${last.at}::timestamptz, ${last.actorKind}::text,
        ${last.actorUserId}::bigint, ${last.actorTokenId}::bigint, ${last.requestId}::text, ${last.address.value}::text, new.*
      from unnest(${column(({ sequence }) => sequence)}::bigint[], ${column(({ action }) => action)}::text[],
        ${column(({ targetKind }) => targetKind)}::text[], ${column(({ targetId }) => targetId)}::text[],
        ${column(({ detail }) => detail)}::json[], ${column(({ hash }) => hash)}::bytea[],
        ${column(({ address }) => address.salt)}::bytea[], ${column(({ address }) => address.commitment)}::bytea[],
        ${column(({ personal }) => personal.value)}::json[], ${column(({ personal }) => personal.salt)}::bytea[],
        ${column(({ personal }) => personal.commitment)}::bytea[]) as new)
    update audit_heads set sequence = ${last.sequence}, hash = ${last.hash}
    where organization_id = ${last.organizationId} and ${standing?.holds ?? sql`true`}`.execute(tx)
  if (standing && numAffectedRows !== 1n) throw Refusal.of(standing.refusal)
}

/** Locks the trail of an organization until the transaction ends. */
export async function lockHead(
  tx: Tx,
  organization: OrganizationId,
): Promise<{ sequence: string; hash: Buffer }> {
  const { rows } = await sql<{ sequence: string; hash: Buffer }>`
    insert into audit_heads (organization_id, sequence, hash) values (${organization}, 0, ${GENESIS})
    on conflict (organization_id) do update set sequence = audit_heads.sequence
    returning sequence, hash`.execute(tx)
  const [head] = rows
  if (!head) throw new Error('the head of an audit trail could not be locked')
  return head
}

export interface AuditRecord {
  sequence: string
  at: Date
  actorKind: ActorKind
  actorUserId: string | null
  actorTokenId: string | null
  actorEmail: string | null
  action: AuditAction
  targetKind: AuditTarget['kind']
  targetId: string
  requestId: string
  address: string
  detail: Record<string, string | number | null>
}

/** Entries of an organization that fit a filter, between two sequence numbers, from the end that is asked for. */
export async function listAuditEntries(
  db: Db,
  organization: OrganizationId,
  range: { olderThan?: string; newerThan?: string; oldestFirst: boolean; limit: number },
  filter: AuditFilter = {},
): Promise<AuditRecord[]> {
  const rows = await db
    .selectFrom('audit_entries as a')
    .leftJoin('users as u', (join) =>
      join.onRef('u.id', '=', 'a.actor_user_id').on('u.deleted_at', 'is', null),
    )
    .select([
      'a.sequence',
      'a.at',
      actorKindOf.as('actorKind'),
      'a.actor_user_id as actorUserId',
      'a.actor_token_id as actorTokenId',
      'u.email as actorEmail',
      'a.action',
      'a.target_kind as targetKind',
      // an address as target is among what is said of a person
      sql<string>`case a.target_kind when 'email' then coalesce(a.personal ->> 'email', a.target_id) else a.target_id end`.as(
        'targetId',
      ),
      'a.request_id as requestId',
      'a.address',
      sql<AuditRecord['detail']>`case
        when a.personal::text = '{}' or a.target_kind = 'email' then a.detail
        else (a.detail::jsonb || a.personal::jsonb)::json end`.as('detail'),
    ])
    .where('a.organization_id', '=', organization)
    .where(fits(filter))
    .$if(range.olderThan !== undefined, (query) => query.where('a.sequence', '<', range.olderThan as string))
    .$if(range.newerThan !== undefined, (query) => query.where('a.sequence', '>', range.newerThan as string))
    .orderBy('a.sequence', range.oldestFirst ? 'asc' : 'desc')
    .limit(range.limit)
    .execute()
  return rows
}
