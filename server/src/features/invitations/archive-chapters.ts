import { sql } from 'kysely'
import { type ArchiveChapter, ROWS_OF_ORGANIZATION } from '../../directory/archive-chapter.ts'
import { isInvitationId } from '../../platform/ids.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { newInvitationToken } from './tokens.ts'

/** Those that come back have new links: the earlier ones were secrets of another office. */
export function invitationsChapter(ring: KeyRing): ArchiveChapter {
  return {
    name: 'invitations',
    table: 'invitations',
    columns: [
      ...['identity_invitation_id', 'organization_id', 'email', 'role', 'inviter_user_id', 'created_at'],
      ...['updated_at', 'expires_at', 'accepted_at', 'accepted_by_user_id', 'revoked_at', 'superseded_at'],
      'mailed',
    ],
    withheld: { id: 'nothing names it', token_hash: 'secret', sealed_token: 'secret' },
    order: ['identity_invitation_id'],
    organization: {
      ...ROWS_OF_ORGANIZATION,
      people: ['inviter_user_id', 'accepted_by_user_id'],
      imported: {
        problem: ({ identity_invitation_id: id }) =>
          isInvitationId(String(id)) ? undefined : 'is no id of an invitation',
        complete(row) {
          const { tokenHash, sealedToken } = newInvitationToken(ring, String(row.identity_invitation_id))
          return { ...row, token_hash: bytea(tokenHash), sealed_token: bytea(sealedToken) }
        },
      },
    },
    person: {
      columns: [
        ...['identity_invitation_id', 'organization_id', 'role', 'created_at', 'expires_at', 'accepted_at'],
        'revoked_at',
      ],
      where: ({ email }) => sql`t.email = ${email}`,
    },
  }
}

/** As PostgreSQL reads it. */
function bytea(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`
}
