import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countPresent } from '../../src/features/presence/reads.ts'
import { newBot } from '../chapters/bots.ts'
import { chatterOf, openDm } from '../chapters/chat.ts'
import { newRoom } from '../chapters/rooms.ts'
import { listenAs } from '../listener.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { auditOf, newFounder, type Person } from '../people.ts'
import { until } from '../until.ts'

describe('a bot at work', () => {
  let office: TestOffice
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  it('hears and answers in its own conversations, and sees no others', async () => {
    const bot = await newBot(office, founder)
    const stranger = await newBot(office, founder, 'Stranger')
    const ada = await chatterOf(office, founder)
    const conversationId = await openDm(ada, bot)
    const line = await listenAs(bot)
    try {
      await founder.browser.call('sendMessage', { conversationId, content: 'Hello' })
      await expect.poll(() => line.heard('message.created')).toMatchObject([{ content: 'Hello' }])
      const answer = await bot.browser.call('sendMessage', { conversationId, content: 'You said: Hello' })
      const { messages } = await founder.browser.call('listMessages', { conversationId })
      expect(messages).toMatchObject([
        { content: 'Hello' },
        { content: 'You said: Hello', sender_id: Number(bot.id) },
      ])
      const { message_id: messageId } = answer
      await bot.browser.call('editMessage', { messageId, content: 'Good morning' })
      await bot.browser.call('addReaction', { messageId, emoji: '👍' })
      await bot.browser.call('deleteMessage', { messageId })
      const { conversations } = await bot.browser.call('listConversations')
      expect(conversations).toMatchObject([{ conversationId }])
    } finally {
      line.close()
    }
    const input = { conversationId, content: 'Me too' }
    expect(await stranger.browser.request('sendMessage', input)).toMatchObject({ status: 404 })
    expect(await stranger.browser.request('listMessages', { conversationId })).toMatchObject({ status: 404 })
  })

  it('is online while it is connected, in no gauge of people, and cut off once it is deleted', async () => {
    const bot = await newBot(office, founder)
    const statusOf = async () => (await founder.browser.call('getMember', { id: bot.id })).presenceStatus
    expect(await statusOf()).toBe('offline')
    const line = await listenAs(bot)
    await expect.poll(statusOf).toBe('online')
    const counted = await countPresent(office.database.db)
    await founder.browser.call('deleteBot', { botId: bot.id })
    await expect.poll(() => line.isClosed()).toBe(true)
    expect([...counted.values()]).toEqual([])
  })

  it('looks at rooms and makes links for guests, under its own name in the audit trail', async () => {
    const bot = await newBot(office, founder)
    const { id: roomId } = await newRoom(founder)
    const { rooms } = await bot.browser.call('listRooms')
    expect(rooms.map(({ id }) => id)).toContain(roomId)
    const { inviteUrl } = await bot.browser.call('inviteGuest', {
      orgId: founder.organizationId,
      roomId,
      durationSeconds: 3_600,
    })
    expect(inviteUrl).toContain('invite_token=')
    const [entry] = (await auditOf(founder)).slice(-1)
    expect(entry).toMatchObject({ action: 'guest.invited', actor: { kind: 'bot', id: bot.id } })
    expect(entry?.actor).not.toHaveProperty('email')
  })
})
