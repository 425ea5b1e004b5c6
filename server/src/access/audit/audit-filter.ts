import type { AuditAction, AuditEntry } from '@atrium/contract'
import { type RawBuilder, sql } from 'kysely'

type ActorKind = AuditEntry['actor']['kind']

/** The filter of a search of entries: an entry has to fit every field that is given. */
export interface AuditFilter {
  actorKind?: ActorKind | undefined
  /** Of a user, of a token, or of the connection of a directory, which has a token. */
  actorId?: string | undefined
  action?: AuditAction | undefined
  /** From this moment on. */
  since?: Date | undefined
  /** Before this moment. */
  until?: Date | undefined
}

/** Of entries `a` from before authors had a kind it is told from what they have. */
export const actorKindOf = sql<ActorKind>`coalesce(a.actor_kind, case when a.actor_user_id is not null then 'user'
  when a.detail ->> 'by' = 'identity-provider' then 'identity-provider' else 'operator' end)`

const ID = /^[0-9]{1,18}$/

/** Whether an entry `a` fits. */
export function fits({ actorKind, actorId, action, since, until }: AuditFilter): RawBuilder<boolean> {
  const conditions = [sql`true`]
  if (actorKind !== undefined) conditions.push(sql`${actorKindOf} = ${actorKind}`)
  if (actorId !== undefined) conditions.push(isActor(actorId, actorKind))
  if (action !== undefined) conditions.push(sql`a.action = ${action}`)
  if (since !== undefined) conditions.push(sql`a.at >= ${since}`)
  if (until !== undefined) conditions.push(sql`a.at < ${until}`)
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Users and tokens have ids of their own: without a kind it may be either. */
function isActor(id: string, kind: ActorKind | undefined): RawBuilder<unknown> {
  if (!ID.test(id)) return sql`false`
  const isUser = sql`a.actor_user_id = ${id}::bigint`
  const isToken = sql`a.actor_token_id = ${id}::bigint`
  if (kind === undefined) return sql`(${isUser} or ${isToken})`
  return kind === 'token' || kind === 'directory' ? isToken : isUser
}
