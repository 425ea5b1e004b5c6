import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversationOf, sendMany } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'

let office: TestOffice
let outbox: RecordedOutbox
beforeAll(async () => {
  office = await openTestOffice()
  outbox = await recordOutbox(office.database)
})
afterAll(() => office.close())

describe('a read cursor', () => {
  it('goes forward only, however many move it at once, and tells each step once', async () => {
    const { ada, ben, conversation } = await conversationOf(office)
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`)
    const ids = await sendMany(office, ada, conversation, texts)
    const mixed = [...ids, ...ids].sort(() => Math.random() - 0.5)
    const answers = await Promise.all(
      mixed.map((id) =>
        ben.rest.rpc('update_read_cursor', { p_conversation_id: conversation, p_last_read_message_id: id }),
      ),
    )
    expect(answers.map(({ error }) => error)).toEqual(mixed.map(() => null))
    const { data } = await ben.rest
      .from('conversation_members')
      .select('user_id,last_read_message_id')
      .eq('conversation_id', conversation)
    expect(data).toEqual(
      expect.arrayContaining([
        { user_id: Number(ben.id), last_read_message_id: ids.at(-1) },
        { user_id: Number(ada.id), last_read_message_id: null },
      ]),
    )
    const told = (await outbox.events('user:'))
      .filter(({ type }) => type === 'conversation.read')
      .map(({ data }) => (data as { last_read_message_id: number }).last_read_message_id)
    expect(told.at(-1)).toBe(ids.at(-1))
    expect(told).toEqual([...new Set(told)].sort((one, other) => one - other))
    const { data: unread } = await ben.rest.rpc('get_recent_dms', {}).select('unread_count').single()
    expect(unread).toEqual({ unread_count: 0 })
  })
})
