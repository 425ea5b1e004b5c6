import { createHash } from 'node:crypto'
import type { AuditAction } from '@atrium/contract'
import { type ColumnType, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { networkOf } from '../platform/http/network-address.ts'
import type { OrganizationId, UserId } from '../platform/ids.ts'

declare module '../platform/database/database.ts' {
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
      hash: Buffer
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
    | 'guest'
    | 'guest-invite'
    | 'recording'
    | 'service-token'
    | 'webhook'
    | 'directory-connection'
    | 'directory-group'
  id: string
}

/** What kind of author does something. */
export type ActorKind = 'user' | 'operator' | 'identity-provider' | 'directory' | 'token'

/**
 * Who did it: somebody over the network, whose user is null where it is not known who they are (a sign-in that is
 * refused); a program with a token, or a directory by one of its connections; or somebody who acts without a request.
 */
export type AuditAuthor =
  | { user: { id: UserId } | null; requestId: string; address: string }
  | { token: { id: string }; requestId: string; address: string }
  | { directory: { id: string }; requestId: string; address: string }
  | { kind: Exclude<ActorKind, 'user' | 'token'> }

/** Whoever is at the command line. */
export const OPERATOR = { kind: 'operator' } as const satisfies AuditAuthor

export interface AuditEntry {
  action: AuditAction
  target: AuditTarget
  /** What changed. No secrets, and nothing that the ids do not already tell, where possible. */
  detail?: Record<string, string | number | null>
}

const GENESIS = Buffer.alloc(32)

/**
 * Writes an entry, in the transaction of the change itself. Call it last: it locks the trail of the organization
 * until the transaction ends.
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

const REPEATED_WITHIN_MS = 60 * 60 * 1_000
const REPEATED_AMONG = 100

/**
 * Writes an entry about something that anybody may try over and over: not where the same stands among the last entries
 * of the hour already, so that nobody can fill the trail of an organization.
 */
export async function recordAttempt(
  tx: Tx,
  organization: OrganizationId,
  author: AuditAuthor,
  now: Date,
  entry: AuditEntry,
): Promise<void> {
  const since = new Date(now.getTime() - REPEATED_WITHIN_MS)
  const { rows } = await sql`
    select 1 from (select at, action, target_kind, target_id from audit_entries
      where organization_id = ${organization} order by sequence desc limit ${REPEATED_AMONG}) as entry
    where action = ${entry.action} and target_kind = ${entry.target.kind} and target_id = ${entry.target.id}
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
  const chained: (HashedEntry & { hash: Buffer })[] = []
  for (const entry of entries) {
    const before = chained.at(-1) ?? head
    const hashed: HashedEntry = {
      organizationId: organization,
      sequence: String(BigInt(before.sequence) + 1n),
      at: now.toISOString(),
      ...actorOf(author),
      action: entry.action,
      targetKind: entry.target.kind,
      targetId: entry.target.id,
      detail: JSON.stringify(entry.detail ?? {}),
    }
    chained.push({ ...hashed, hash: hashOf(hashed, before.hash) })
  }
  await append(tx, chained)
}

/** Of an address only its network is kept. */
function actorOf(author: AuditAuthor): Actor {
  if ('kind' in author) return { ...NOBODY, actorKind: author.kind, requestId: '', address: '' }
  const request = { requestId: author.requestId, address: networkOf(author.address) }
  if ('directory' in author)
    return { ...NOBODY, actorKind: 'directory', actorTokenId: author.directory.id, ...request }
  if ('token' in author) return { ...NOBODY, actorKind: 'token', actorTokenId: author.token.id, ...request }
  return { ...NOBODY, actorKind: 'user', actorUserId: author.user?.id ?? null, ...request }
}

type Actor = Pick<HashedEntry, 'actorKind' | 'actorUserId' | 'actorTokenId' | 'requestId' | 'address'>
const NOBODY = { actorUserId: null, actorTokenId: null }

/** Entries of one author at one moment, in the order of the chain. */
async function append(tx: Tx, entries: readonly (HashedEntry & { hash: Buffer })[]): Promise<void> {
  const last = entries.at(-1)
  if (!last) return
  const column = (key: keyof (typeof entries)[number]) => entries.map((entry) => entry[key])
  await sql`
    with entry as (
      insert into audit_entries (organization_id, sequence, at, actor_kind, actor_user_id, actor_token_id, action,
        target_kind, target_id, request_id, address, detail, hash)
      select ${last.organizationId}::bigint, sequence, ${last.at}::timestamptz, ${last.actorKind}::text,
        ${last.actorUserId}::bigint, ${last.actorTokenId}::bigint, action, target_kind, target_id, ${last.requestId}::text, ${last.address}::text, detail, hash
      from unnest(${column('sequence')}::bigint[], ${column('action')}::text[], ${column('targetKind')}::text[],
        ${column('targetId')}::text[], ${column('detail')}::json[], ${column('hash')}::bytea[])
        as new (sequence, action, target_kind, target_id, detail, hash))
    update audit_heads set sequence = ${last.sequence}, hash = ${last.hash}
    where organization_id = ${last.organizationId}`.execute(tx)
}

async function lockHead(tx: Tx, organization: OrganizationId): Promise<{ sequence: string; hash: Buffer }> {
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

/** Entries of an organization between two sequence numbers, from the end that is asked for. */
export async function listAuditEntries(
  db: Db,
  organization: OrganizationId,
  range: { olderThan?: string; newerThan?: string; oldestFirst: boolean; limit: number },
): Promise<AuditRecord[]> {
  const rows = await db
    .selectFrom('audit_entries as a')
    .leftJoin('users as u', 'u.id', 'a.actor_user_id')
    .select([
      'a.sequence',
      'a.at',
      // of entries from before authors had a kind it is told from what they have
      sql<ActorKind>`coalesce(a.actor_kind, case when a.actor_user_id is not null then 'user'
        when a.detail ->> 'by' = 'identity-provider' then 'identity-provider' else 'operator' end)`.as(
        'actorKind',
      ),
      'a.actor_user_id as actorUserId',
      'a.actor_token_id as actorTokenId',
      'u.email as actorEmail',
      'a.action',
      'a.target_kind as targetKind',
      'a.target_id as targetId',
      'a.request_id as requestId',
      'a.address',
      'a.detail',
    ])
    .where('a.organization_id', '=', organization)
    .$if(range.olderThan !== undefined, (query) => query.where('a.sequence', '<', range.olderThan as string))
    .$if(range.newerThan !== undefined, (query) => query.where('a.sequence', '>', range.newerThan as string))
    .orderBy('a.sequence', range.oldestFirst ? 'asc' : 'desc')
    .limit(range.limit)
    .execute()
  return rows
}

export interface AuditVerdict {
  entries: number
  /** Number of the first entry that is not as it was written, is missing, or does not follow the one before. */
  brokenAt: string | undefined
}

const VERIFY_BATCH = 1_000

/** Reads a whole trail and recomputes every hash of it. */
export async function verifyAuditTrail(db: Db, organization: OrganizationId): Promise<AuditVerdict> {
  let hash: Buffer = GENESIS
  let sequence = 0n
  for (;;) {
    const { rows } = await sql<HashedEntry & { hash: Buffer }>`
      select organization_id as "organizationId", sequence, to_char(at at time zone 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, actor_kind as "actorKind",
        actor_user_id as "actorUserId", actor_token_id as "actorTokenId", action,
        target_kind as "targetKind", target_id as "targetId", request_id as "requestId", address,
        detail::text as detail, hash
      from audit_entries where organization_id = ${organization} and sequence > ${String(sequence)}
      order by sequence limit ${VERIFY_BATCH}`.execute(db)
    for (const { hash: stored, ...entry } of rows) {
      const next = sequence + 1n
      if (entry.sequence !== String(next) || !hashOf(entry, hash).equals(stored)) {
        return { entries: Number(sequence), brokenAt: String(next) }
      }
      sequence = next
      hash = stored
    }
    if (rows.length < VERIFY_BATCH) break
  }
  const { rows } = await sql<{ sequence: string; hash: Buffer }>`
    select sequence, hash from audit_heads where organization_id = ${organization}`.execute(db)
  const head = rows[0] ?? { sequence: '0', hash: GENESIS }
  const cutOff = head.sequence !== String(sequence) || !head.hash.equals(hash)
  return { entries: Number(sequence), brokenAt: cutOff ? String(sequence + 1n) : undefined }
}

/** What the hash of an entry covers: all of it, in the order of these fields, and the hash of the entry before. */
interface HashedEntry {
  organizationId: string
  sequence: string
  at: string
  /** Null in entries from before authors had a kind: there the hash does not cover it. */
  actorKind: string | null
  actorUserId: string | null
  /** Null where no token did it: there the hash does not cover it. */
  actorTokenId: string | null
  action: string
  targetKind: string
  targetId: string
  requestId: string
  address: string
  detail: string
}

function hashOf(entry: HashedEntry, previous: Buffer): Buffer {
  const covered = [
    previous.toString('hex'),
    entry.organizationId,
    entry.sequence,
    entry.at,
    entry.actorUserId,
    entry.action,
    entry.targetKind,
    entry.targetId,
    entry.requestId,
    entry.address,
    entry.detail,
    ...(entry.actorKind === null ? [] : [entry.actorKind]),
    ...(entry.actorTokenId === null ? [] : [entry.actorTokenId]),
  ]
  return createHash('sha256').update(JSON.stringify(covered)).digest()
}
