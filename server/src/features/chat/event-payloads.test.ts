import type { chatEvents, realtimeEvents } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversationOf, openGroup, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { requireDeclared } from '../../../tests/run/declared-events.ts'

type ToldBySql =
  | Exclude<keyof typeof chatEvents, 'conversation.typing'>
  | Extract<
      keyof typeof realtimeEvents,
      `message.${string}` | `reaction.${string}` | `conversation.${string}`
    >

/** One function of the database makes what an event says: by the name of the event. */
const MADE_BY: Record<Exclude<ToldBySql, 'conversation.typing'>, string> = {
  new_message: 'select new_message_event(m) as data from messages m',
  'message.created': 'select message_event(m) as data from messages m',
  'message.updated': `select message_edited_event(m, '{}') as data from messages m`,
  'message.deleted': 'select message_deleted_event(m) as data from messages m',
  'reaction.changed': `select reaction_changed_event(m, '👍', 1, true) as data from messages m`,
  'conversation.joined': `select conversation_joined_event(c) as data from conversations c where type <> 'DM'`,
  'conversation.read': 'select conversation_read_event(c, 1, 1) as data from conversations c',
  'conversation.unread':
    'select conversation_unread_event(c.conversation_id, 1, 1) as data from conversations c',
  'conversation.settings':
    'select conversation_settings_event(c.conversation_id) as data from conversations c',
}

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
  const { ada, ben, conversation } = await conversationOf(office)
  const [messageId] = (await sendMany(office, ada, conversation, [`<@${ben.id}> <@room> lunch?`])) as [number]
  await ben.browser.call('addReaction', { messageId, emoji: '👍' })
  await openGroup(ada, [ben], 'Spring release')
  await openGroup(ada, [ben])
})
afterAll(() => office.close())

describe('what an event of chat says', () => {
  it.each(Object.entries(MADE_BY))('is as declared: %s', async (type, statement) => {
    const { rows } = await office.database.pool.query<{ data: Record<string, unknown> }>(statement)
    expect(rows).not.toEqual([])
    for (const { data } of rows) requireDeclared({ channels: ['user:org:person'], type, data })
  })

  it('is made by that function alone', async () => {
    const { rows } = await office.database.pool.query<{ source: string }>(
      `select prosrc as source from pg_proc where prosrc like '%append_event(%' and pronamespace = 'public'::regnamespace`,
    )
    for (const type of Object.keys(MADE_BY)) {
      const calls = rows.flatMap(({ source }) => source.split('append_event(').slice(1))
      const about = calls.filter((call) => call.includes(`'${type}'`))
      const name = /select (\w+)\(/.exec(MADE_BY[type as keyof typeof MADE_BY])?.[1]
      expect(about.length, type).toBeGreaterThan(0)
      for (const call of about) expect(call.slice(0, 300), type).toContain(`${name}(`)
    }
  })
})
