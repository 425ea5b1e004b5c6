import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, conversationOf, openGroup, sendMany } from '../../../tests/chapters/chat.ts'
import { asRole, claimsIn } from '../../../tests/chapters/chat-role.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newMember } from '../../../tests/people.ts'

/** How far a member has read is theirs to know: it would tell others that a member who appears offline reads. */

let office: TestOffice
let ada: Chatter
let ben: Chatter
let carl: Chatter
let group: number
let messages: number[]
beforeAll(async () => {
  office = await openTestOffice()
  const opened = await conversationOf(office)
  ;({ ada, ben } = opened)
  carl = await chatterOf(office, await newMember(office, opened.founder, 'member'))
  group = await openGroup(ada, [ben, carl])
  messages = await sendMany(office, ada, group, ['one', 'two'])
})
afterAll(() => office.close())

const read = async (reader: Chatter, message: number) => {
  const cursor = { p_conversation_id: group, p_last_read_message_id: message }
  expect((await reader.rest.rpc('update_read_cursor', cursor)).error).toBeNull()
}
/** Everything that rows of members can be asked for that has to do with cursors, as one of them sees it. */
const QUESTIONS = [
  'conversation_members?select=user_id,last_read_message_id',
  'conversation_members',
  'conversation_members?select=user_id&last_read_message_id=is.null',
  'conversation_members?select=user_id&last_read_message_id=not.is.null',
  'conversation_members?select=user_id&last_read_message_id=gt.0',
  'conversation_members?select=user_id&last_read_message_id=not.gt.0',
  'conversation_members?select=user_id&last_read_message_id=neq.0',
  'conversation_members?select=user_id&order=last_read_message_id.desc.nullslast',
  'conversation_members?select=user_id&order=last_read_message_id.asc.nullsfirst&limit=2',
  'conversation_members?select=user_id&order=joined_at',
  'conversation_members?select=user_id&limit=1',
  'conversations?order=conversation_id',
  'messages?order=message_id',
  'presence?order=user_id',
  'rpc/get_conversations',
  'rpc/get_recent_dms',
]
const answersFor = async (asker: Chatter) =>
  await Promise.all(
    [...QUESTIONS, ...messages.map((id) => `conversation_members?last_read_message_id=eq.${id}`)].map(
      async (question) => {
        const answer = await fetch(`${office.baseUrl}/rest/v1/${question}`, {
          headers: { authorization: `Bearer ${asker.token}`, prefer: 'count=exact' },
        })
        expect(answer.ok, question).toBe(true)
        return [question, answer.headers.get('content-range'), await answer.json()]
      },
    ),
  )

describe('the read cursor of others', () => {
  it('reads null, whatever is asked, and nothing changes where they read on', async () => {
    const [first, second] = messages as [number, number]
    await read(ada, first)
    const before = await answersFor(ada)
    await read(ben, first)
    await read(carl, second)
    await read(ben, second)
    expect(await answersFor(ada)).toEqual(before)
  })

  it('is seen by its owner alone, who can ask for it', async () => {
    const [first, second] = messages as [number, number]
    const { data } = await ada.rest
      .from('conversation_members')
      .select('user_id, last_read_message_id')
      .eq('conversation_id', group)
    expect(data).toEqual([
      { user_id: Number(ada.id), last_read_message_id: first },
      { user_id: Number(ben.id), last_read_message_id: null },
      { user_id: Number(carl.id), last_read_message_id: null },
    ])
    const { data: own } = await ben.rest
      .from('conversation_members')
      .select('user_id')
      .gte('last_read_message_id', second)
    expect(own).toEqual([{ user_id: Number(ben.id) }])
  })

  it('is kept by the database, past all our own code', async () => {
    const seen = await asRole(office, claimsIn(ada.token), async (client) => {
      await client.query(`create function pg_temp.tell(bigint) returns boolean language plpgsql cost 0.0000001 as
        $$ begin perform set_config('test.seen', coalesce(current_setting('test.seen', true), '') || '|' || $1, true); return true; end $$`)
      await client.query('select from conversation_member_rows where pg_temp.tell(last_read_message_id)')
      await client.query('select from conversation_members where pg_temp.tell(last_read_message_id)')
      return (await client.query(`select current_setting('test.seen', true) as seen`)).rows[0].seen
    })
    expect([...new Set(String(seen).split('|').filter(Boolean))]).toEqual([String(messages[0])])
  })
})
