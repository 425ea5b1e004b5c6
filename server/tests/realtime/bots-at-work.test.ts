import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countPresent } from '../../src/features/presence/reads.ts'
import { newBot } from '../chapters/bots.ts'
import { chatterOf, openDm } from '../chapters/chat.ts'
import { parseMetrics } from '../chapters/media-events.ts'
import { enterRoom, joinRoom, newRoom } from '../chapters/rooms.ts'
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
  const poll = () => office.office.jobs.runNow('presence-poll')

  it('hears and answers in its own conversations, and sees no others', async () => {
    const bot = await newBot(office, founder)
    const stranger = await newBot(office, founder, 'Stranger')
    const ada = await chatterOf(office, founder)
    const conversationId = await openDm(ada, bot)
    const line = await listenAs(bot, poll)
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
    const line = await listenAs(bot, poll)
    await expect.poll(statusOf).toBe('online')
    const counted = await countPresent(office.database.db)
    await founder.browser.call('deleteBot', { botId: bot.id })
    await expect.poll(() => line.isClosed()).toBe(true)
    expect([...counted.values()]).toEqual([])
  })

  it('changes no gauge, and no number that is shown of people', { timeout: 120_000 }, async () => {
    const alone = await newFounder(office, 'Alone')
    const { id: roomId } = await newRoom(alone)
    await enterRoom(office, alone, roomId)
    const room = async () => (await alone.browser.call('getRoom', { roomId })).room
    const counted = async () => ({
      gauges: await gaugesOf(alone.organizationId),
      present: [...(await countPresent(office.database.db))],
      room: { ...(await room()), agents: [] },
      limits: (await alone.browser.call('getOrganizationLimits')).limits
        .filter(({ name }) => !/^(bots|calls-|token-|requests-)/.test(name))
        .map(({ name, used }) => [name, used]),
    })
    await expect.poll(async () => (await room()).people.length, { timeout: 20_000 }).toBe(1)
    await expect.poll(async () => (await gaugesOf(alone.organizationId)).rtc_participants_active).toBe(1)
    const before = await counted()
    const bot = await newBot(office, alone)
    const line = await listenAs(bot, poll)
    try {
      await joinRoom(office, (await bot.browser.call('authorizeRoom', { roomId, username: 'x' })).token)
      await expect.poll(async () => (await room()).agents.length, { timeout: 20_000 }).toBe(1)
      // gauges are read anew every few seconds
      office.clock.advance(61)
      expect(await counted()).toEqual(before)
    } finally {
      line.close()
    }
  })

  /** Of an organization, by name and labels. */
  async function gaugesOf(organization: string): Promise<Record<string, number>> {
    const text = await (await fetch(`${office.baseUrl}/metrics`)).text()
    const gauges = new Set([...text.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name]) => name))
    // how much an organization makes the office work is no number of people
    const ours = parseMetrics(text).filter(
      ({ name, labels }) =>
        gauges.has(name) && !name.startsWith('organization_') && labels.org_id === organization,
    )
    return Object.fromEntries(
      ours.map(({ name, labels: { org_id: _, project: __, region: ___, ...more }, value }) => [
        name + (Object.keys(more).length > 0 ? JSON.stringify(more) : ''),
        value,
      ]),
    )
  }

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
