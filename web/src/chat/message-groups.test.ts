import type { ChatMessage } from '@atrium/client/chat'
import { describe, expect, it } from 'vitest'
import { inShort, listedMessages, threadMessages } from './message-groups.ts'

function message(id: number, minute: number, more: Partial<ChatMessage> = {}): ChatMessage {
  return {
    message_id: id,
    client_message_id: undefined,
    sender_id: 1,
    content: `message ${id}`,
    parent_message_id: null,
    reply_count: 0,
    is_edited: false,
    is_deleted: false,
    updated_at: '2026-03-23T11:58:04.512+00:00',
    editedAt: null,
    reactions: [],
    attachments: [],
    mentions: [],
    created_at: new Date(2026, 2, 23, 9, minute).toISOString(),
    state: 'sent',
    ...more,
  }
}

describe('messages of a conversation', () => {
  it('stand below one name where they follow each other closely, and below a day', () => {
    const listed = listedMessages([
      message(1, 0),
      message(2, 4),
      message(3, 20),
      message(4, 21, { sender_id: 2 }),
      message(5, 0, { created_at: new Date(2026, 2, 24, 9).toISOString(), sender_id: 2 }),
    ])
    expect(listed.map(({ key, beginsDay, isNamed }) => [key, beginsDay, isNamed])).toEqual([
      ['1', true, true],
      ['2', false, false],
      ['3', false, true],
      ['4', false, true],
      ['5', true, true],
    ])
  })

  it('begin anew at the first that is new, with its name', () => {
    const all = [message(1, 0), message(2, 1), message(3, 2), message(4, 3)]
    const began = (newAfter?: number) =>
      listedMessages(all, newAfter).flatMap(({ key, beginsNew, isNamed }) =>
        beginsNew ? [key, isNamed] : [],
      )
    expect(began(2)).toEqual(['3', true])
    expect(began(0)).toEqual(['1', true])
    expect(began(4)).toEqual([])
    expect(began()).toEqual([])
  })

  it('hold answers too, with what they answer', () => {
    const all = [
      message(1, 0),
      message(2, 1, { parent_message_id: 1 }),
      message(3, 2, { parent_message_id: 0 }),
    ]
    expect(listedMessages(all).map(({ answers }) => answers)).toEqual([undefined, 'message 1', ''])
    const deleted = [message(1, 0, { is_deleted: true }), message(2, 1, { parent_message_id: 1 })]
    expect(listedMessages(deleted)[1]?.answers).toBe('')
  })

  it('in short keep whole letters', () => {
    expect(inShort('👩🏽‍💻'.repeat(40))).toBe(`${'👩🏽‍💻'.repeat(15)} …`)
    expect(inShort('short')).toBe('short')
  })

  it('of a thread are the first one and its answers, the ones that were read apart among them', () => {
    const ids = (messages: ChatMessage[]) => messages.map(({ message_id }) => message_id)
    const here = [
      message(1, 0),
      message(5, 1, { parent_message_id: 1, content: 'as it is now' }),
      message(6, 2),
      message(7, 3, { message_id: undefined, parent_message_id: 1 }),
    ]
    const read = [message(2, 1, { parent_message_id: 1 }), message(5, 1, { parent_message_id: 1 })]
    expect(ids(threadMessages(here, read, 1))).toEqual([1, 2, 5, undefined])
    expect(threadMessages(here, read, 1)[2]?.content).toBe('as it is now')
    expect(ids(threadMessages([], read, 1))).toEqual([2, 5])
  })
})
