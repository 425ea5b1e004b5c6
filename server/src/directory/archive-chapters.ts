import { sql } from 'kysely'
import { parseIdentityOrganizationId, parseIdentityUserId } from '../platform/ids.ts'
import { type ArchiveChapter, ROWS_OF_ORGANIZATION } from './archive-chapter.ts'
import { normalizeEmail } from './email-address.ts'
import { addressOfBot } from './users.ts'

const COUNTER = 'counts uploads of a day'

export const organizationChapter: ArchiveChapter = {
  name: 'organization',
  table: 'organizations',
  columns: ['id', 'identity_organization_id', 'name', 'logo_key', 'created_at', 'updated_at'],
  withheld: {
    deleted_at: 'only what is there is exported',
    founder_user_id: 'counts what one person has founded in this office',
    image_tries_spent: COUNTER,
    image_tries_began_at: COUNTER,
  },
  order: ['id'],
  organization: {
    where: (organization) => sql`t.id = ${organization}`,
    organizationColumn: 'id',
    imported: {
      sequence: { of: 'organizations', column: 'id' },
      problem: ({ identity_organization_id: identity, logo_key: logo }) => {
        if (!parseIdentityOrganizationId(String(identity))) return 'is no id of an organization'
        return isPicture(logo, `logos/${identity}/`) ? undefined : 'names a file that is no logo of it'
      },
    },
  },
  person: {
    columns: ['id', 'identity_organization_id', 'name'],
    where: ({ organizations }) => sql`t.id = any(${organizations}::bigint[])`,
  },
}

const members = sql`select m.user_id from memberships m where m.organization_id`

/** A former member keeps only the name under which they wrote: their present address is not the organization's. */
export const peopleChapter: ArchiveChapter = {
  name: 'people',
  table: 'users',
  columns: [
    ...['id', 'identity_user_id', 'email', 'email_verified_at', 'first_name', 'last_name', 'display_name'],
    ...['calendar_status', 'time_zone', 'avatar_key', 'language', 'created_at', 'updated_at', 'is_bot'],
  ],
  withheld: {
    former_emails: 'kept so that an erasure finds them',
    deleted_at: 'whoever was deleted is in no archive but as a name',
    last_organization_id: 'may be another organization than the one of the archive',
    image_tries_spent: COUNTER,
    image_tries_began_at: COUNTER,
  },
  order: ['id'],
  organization: {
    columns: [
      ...['id', 'identity_user_id', 'email', 'email_verified_at', 'first_name', 'last_name', 'display_name'],
      ...['avatar_key', 'created_at', 'updated_at', 'is_bot'],
    ],
    where: (_organization, people) => sql`t.id in (${people})`,
    shown: (organization) =>
      Object.fromEntries(
        ['email', 'email_verified_at', 'first_name', 'last_name', 'avatar_key'].map((column) => [
          column,
          sql`case when t.id in (${members} = ${organization}) then ${sql.ref(`t.${column}`)} end`,
        ]),
      ),
    // of several organizations
    organizationColumn: '',
    imported: {
      sequence: { of: 'users', column: 'id' },
      problem({ id, identity_user_id: identity, email, avatar_key: avatar, is_bot: isBot }) {
        if (!parseIdentityUserId(String(identity))) return 'is no id of a person'
        if (isBot && email !== null && email !== addressOfBot(String(identity))) return 'is no bot'
        if (!isBot && email !== null && normalizeEmail(String(email)) !== email) return 'is no e-mail address'
        return isPicture(avatar, `avatars/${id}/`) ? undefined : 'names a file that is no picture of theirs'
      },
      complete(row) {
        if (row.email !== null) return row
        const email = row.is_bot
          ? addressOfBot(String(row.identity_user_id))
          : `former-${row.id}@former.invalid`
        return { ...row, email, first_name: '', last_name: '' }
      },
    },
  },
  person: { where: ({ id }) => sql`t.id = ${id}` },
}

export const membershipsChapter: ArchiveChapter = {
  name: 'memberships',
  table: 'memberships',
  columns: ['organization_id', 'user_id', 'role', 'status', 'created_at', 'updated_at'],
  withheld: {
    generation: 'names a stretch of membership to tokens that were made in it',
    sort_name: 'follows the name of the person',
    agent_name: 'names workers at the media server of this office',
  },
  order: ['organization_id', 'user_id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    people: ['user_id'],
    imported: {},
  },
  person: {
    where: ({ id, organizations }) =>
      sql`t.user_id = ${id} and t.organization_id = any(${organizations}::bigint[])`,
  },
}

export const departuresChapter: ArchiveChapter = {
  name: 'departures',
  table: 'membership_departures',
  columns: ['organization_id', 'user_id', 'kind', 'removed_by', 'role', 'at'],
  withheld: {},
  order: ['organization_id', 'user_id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    people: ['user_id'],
    imported: {},
  },
  person: { columns: ['organization_id', 'kind', 'role', 'at'], where: ({ id }) => sql`t.user_id = ${id}` },
}

export const removedAddressesChapter: ArchiveChapter = {
  name: 'removed-addresses',
  table: 'removed_addresses',
  columns: ['organization_id', 'salt', 'hash', 'removed_by', 'role', 'at'],
  withheld: {},
  order: ['organization_id', 'hash'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    people: [],
    imported: {},
  },
}

export const domainsChapter: ArchiveChapter = {
  name: 'domains',
  table: 'organization_domains',
  columns: [
    ...['organization_id', 'domain', 'state', 'challenge', 'created_at', 'verified_at', 'proven_by_dns'],
    'looked_up_at',
  ],
  withheld: { id: 'nothing names it' },
  order: ['domain'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    // what the DNS says counts, not what the archive says of it, which is a file like any other
    imported: {
      complete: (row) => ({
        ...row,
        state: row.state === 'verified' ? 'pending' : row.state,
        verified_at: null,
        proven_by_dns: false,
        looked_up_at: null,
      }),
    },
  },
}

export const retentionChapter: ArchiveChapter = {
  name: 'retention',
  table: 'organization_retention',
  columns: ['organization_id', 'chat_days', 'audit_days', 'recording_days', 'session_days', 'updated_at'],
  withheld: {},
  order: ['organization_id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    imported: {},
  },
}

export const settingsChapter: ArchiveChapter = {
  name: 'settings',
  table: 'organization_settings',
  columns: ['organization_id', 'guest_admission', 'agents', 'language', 'updated_at'],
  withheld: {},
  order: ['organization_id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    imported: {},
  },
}

/** Whether a key is of a finished picture below a folder; nothing is no fault. */
function isPicture(key: unknown, folder: string): boolean {
  if (key === null) return true
  if (typeof key !== 'string' || !key.startsWith(folder)) return false
  return /^[0-9a-f-]{36}\.(jpg|png|webp)$/.test(key.slice(folder.length))
}
