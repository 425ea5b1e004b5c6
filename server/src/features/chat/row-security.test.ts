import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, conversationOf, sendMany } from '../../../tests/chapters/chat.ts'
import { asRole, claimsIn } from '../../../tests/chapters/chat-role.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

/**
 * The database alone, without any code of ours before it: a client that works as the role `authenticated` with the claims
 * of a token.
 */

let office: TestOffice
let mine: Awaited<ReturnType<typeof conversationOf>>
let foreign: Awaited<ReturnType<typeof conversationOf>>
let foreignMessage: number
let myMessage: number
beforeAll(async () => {
  office = await openTestOffice()
  mine = await conversationOf(office)
  foreign = await conversationOf(office)
  foreignMessage = (await sendMany(office, foreign.ada, foreign.conversation, ['secret']))[0] as number
  myMessage = (await sendMany(office, mine.ben, mine.conversation, ['hello']))[0] as number
})
afterAll(() => office.close())

const stateOf = (from: Chatter, statement: string) =>
  asRole(office, claimsIn(from.token), (client) =>
    client.query(statement).then(
      ({ rowCount }) => `${rowCount} rows`,
      (error: { code: string }) => error.code,
    ),
  )
const rowsOf = (claims: string | undefined, statement: string) =>
  asRole(office, claims, async (client) => (await client.query(statement)).rows)

describe('the role of tokens', () => {
  it('has no right to any other table, sequence or function of ours', async () => {
    const { rows } = await office.database.pool.query<{ relation: string; rights: string }>(
      `select c.relname as relation, string_agg(p, ',' order by p) as rights
       from pg_class c, unnest(case when c.relkind = 'S' then array['usage', 'select', 'update'] else
         array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'] end) p
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p', 'f', 'S')
         and case when c.relkind = 'S' then has_sequence_privilege('authenticated', c.oid, p)
           else has_table_privilege('authenticated', c.oid, p) end
       group by c.relname order by c.relname`,
    )
    expect(rows).toEqual([
      { relation: 'attachment_rows', rights: 'select' },
      { relation: 'chat_presence_rows', rights: 'select' },
      { relation: 'conversation_choices', rights: 'select' },
      { relation: 'conversation_member_rows', rights: 'select' },
      { relation: 'conversation_members', rights: 'select' },
      { relation: 'conversations', rights: 'select' },
      { relation: 'mentions', rights: 'select' },
      { relation: 'message_rows', rights: 'select' },
      { relation: 'messages', rights: 'insert,select' },
      { relation: 'reactions', rights: 'select' },
      { relation: 'thread_follows', rights: 'select' },
    ])
    const functions = await office.database.pool.query<{ name: string }>(
      `select proname as name from pg_proc
       where pronamespace = 'public'::regnamespace and prosecdef and has_function_privilege('authenticated', oid, 'execute')
       order by proname`,
    )
    expect(functions.rows.map(({ name }) => name)).toEqual([
      ...[
        'chat_conversations',
        'choose_of_conversation',
        'delete_message',
        'edit_message',
        'file_of_attachment',
      ],
      'follow_thread',
      'get_conversations',
      'get_recent_dms',
      ...['list_conversations', 'list_threads', 'mark_read', 'mark_unread', 'may_attach', 'message_at'],
      'open_conversation',
      'open_dm',
      'open_room_conversation',
      ...['search_messages', 'set_reaction'],
      'update_presence',
      'update_read_cursor',
    ])
    const { rows: role } = await office.database.pool.query(
      `select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb from pg_roles where rolname = 'authenticated'`,
    )
    expect(new Set(Object.values(role[0]))).toEqual(new Set([false]))
  })

  it.each([
    'select * from users',
    'select * from sessions',
    'select * from memberships',
    'select * from organizations',
    'select * from presence',
    'select * from chat_presence',
    'select * from attachments',
    'select * from centrifugo_outbox',
    `insert into centrifugo_outbox (method, payload) values ('publish', '{}')`,
    `insert into conversations (org_id, low_user_id, high_user_id, created_at, updated_at) values (1, 1, 2, now(), now())`,
    `insert into conversation_members (conversation_id, user_id, org_id, joined_at) values (1, 1, 1, now())`,
    `update messages set content = 'changed'`,
    'delete from messages',
    `insert into reactions (message_id, conversation_id, org_id, user_id, emoji, created_at) values (1, 1, 1, 1, '👍', now())`,
    'delete from reactions',
    'delete from mentions',
    `update conversation_choices set draft = ''`,
    'delete from thread_follows',
    'select note_mentions(m) from messages m',
    'select hold_message(1)',
    'select chat_unread(1, 1, 1)',
    'truncate messages',
    'update conversation_members set last_read_message_id = null',
    'delete from conversation_member_rows',
    'select has_marks_in_a_row($$x$$)',
    `select composed('x', 1, 'x', '23514', 'x')`,
    'update conversations set updated_at = now()',
    `select nextval('message_ids')`,
    `select setval('message_ids', 1)`,
    'alter table messages disable row level security',
    'drop policy messages_of_own_conversations on messages',
    'create table public.mine (id int)',
    'create function public.mine() returns int language sql as $$ select 1 $$',
    `select append_event('{org:x}', 'x', now(), '{}', 'x')`,
    'select chat_is_member(1, 1)',
    `select join_room_conversation(1, null, 1, 1)`,
    `update conversations set title = 'changed'`,
  ])('may not: %s', async (statement) => {
    expect(await stateOf(mine.ada, statement)).toBe('42501')
  })

  it('sees its own conversation and nothing else, whatever it asks', async () => {
    const claims = claimsIn(mine.ada.token)
    const own = { conversation_id: String(mine.conversation) }
    for (const table of ['conversations', 'messages'])
      expect(await rowsOf(claims, `select conversation_id from ${table}`)).toEqual([own])
    expect(await rowsOf(claims, 'select conversation_id from conversation_members')).toEqual([own])
    expect(await rowsOf(claims, 'select conversation_id from conversation_member_rows')).toEqual([own, own])
    for (const statement of [
      `select from messages where message_id = ${foreignMessage}`,
      `select from messages where conversation_id = ${foreign.conversation} or true and content like '%secret%'`,
      `select from get_conversation_messages(${foreign.conversation})`,
      `select from messages m join messages o on o.content = 'secret'`,
      `select from conversations where org_id <> (select chat_org_id())`,
    ])
      expect(await rowsOf(claims, statement), statement).toEqual([])
  })

  it('sees reactions and mentions of its conversations, choices of its own, and changes nothing of strangers', async () => {
    const [here, there] = [await conversationOf(office), await conversationOf(office)]
    const messages: number[] = []
    for (const { ada, ben, conversation } of [here, there]) {
      const [messageId] = (await sendMany(office, ada, conversation, [`<@${ben.id}>`])) as [number]
      messages.push(messageId)
      await ben.browser.call('addReaction', { messageId, emoji: '👍' })
      await ben.browser.call('followThread', { messageId, follow: true })
      await ada.browser.call('setDraft', { conversationId: conversation, content: 'secret' })
    }
    const foreignMessage = messages[1]
    const claims = claimsIn(here.ada.token)
    const own = { conversation_id: String(here.conversation) }
    for (const table of ['reactions', 'mentions', 'conversation_choices'])
      expect(await rowsOf(claims, `select conversation_id from ${table}`), table).toEqual([own])
    expect(await rowsOf(claims, 'select from thread_follows')).toEqual([])
    expect(await rowsOf(claims, `select from messages_shown(array[${foreignMessage}])`)).toEqual([])
    for (const statement of [
      `select edit_message(${foreignMessage}, 'x', null)`,
      `select delete_message(${foreignMessage})`,
      `select set_reaction(${foreignMessage}, '👍', true)`,
      `select follow_thread(${foreignMessage}, true)`,
      `select choose_of_conversation(${there.conversation}, 'none', null)`,
      `select mark_read(${there.conversation}, ${foreignMessage})`,
      `select mark_unread(${there.conversation}, ${foreignMessage})`,
      `select list_messages(${there.conversation}, null, null, null, null, 10)`,
    ])
      expect(await stateOf(here.ada, statement), statement).toBe('PT404')
  })

  it('cannot look at hidden rows by a function of its own that the planner runs early', async () => {
    const seen = await asRole(office, claimsIn(mine.ada.token), async (client) => {
      await client.query(`create function pg_temp.tell(text) returns boolean language plpgsql cost 0.0000001 as
        $$ begin perform set_config('test.seen', coalesce(current_setting('test.seen', true), '') || '|' || $1, true); return true; end $$`)
      await client.query('select from messages where pg_temp.tell(content)')
      return (await client.query(`select current_setting('test.seen', true) as seen`)).rows[0].seen
    })
    expect(seen).toBe('|hello')
    const people = await asRole(office, claimsIn(mine.ada.token), async (client) => {
      await client.query(`create function pg_temp.tell(bigint) returns boolean language plpgsql cost 0.0000001 as
        $$ begin perform set_config('test.seen', coalesce(current_setting('test.seen', true), '') || '|' || $1, true); return true; end $$`)
      await client.query('select from chat_presence_rows where pg_temp.tell(user_id)')
      return (await client.query(`select current_setting('test.seen', true) as seen`)).rows[0].seen
    })
    expect(people.split('|').filter(Boolean).sort()).toEqual([mine.ada.id, mine.ben.id].sort())
  })

  it('cannot put its own tables in the place of ours', async () => {
    const rows = await asRole(office, claimsIn(mine.ada.token), async (client) => {
      await client.query(
        'create temp table memberships (organization_id bigint, user_id bigint, status text)',
      )
      await client.query(
        'create temp table conversation_members (conversation_id bigint, user_id bigint, org_id bigint)',
      )
      await client.query(`insert into pg_temp.memberships values (chat_org_id(), chat_user_id(), 'active')`)
      await client.query(
        `insert into pg_temp.conversation_members values (${foreign.conversation}, chat_user_id(), chat_org_id())`,
      )
      return (await client.query(`select from messages where message_id = ${foreignMessage}`)).rows
    })
    expect(rows).toEqual([])
  })

  it.each([
    ['no claims', undefined],
    ['empty claims', '{}'],
    ['an organization alone', '{"org_id":"1"}'],
    ['ids of nobody', '{"user_id":"987654321","org_id":"987654321"}'],
  ])('sees nothing with %s', async (_name, claims) => {
    expect(await rowsOf(claims, 'select from messages')).toEqual([])
    expect(await rowsOf(claims, 'select from get_recent_dms()')).toEqual([])
    expect(await rowsOf(claims, 'select from chat_presence_rows')).toEqual([])
    expect(await rowsOf(claims, 'select from conversation_member_rows')).toEqual([])
  })

  it('sees nothing with claims of another organization, or of one that they are not in', async () => {
    const { user_id: me } = JSON.parse(claimsIn(mine.ada.token))
    const { org_id: there } = JSON.parse(claimsIn(foreign.ada.token))
    const mixed = JSON.stringify({ user_id: me, org_id: there })
    expect(await rowsOf(mixed, 'select from messages')).toEqual([])
    expect(await rowsOf(mixed, 'select from chat_presence_rows')).toEqual([])
    const sent = asRole(office, mixed, (client) =>
      client.query(`insert into messages (conversation_id, content) values (${foreign.conversation}, 'x')`),
    )
    await expect(sent).rejects.toMatchObject({ code: '42501' })
  })

  it('cannot say who sends, where, when or as which message', async () => {
    const { user_id: me, org_id: org } = JSON.parse(claimsIn(mine.ada.token))
    const [sent] = await rowsOf(
      claimsIn(mine.ada.token),
      `insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited,
         is_deleted, created_at, updated_at)
       values (${foreignMessage}, ${mine.conversation}, 1, ${foreign.ada.id}, 'x', 9, true, true, '2001-01-01', '2001-01-01')
       returning *`,
    )
    expect(sent).toMatchObject({
      org_id: org,
      sender_id: me,
      reply_count: 0,
      is_edited: false,
      is_deleted: false,
    })
    expect(Number(sent.message_id)).toBeGreaterThan(foreignMessage)
    expect(sent.created_at.getFullYear()).toBeGreaterThan(2001)
    const claims = claimsIn(mine.ada.token)
    for (const conversation of [foreign.conversation, 987_654_321])
      await expect(
        rowsOf(claims, `insert into messages (conversation_id, content) values (${conversation}, 'x')`),
      ).rejects.toMatchObject({ code: '42501' })
  })

  it('moves only its own cursor, forward, and to messages of the conversation', async () => {
    const cursorAfter = (...ids: number[]) =>
      asRole(office, claimsIn(mine.ada.token), async (client) => {
        for (const id of ids) await client.query('select update_read_cursor($1, $2)', [mine.conversation, id])
        await client.query('select update_read_cursor($1, $2)', [foreign.conversation, foreignMessage])
        const { rows } = await client.query(
          'select user_id, last_read_message_id from conversation_member_rows order by user_id',
        )
        return rows.map(({ last_read_message_id: cursor }) => cursor)
      })
    expect(await cursorAfter(myMessage)).toEqual([String(myMessage), null])
    expect(await cursorAfter(myMessage, myMessage - 1, 0, -5)).toEqual([String(myMessage), null])
    expect(await cursorAfter(foreignMessage, 987_654_321)).toEqual([null, null])
    const { rows } = await office.database.pool.query(
      'select from conversation_members where conversation_id = $1 and last_read_message_id is not null',
      [foreign.conversation],
    )
    expect(rows).toEqual([])
  })
})

describe('somebody who is removed', () => {
  const READING = [
    'select from get_recent_dms()',
    'select from messages',
    'select from conversations',
    'select from conversation_members',
    'select from conversation_member_rows',
    'select from chat_presence_rows',
    ...['select from reactions', 'select from mentions', 'select from conversation_choices'],
    'select from thread_follows',
  ]

  it('has lost everything at once, with the claims they still hold', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const [messageId] = (await sendMany(office, ada, conversation, [`<@${ben.id}> before`])) as [number]
    await ben.browser.call('addReaction', { messageId, emoji: '👍' })
    await ben.browser.call('followThread', { messageId, follow: true })
    await ben.browser.call('setDraft', { conversationId: conversation, content: 'secret' })
    await ben.rest.rpc('update_presence', { p_status: 'online' })
    await ada.browser.call('removeMember', { id: ben.id })
    for (const statement of [...READING, `select from get_conversation_messages(${conversation})`])
      expect(await stateOf(ben, statement), statement).toBe('0 rows')
    for (const statement of [
      `insert into messages (conversation_id, content) values (${conversation}, 'x')`,
      `select update_presence('online')`,
      `select open_dm(${ada.id})`,
    ])
      expect(await stateOf(ben, statement), statement).toBe('42501')
    const { data } = await ada.rest.rpc('get_recent_dms').select('peer_status,peer_last_seen_at').single()
    expect(data).toEqual({ peer_status: 'offline', peer_last_seen_at: null })
    expect(await ada.rest.rpc('open_dm', { p_peer_user_id: ben.id })).toMatchObject({ status: 404 })
  })

  it('has lost it with the whole organization too', async () => {
    const { ada, conversation, founder } = await conversationOf(office)
    await sendMany(office, ada, conversation, ['before'])
    await ada.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    for (const statement of READING) expect(await stateOf(ada, statement), statement).toBe('0 rows')
    const sending = `insert into messages (conversation_id, content) values (${conversation}, 'x')`
    expect(await stateOf(ada, sending)).toBe('42501')
  })
})
