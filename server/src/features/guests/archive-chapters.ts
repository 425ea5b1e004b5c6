import { type ArchiveChapter, ROWS_OF_ORGANIZATION } from '../../directory/archive-chapter.ts'

export const guestInvitesChapter: ArchiveChapter = {
  name: 'guest-invites',
  table: 'guest_invites',
  columns: [
    ...['id', 'organization_id', 'room_id', 'created_by', 'created_at', 'expires_at', 'allow_all'],
    ...['allowed_admins', 'revoked_at'],
  ],
  withheld: { sealed_with: 'which key of this office has sealed its link' },
  order: ['id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    people: ['created_by'],
    imported: {},
  },
}

export const guestsChapter: ArchiveChapter = {
  name: 'guests',
  table: 'guests',
  columns: [
    ...['id', 'organization_id', 'room_id', 'invite_id', 'name', 'invited_by', 'allow_all', 'allowed_admins'],
    ...['expires_at', 'state', 'since', 'decided_by', 'decided_at', 'denials', 'ask_again_at', 'absent_at'],
    ...['created_at', 'removed_at'],
  ],
  withheld: {
    cookie_hash: 'secret',
    public_key: 'of a page that is closed by then',
    connection: 'a connection at the media server, now',
    enforce_at: 'of an earlier release',
  },
  order: ['id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    people: ['invited_by', 'decided_by'],
    imported: {},
  },
}
