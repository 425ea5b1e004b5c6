import { connectRealtime } from '@atrium/client/realtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { conversationOf } from '../chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { newMember } from '../people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

describe('a live conversation', () => {
  it('reaches those who are in it through the broker, and nobody else', async () => {
    const { ada, ben, conversation, founder } = await conversationOf(office)
    const third = await newMember(office, founder, 'member')
    const heard: { who: string; type: string; data: Record<string, unknown> }[] = []
    const lines = await Promise.all(
      Object.entries({ ada, ben, third }).map(async ([who, person]) => {
        const line = await connectRealtime(person.browser, { websocket: WebSocket })
        line.on('event', ({ type, data }) => {
          // a join may be told after the connection
          if (type !== 'member.joined') heard.push({ who, type, data: data as Record<string, unknown> })
        })
        await expect.poll(() => line.statusOf(line.userId)).toBe('online')
        return line
      }),
    )
    try {
      await ada.rest.from('messages').insert({ conversation_id: conversation, content: 'Lunch?' })
      await expect
        .poll(() => heard.map(({ who, type }) => `${who} ${type}`).sort())
        .toEqual(['ada message.created', 'ben message.created', 'ben new_message'])
      expect(heard.map(({ data }) => data.content)).toEqual(['Lunch?', 'Lunch?', 'Lunch?'])
    } finally {
      for (const line of lines) line.close()
    }
  })
})
