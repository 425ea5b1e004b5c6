import type { AtriumClient } from '@atrium/client'
import { chatterOf, openDm } from '../chapters/chat.ts'
import { internalIdOf } from '../chapters/limits.ts'
import type { TestOffice } from '../office.ts'
import { newFounder, newMember } from '../people.ts'
import type { Task } from './rows-read.ts'
import { vacuum } from './vacuumed.ts'

/** One organization that has been at work, and the lists that its founder looks at. */
export interface LargeOrganization {
  /** Adds people, with what each brings along, until there are so many. */
  grow(people: number): Promise<void>
  lists: Task[]
}

/** Neither triggers nor foreign keys: they would be most of the time. */
const BEGIN = 'begin; set local session_replication_role = replica'

export async function openLargeOrganization(office: TestOffice): Promise<LargeOrganization> {
  const founder = await newFounder(office, 'Large')
  const other = await newMember(office, founder, 'member')
  const conversation = await openDm(await chatterOf(office, founder), other)
  const { id: room } = (await founder.browser.call('createRoom', { name: 'Kitchen' })).room
  const { pool } = office.database
  const organization = await internalIdOf(office, founder)
  let there = 0
  return {
    async grow(people) {
      const client = await pool.connect()
      try {
        await client.query(BEGIN)
        const place = { organization, founder: founder.id, conversation, room }
        for (const statement of seedOf(place)) await client.query(statement, [there + 1, people])
        await client.query('commit')
        await vacuum(client)
        there = people
      } finally {
        client.release()
      }
    },
    lists: listsOf(founder.browser, { conversation, room }),
  }
}

interface Place {
  organization: string
  founder: string
  conversation: number
  room: string
}

/** Parameters: the first and the last person. Each has written, made a room, recorded, invited and been talked to. */
function seedOf({ organization, founder, conversation, room }: Place): string[] {
  const people = 'generate_series($1::int, $2::int) p'
  const user = '(1000000 + p)'
  return [
    `insert into users (id, identity_user_id, email, display_name, created_at, updated_at) overriding system value
     select ${user}, 'user_large_' || p, 'person' || p || '@large.example',
       initcap(translate(md5(p::text), '0123456789', 'ghijklmnop')), now(), now() from ${people}`,
    `insert into memberships (organization_id, user_id, role, status, sort_name, created_at, updated_at)
     select ${organization}, ${user}, 'member', 'active', lower(u.display_name), now(), now()
     from ${people} join users u on u.id = ${user}`,
    `insert into presence (organization_id, user_id, status, confirmed_at, revision)
     select ${organization}, ${user}, 'offline', now(), 2 from ${people}`,
    `insert into rooms (id, organization_id, name, created_by, created_at)
     select md5('large room ' || p)::uuid, ${organization}, 'Room ' || p, ${user}, now() from ${people} where p % 10 = 0`,
    `insert into recordings (id, organization_id, room_id, egress_id, state, conference_topic, zone_id, participants,
       started_by, requested_at, started_at, ended_at, file_key)
     select md5('large film ' || p)::uuid, ${organization}, '${room}', 'EG_large_' || p, 'completed', '', '', '',
       ${user}, now() - p * interval '1 minute', now() - p * interval '1 minute', now(), 'recordings/large/' || p
     from ${people}`,
    `insert into guest_invites (id, organization_id, room_id, created_by, created_at, expires_at, allow_all, allowed_admins)
     select 'large' || p, ${organization}, '${room}', ${user}, now() - p * interval '1 minute', now() + interval '20 days',
       true, '{}' from ${people}`,
    `insert into guests (id, organization_id, room_id, invite_id, name, invited_by, allow_all, allowed_admins, expires_at,
       state, since, absent_at, created_at)
     select md5('large guest ' || p)::uuid, ${organization}, md5('large room ' || p / 10 * 10)::uuid, 'large' || p, 'Guest', ${user}, true, '{}',
       now() + interval '20 days', 'left', now() - interval '2 days', now() - interval '2 days', now() - interval '2 days'
     from ${people}`,
    `insert into invitations (identity_invitation_id, organization_id, email, role, inviter_user_id, token_hash,
       sealed_token, created_at, updated_at, expires_at)
     select 'invitation_large_' || p, ${organization}, 'invited' || p || '@large.example', 'member', ${user},
       sha256(('large ' || p)::bytea), '', now() - p * interval '1 minute', now(), now() - interval '1 day' from ${people}`,
    `insert into audit_entries (organization_id, sequence, at, actor_kind, actor_user_id, action, target_kind, target_id,
       request_id, address, detail, hash)
     select ${organization}, 1000 + p, now() + p * interval '1 second', 'user', ${user}, 'member.left', 'user', ${user}::text,
       'seed', '127.0.0.1', '{}', '' from ${people}`,
    `insert into conversations (conversation_id, org_id, type, low_user_id, high_user_id, created_at, updated_at)
     overriding system value
     select 1000000 + p, ${organization}, 'DM', ${founder}, ${user}, now(), now() - p * interval '1 minute' from ${people}`,
    `insert into conversation_members (conversation_id, user_id, org_id, joined_at)
     select 1000000 + p, one, ${organization}, now() from ${people}, unnest(array[${founder}, ${user}]) one`,
    `insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited, is_deleted,
       created_at, updated_at)
     select 1000000 + p * 2 + n, case n when 0 then ${conversation} else 1000000 + p end, ${organization}, ${founder},
       'Hello', 0, false, false, now(), now() from ${people}, generate_series(0, 1) n`,
    // threads that the founder follows, in the conversation of each
    `insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited, is_deleted,
       created_at, updated_at, parent_message_id)
     select 100000000 + p * 10 + n, 1000000 + p, ${organization}, ${user}, 'Reply', 0, false, false, now(), now(),
       1000000 + p * 2 + 1 from ${people}, generate_series(0, 4) n`,
    `insert into thread_follows (message_id, conversation_id, user_id, org_id, follows)
     select 1000000 + p * 2 + 1, 1000000 + p, ${founder}, ${organization}, true from ${people}`,
    `insert into exports (id, organization_id, started_by, state, started_at, ended_at, expires_at, object_key)
     select md5('large export ' || p)::uuid, ${organization}, ${founder}, 'expired', now() - p * interval '1 day', now(),
       now(), 'exports/' || p from ${people}`,
  ]
}

/** The lists of the contract that show an organization; those of one person's own things do not grow with it. */
function listsOf(
  browser: AtriumClient,
  { conversation, room }: { conversation: number; room: string },
): Task[] {
  const list = (name: string, run: () => Promise<unknown>): Task => ({ name, run })
  return [
    list('members/list', () => browser.call('listMembers', {})),
    list('members/list by a text', () => browser.call('listMembers', { query: 'person9' })),
    list('members/list by presence', () => browser.call('listMembers', { presence: 'online' })),
    list('organizations/list', () => browser.call('listOrganizations', {})),
    list('invitations', () => browser.call('listInvitation')),
    list('audit log', () => browser.call('listAuditLog', {})),
    list('rooms/list', () => browser.call('listRooms')),
    list('recordings/list', () => browser.call('listRecordings', {})),
    list('guest links', () => browser.call('listGuestInvites', {})),
    list('guests who wait', () => browser.call('listWaitingGuests')),
    list('guests of a room', () => browser.call('listGuests', { roomId: room })),
    list('conversations/list', () => browser.call('listConversations', {})),
    list('threads/list', () => browser.call('listThreads', {})),
    list('messages/list', () => browser.call('listMessages', { conversationId: conversation })),
    list('exports of an organization', () => browser.call('listOrganizationExports', {})),
    list('exports of a person', () => browser.call('listUserExports', {})),
    list('sessions', () => browser.call('listSessions', {})),
    list('bots', () => browser.call('listBots', {})),
    list('service tokens', () => browser.call('listServiceTokens', {})),
    list('webhooks', () => browser.call('listWebhooks', {})),
    list('domains', () => browser.call('listOrganizationDomains', {})),
    list('directory connections', () => browser.call('listDirectoryConnections', {})),
    list('directory groups', () => browser.call('listDirectoryGroups', {})),
    list('directory refusals', () => browser.call('listDirectoryRefusals', {})),
    list('push subscriptions', () => browser.call('listPushSubscriptions', {})),
  ]
}
