import { sql } from 'kysely'
import { type ArchiveChapter, ROWS_OF_ORGANIZATION } from '../directory/archive-chapter.ts'

/** As it was written: what it says of people stays, and the chain can be verified again. */
export const auditChapter: ArchiveChapter = {
  name: 'audit',
  table: 'audit_entries',
  columns: [
    ...['organization_id', 'sequence', 'at', 'actor_kind', 'actor_user_id', 'actor_token_id', 'action'],
    ...['target_kind', 'target_id', 'request_id', 'address', 'detail', 'hash', 'chain', 'personal'],
    ...['address_salt', 'address_commitment', 'personal_salt', 'personal_commitment'],
  ],
  withheld: {},
  order: ['organization_id', 'sequence'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    people: ['actor_user_id'],
    numbers: { actor_token_id: 'tokens' },
    imported: {},
  },
  person: {
    columns: [
      ...['organization_id', 'sequence', 'at', 'actor_kind', 'actor_user_id', 'action', 'target_kind'],
      ...['target_id', 'address', 'detail', 'personal'],
    ],
    where: ({ id, organizations }) =>
      sql`t.organization_id = any(${organizations}::bigint[])
        and (t.actor_user_id = ${id} or (t.target_kind = 'user' and t.target_id = ${id}))`,
    // where others were is theirs
    shown: ({ id }) => ({ address: sql`case when t.actor_user_id = ${id} then t.address end` }),
  },
}

export const auditHeadChapter: ArchiveChapter = {
  name: 'audit-head',
  table: 'audit_heads',
  columns: ['organization_id', 'sequence', 'hash'],
  withheld: {},
  order: ['organization_id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    imported: {},
  },
}

/** Where the beginning of the trail was removed: the chain goes on from there. */
export const auditCutChapter: ArchiveChapter = {
  name: 'audit-cut',
  table: 'audit_cuts',
  columns: ['organization_id', 'sequence', 'hash', 'cut_at'],
  withheld: { statement: 'signed by the office that it was removed in' },
  order: ['organization_id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    // signed again once the trail is verified
    imported: { complete: (row) => ({ ...row, statement: '' }) },
  },
}

export const tokensChapter: ArchiveChapter = {
  name: 'tokens',
  table: 'bearer_tokens',
  columns: [
    ...['id', 'organization_id', 'kind', 'name', 'operations', 'created_by', 'created_at', 'expires_at'],
    ...['last_used_at', 'user_id'],
  ],
  withheld: { token_hash: 'secret' },
  order: ['id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    people: ['created_by', 'user_id'],
    numbers: { id: 'tokens' },
    imported: { never: 'a token is nothing without its secret: make new ones' },
  },
}

export const sessionsChapter: ArchiveChapter = {
  name: 'sessions',
  table: 'sessions',
  columns: [
    ...['id', 'method', 'created_at', 'last_seen_at', 'idle_expires_at', 'absolute_expires_at', 'revoked_at'],
    ...['network', 'device', 'signed_in_at'],
  ],
  withheld: {
    token_hash: 'secret',
    replaced_by_hash: 'secret',
    upstream_session: 'secret',
    user_id: 'is the person',
    active_organization_id: 'where somebody works now',
    sso_organization_id: 'may be an organization that they have left',
    superseded: 'whether the same browser goes on under another id',
  },
  order: ['id'],
  person: { where: ({ id }) => sql`t.user_id = ${id}` },
}
