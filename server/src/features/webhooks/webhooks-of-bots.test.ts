import { beforeEach, describe, expect, it } from 'vitest'
import { newBot } from '../../../tests/chapters/bots.ts'
import { chatterOf, openDm, openGroup } from '../../../tests/chapters/chat.ts'
import { type WebhookScene, webhookScenes } from '../../../tests/chapters/webhook-scene.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('a webhook of a bot', () => {
  const scenes = webhookScenes()
  let scene: WebhookScene
  beforeEach(() => {
    scene = scenes()
  })

  async function subscribe(botId: string, events: string[]) {
    const { id } = await scene.founder.browser.call('createWebhook', {
      url: scene.receiver.url,
      events,
      botId,
    })
    await until(async () => {
      const { webhooks } = await scene.founder.browser.call('listWebhooks')
      return webhooks.find((one) => one.id === id)?.state === 'verified'
    })
    return id
  }
  const arrived = () => scene.receiver.arrivals.map(({ type, data }) => [type, data])

  it('is sent what happens in its own conversations, and nothing of others', async () => {
    const { office, founder } = scene
    const bot = await newBot(scene.office, scene.founder)
    const events = ['message.created', 'message.updated', 'message.deleted', 'reaction.changed']
    const id = await subscribe(bot.id, events)
    const ada = await chatterOf(office, founder)
    const ben = await newMember(office, founder, 'member')
    const elsewhere = await openDm(ada, ben)
    await founder.browser.call('sendMessage', { conversationId: elsewhere, content: 'A secret' })
    const conversationId = await openDm(ada, bot)
    const { message_id: messageId } = await founder.browser.call('sendMessage', {
      conversationId,
      content: 'Hello',
    })
    await expect
      .poll(arrived)
      .toMatchObject([['message.created', { content: 'Hello', sender_id: Number(founder.id) }]])
    await founder.browser.call('editMessage', { messageId, content: 'Good morning' })
    await founder.browser.call('addReaction', { messageId, emoji: '👍' })
    await expect.poll(() => arrived().length).toBe(3)
    expect(arrived().slice(1)).toEqual(
      expect.arrayContaining([
        [
          'message.updated',
          expect.objectContaining({
            ...{ content: 'Good morning', is_edited: true, attachments: [], mentions: [] },
            reactions: expect.any(Array),
            editedAt: expect.stringMatching(/Z$|\+00:00$/),
          }),
        ],
        ['reaction.changed', expect.objectContaining({ emoji: '👍', userId: founder.id })],
      ]),
    )
    await founder.browser.call('deleteMessage', { messageId })
    await expect.poll(() => arrived().map(([type]) => type)).toContain('message.deleted')
    expect(JSON.stringify(arrived())).not.toContain('secret')
    const { rows } = await office.database.pool.query(
      'select data::text from webhook_deliveries where webhook_id = $1',
      [id],
    )
    expect(rows.length).toBeGreaterThanOrEqual(4)
    for (const text of ['Hello', 'Good morning']) expect(JSON.stringify(rows)).not.toContain(text)
  })

  it('lets no conversation wait for another: a message that is refused holds up its own', async () => {
    const { office, founder, receiver } = scene
    const bot = await newBot(office, founder)
    receiver.answers = ({ data }) => (data.content === 'Refused' ? 400 : 200)
    await subscribe(bot.id, ['message.created', 'reaction.changed'])
    const ada = await chatterOf(office, founder)
    const ben = await newMember(office, founder, 'member')
    const [refused, taken] = [await openDm(ada, bot), await openGroup(ada, [bot, ben])]
    const say = (conversationId: number, content: string) =>
      founder.browser.call('sendMessage', { conversationId, content })
    const { message_id: messageId } = await say(refused, 'Refused')
    await founder.browser.call('addReaction', { messageId, emoji: '👍' })
    await say(taken, 'Taken')
    await expect.poll(() => JSON.stringify(arrived())).toContain('Taken')
    expect(arrived().map(([type]) => type)).not.toContain('reaction.changed')
  })

  it('says nothing any more once the bot is deleted', async () => {
    const { office, founder, receiver } = scene
    const bot = await newBot(scene.office, scene.founder)
    await subscribe(bot.id, ['message.created', 'room.created'])
    const ada = await chatterOf(office, founder)
    const conversationId = await openDm(ada, bot)
    await founder.browser.call('deleteBot', { botId: bot.id })
    await founder.browser.request('sendMessage', { conversationId, content: 'Anybody there?' })
    await scene.makeRoom('Afterwards')
    await until(() => receiver.arrivals.some(({ type }) => type === 'room.created'))
    expect(arrived().map(([type]) => type)).toEqual(['room.created'])
  })

  it('is sent no text of a time after its bot, not by a replay either', async () => {
    const { office, founder } = scene
    const bot = await newBot(scene.office, scene.founder)
    const id = await subscribe(bot.id, ['message.created', 'reaction.changed'])
    const ada = await chatterOf(office, founder)
    const conversationId = await openGroup(ada, [bot])
    const { message_id: messageId } = await founder.browser.call('sendMessage', {
      conversationId,
      content: 'Hello',
    })
    await founder.browser.call('addReaction', { messageId, emoji: '👍' })
    await expect.poll(() => arrived().length).toBe(2)
    const { data: deliveries } = await founder.browser.call('listWebhookDeliveries', { id })
    await founder.browser.call('deleteBot', { botId: bot.id })
    await founder.browser.call('editMessage', { messageId, content: 'Private' })
    for (const { id: deliveryId } of deliveries)
      await founder.browser.call('replayWebhook', { id, deliveryId })
    await scene.makeRoom('Afterwards')
    await expect
      .poll(async () => (await founder.browser.call('listWebhookDeliveries', { id })).data.length)
      .toBe(0)
    expect(arrived()).toHaveLength(2)
  })

  it('is of a bot of the organization, and what bots hear is for such webhooks alone', async () => {
    const { office, founder, receiver } = scene
    const { url } = receiver
    const events = ['message.created']
    expect(await founder.browser.request('createWebhook', { url, events })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'events.0' }] },
    })
    const { id } = await founder.browser.call('createWebhook', { url, events: ['room.created'] })
    expect(await founder.browser.request('updateWebhook', { id, events })).toMatchObject({ status: 400 })
    const bot = await newBot(scene.office, scene.founder)
    const other = await newFounder(office, 'Other')
    for (const [who, botId] of [
      [other, bot.id],
      [founder, founder.id],
    ] as const)
      expect(await who.browser.request('createWebhook', { url, events, botId })).toMatchObject({
        status: 404,
        body: { error: 'bot-not-found' },
      })
    await founder.browser.call('createWebhook', { url, events, botId: bot.id })
    const [newest] = (await founder.browser.call('listWebhooks')).webhooks
    expect(newest).toMatchObject({ botId: bot.id, events })
  })
})
