import { sql } from 'kysely'
import type { ArchiveChapter, ArchivedPerson, NewNumbers } from '../../directory/archive-chapter.ts'
import type { OrganizationId } from '../../platform/ids.ts'

export const conversationsChapter: ArchiveChapter = {
  name: 'conversations',
  table: 'conversations',
  columns: [
    ...['conversation_id', 'org_id', 'type', 'low_user_id', 'high_user_id', 'title', 'room_id', 'created_at'],
    ...['updated_at', 'created_by', 'import_key'],
  ],
  withheld: {},
  order: ['conversation_id'],
  organization: {
    where: (organization) => sql`t.org_id = ${organization}`,
    organizationColumn: 'org_id',
    people: ['low_user_id', 'high_user_id', 'created_by'],
    imported: { sequence: { of: 'conversations', column: 'conversation_id' } },
  },
  person: {
    where: ({ id, organizations }) =>
      sql`t.org_id = any(${organizations}::bigint[]) and exists (
        select from conversation_members m where m.conversation_id = t.conversation_id and m.user_id = ${id})`,
  },
}

const CONTENT_MAX = 4_000

/** A mention of a person whom the archive does not know is no mention any more; in a text that has no room, its `@` stays. */
function renumberedMentions(content: string, numbers: NewNumbers): string {
  const said = content.replaceAll(/<@([1-9]\d{0,17})>/g, (_, number: string) => {
    const next = numbers.of('users', number)
    return next === undefined ? `@${number}` : `<@${next}>`
  })
  return [...said].length <= CONTENT_MAX ? said : content.replaceAll(/<@[1-9]\d{0,17}>/g, '@')
}

/** Of a person those that they have written: what others wrote is theirs. */
export const messagesChapter: ArchiveChapter = {
  name: 'messages',
  table: 'messages',
  columns: [
    ...['message_id', 'conversation_id', 'org_id', 'sender_id', 'content', 'parent_message_id'],
    ...[
      'guest_id',
      'guest_name',
      'client_message_id',
      'reply_count',
      'is_edited',
      'is_deleted',
      'created_at',
      'updated_at',
      'edited_at',
    ],
  ],
  withheld: {},
  order: ['message_id'],
  organization: {
    where: (organization) => sql`t.org_id = ${organization}`,
    organizationColumn: 'org_id',
    people: ['sender_id'],
    numbers: { conversation_id: 'conversations', parent_message_id: 'messages' },
    imported: {
      renumbered: (row, numbers) =>
        typeof row.content === 'string' ? { ...row, content: renumberedMentions(row.content, numbers) } : row,
      sequence: { of: 'messages', column: 'message_id' },
      // in archives of earlier releases a message may be its own ancestor
      filled: {
        parent_message_id: sql`case when r.parent_message_id < r.message_id then r.parent_message_id end`,
      },
    },
  },
  person: {
    where: ({ id, organizations }) => sql`t.sender_id = ${id} and t.org_id = any(${organizations}::bigint[])`,
  },
}

/**
 * After the messages: it says how far each has read. That is theirs alone: in an organization's archive it reads null, and
 * what is imported counts as read.
 */
export const conversationMembersChapter: ArchiveChapter = {
  name: 'conversation-members',
  table: 'conversation_members',
  columns: ['conversation_id', 'user_id', 'org_id', 'last_read_message_id', 'joined_at'],
  withheld: {},
  order: ['conversation_id', 'user_id'],
  organization: {
    where: (organization) => sql`t.org_id = ${organization}`,
    shown: () => ({ last_read_message_id: sql`null::bigint` }),
    organizationColumn: 'org_id',
    people: ['user_id'],
    numbers: { conversation_id: 'conversations', last_read_message_id: 'messages' },
    imported: {
      filled: {
        last_read_message_id: sql`coalesce(r.last_read_message_id,
          (select max(m.message_id) from messages m where m.conversation_id = r.conversation_id))`,
      },
    },
  },
  person: {
    where: ({ id, organizations }) => sql`t.user_id = ${id} and t.org_id = any(${organizations}::bigint[])`,
  },
}

/** When a person was last there, and what they chose then: of interest to them alone. */
export const chatPresenceChapter: ArchiveChapter = {
  name: 'chat-presence',
  table: 'chat_presence',
  columns: ['org_id', 'user_id', 'status', 'last_seen_at', 'hidden'],
  withheld: {},
  order: ['org_id'],
  person: {
    where: ({ id, organizations }) => sql`t.user_id = ${id} and t.org_id = any(${organizations}::bigint[])`,
  },
}

const ofOrganization = {
  where: (organization: OrganizationId) => sql<boolean>`t.org_id = ${organization}`,
  organizationColumn: 'org_id',
  people: ['user_id'],
  numbers: { conversation_id: 'conversations', message_id: 'messages' },
  imported: {},
} as const
const ofPerson = {
  where: ({ id, organizations }: ArchivedPerson) =>
    sql<boolean>`t.user_id = ${id} and t.org_id = any(${organizations}::bigint[])`,
}

export const reactionsChapter: ArchiveChapter = {
  name: 'reactions',
  table: 'reactions',
  columns: ['message_id', 'conversation_id', 'org_id', 'user_id', 'emoji', 'created_at'],
  withheld: {},
  order: ['message_id', 'user_id', 'emoji'],
  organization: ofOrganization,
  person: ofPerson,
}

/** Follows from what the messages say; of a person what others have said to them is theirs. */
export const mentionsChapter: ArchiveChapter = {
  name: 'mentions',
  table: 'mentions',
  columns: ['message_id', 'conversation_id', 'org_id', 'user_id'],
  withheld: {},
  order: ['message_id', 'user_id'],
  organization: ofOrganization,
}

/** Drafts, and what is announced to a person: all of it is theirs alone. */
export const conversationChoicesChapter: ArchiveChapter = {
  name: 'conversation-choices',
  table: 'conversation_choices',
  columns: ['conversation_id', 'user_id', 'org_id', 'level', 'draft', 'updated_at'],
  withheld: {},
  order: ['conversation_id'],
  person: ofPerson,
}

export const threadFollowsChapter: ArchiveChapter = {
  name: 'thread-follows',
  table: 'thread_follows',
  columns: ['message_id', 'conversation_id', 'user_id', 'org_id', 'follows'],
  withheld: {},
  order: ['message_id'],
  person: ofPerson,
}

const isKeyOf = (organization: unknown, key: unknown) =>
  typeof key === 'string' && new RegExp(`^attachments/${organization}/[0-9a-f-]{36}$`).test(key)

/** Files of messages, with their previews, after the messages. What was not sent is swept. */
export const attachmentsChapter: ArchiveChapter = {
  name: 'attachments',
  table: 'attachments',
  columns: [
    ...[
      'attachment_id',
      'message_id',
      'conversation_id',
      'org_id',
      'user_id',
      'position',
      'name',
      'content_type',
    ],
    ...['bytes', 'width', 'height', 'object_key', 'preview_key', 'created_at', 'finished_at'],
  ],
  withheld: {
    upload_key: 'of an upload that is under way',
    upload_session: 'of an upload that is under way',
  },
  order: ['attachment_id'],
  organization: {
    ...ofOrganization,
    where: (organization) => sql`t.org_id = ${organization} and t.message_id is not null`,
    imported: {
      sequence: { of: 'attachments', column: 'attachment_id' },
      problem: ({ org_id, object_key, preview_key }) =>
        isKeyOf(org_id, object_key) && (preview_key === null || preview_key === `${object_key}.webp`)
          ? undefined
          : 'names a file that is none of theirs',
    },
  },
  person: {
    where: ({ id, organizations }) =>
      sql`t.user_id = ${id} and t.org_id = any(${organizations}::bigint[]) and t.message_id is not null`,
  },
}
