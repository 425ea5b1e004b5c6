import { AccessToken } from 'livekit-server-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newBot } from '../../../../tests/chapters/bots.ts'
import { chatterOf } from '../../../../tests/chapters/chat.ts'
import {
  atMedia,
  enterRoom,
  insideOf,
  joinRoom,
  leaveRoom,
  lockedRoom,
  newRoom,
} from '../../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newMember } from '../../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../../tests/recorded-outbox.ts'

const PATIENCE = { timeout: 20_000 }

describe('bots in rooms', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  type Bot = Awaited<ReturnType<typeof newBot>>
  const ask = (bot: Bot, roomId: string, more: object = {}) =>
    bot.browser.request('authorizeRoom', { username: 'Ada Lovelace', roomId, ...more })
  const tokenOf = async (bot: Bot, roomId: string, more: object = {}) =>
    ((await ask(bot, roomId, more)).body as { token: string }).token

  async function scene() {
    const founder = await newFounder(office)
    const bot = await newBot(office, founder)
    const { id: roomId } = await newRoom(founder)
    const room = async () => (await founder.browser.call('getRoom', { roomId })).room
    const heard = async () =>
      (await outbox.events(`org:${founder.organizationId}`)).filter(
        ({ type, data }) =>
          /^(agent|room)\.(entered|left)$/.test(type) && (data as { roomId: string }).roomId === roomId,
      )
    return { founder, bot, roomId, room, heard }
  }
  const identities = async (roomId: string) => [...(await insideOf(office, roomId)).keys()]

  it('come in as bots, under their own name, and are none of the people', async () => {
    const { founder, bot, roomId, room, heard } = await scene()
    await joinRoom(office, await tokenOf(bot, roomId, { speaks: false }))
    await expect.poll(async () => (await room()).agents.length, PATIENCE).toBe(1)
    const [agent] = (await room()).agents
    const shown = { botId: bot.id, name: 'Minutes', since: expect.any(String), listens: true, speaks: false }
    expect(agent).toEqual(shown)
    expect(await room()).toMatchObject({ people: [], guests: 0 })
    expect((await insideOf(office, roomId)).get(bot.id)).toMatchObject({
      ...{ kind: 'agent', name: 'Minutes', mayPublish: false, agent: { listens: true, speaks: false } },
    })
    const { rows } = await office.database.pool.query(
      'select user_id, counts, counted, waits from media_participants where bot_id = $1',
      [bot.id],
    )
    expect(rows).toEqual([{ user_id: null, counts: false, counted: false, waits: false }])
    const { rooms } = await founder.browser.call('listRooms')
    expect(rooms.find(({ id }) => id === roomId)).toEqual(await room())
    await atMedia(office, 'leave', { room: roomId, identity: bot.id })
    await expect.poll(async () => (await room()).agents, PATIENCE).toEqual([])
    expect((await heard()).map(({ type, data }) => [type, data])).toEqual([
      ['agent.entered', { roomId, ...shown, since: agent?.since }],
      ['agent.left', { roomId, botId: bot.id }],
    ])
  })

  it('are called as they are now, where they come by a token of before they were renamed', async () => {
    const { founder, bot, roomId } = await scene()
    const early = await tokenOf(bot, roomId)
    await founder.browser.call('updateBot', { botId: bot.id, name: 'Secretary' })
    await joinRoom(office, early)
    await expect
      .poll(async () => (await insideOf(office, roomId)).get(bot.id)?.name, PATIENCE)
      .toBe('Secretary')
  })

  it('become members of the conversation of the room, where a person opens it while they are inside', async () => {
    const { founder, bot, roomId, room } = await scene()
    const outside = await newBot(office, founder, 'Outside')
    await joinRoom(office, await tokenOf(bot, roomId))
    await expect.poll(async () => (await room()).agents.length, PATIENCE).toBe(1)
    await enterRoom(office, founder, roomId)
    const { rest } = await chatterOf(office, founder)
    const { data } = await rest.rpc('open_room_conversation', { p_room_id: roomId }).single()
    const { conversation_id: conversationId } = data as { conversation_id: number }
    await atMedia(office, 'leave', { room: roomId, identity: bot.id })
    await bot.browser.call('sendMessage', { conversationId, content: 'Minutes' })
    const { messages } = await founder.browser.call('listMessages', { conversationId })
    expect(messages).toMatchObject([{ sender_id: Number(bot.id), content: 'Minutes' }])
    const other = { conversationId, content: 'Me too' }
    expect(await outside.browser.request('sendMessage', other)).toMatchObject({ status: 404 })
  })

  it('are told of once, however many connections they have', async () => {
    const { bot, roomId, room, heard } = await scene()
    await joinRoom(office, await tokenOf(bot, roomId))
    await joinRoom(office, await tokenOf(bot, roomId, { connection: 'second', speaks: false }))
    await expect.poll(async () => (await room()).agents[0]?.speaks, PATIENCE).toBe(true)
    const open = async () =>
      (
        await office.database.pool.query(
          'select from media_participants where bot_id = $1 and ended_at is null',
          [bot.id],
        )
      ).rowCount
    await expect.poll(open, PATIENCE).toBe(2)
    await atMedia(office, 'leave', { room: roomId, identity: bot.id })
    await expect.poll(open, PATIENCE).toBe(1)
    expect((await room()).agents).toMatchObject([{ botId: bot.id, listens: true, speaks: false }])
    await atMedia(office, 'leave', { room: roomId, identity: `${bot.id}#second` })
    await expect.poll(async () => (await room()).agents, PATIENCE).toEqual([])
    expect((await heard()).map(({ type }) => type)).toEqual(['agent.entered', 'agent.left'])
  })

  it('listen or speak', async () => {
    const { bot, roomId } = await scene()
    expect(await ask(bot, roomId, { listens: false, speaks: false })).toMatchObject({ status: 400 })
  })

  it('stay out of locked, sealed and temporary rooms, and of those of others', async () => {
    const { founder, roomId } = await lockedRoom(office)
    const bot = await newBot(office, founder)
    expect(await ask(bot, roomId)).toMatchObject({ status: 403, body: { error: 'room-locked' } })
    const sealed = await founder.browser.call('createRoom', { name: 'Vault', sealed: true })
    expect(await ask(bot, sealed.room.id)).toMatchObject({ status: 409, body: { error: 'room-sealed' } })
    const member = await newMember(office, founder, 'member')
    const talkers = [founder.id, member.id].sort((a, b) => Number(a) - Number(b))
    const { rows } = await office.database.pool.query(
      `insert into rooms (id, organization_id, name, metadata, first_person_id, second_person_id, wanted_until, created_at)
       select made, organization_id, made::text, '{}', $2, $3, now() + interval '1 hour', now()
       from rooms, gen_random_uuid() made where id = $1 returning id`,
      [roomId, ...talkers],
    )
    const elsewhere = await newRoom(await newFounder(office, 'Other'))
    for (const id of [rows[0].id as string, elsewhere.id])
      expect(await ask(bot, id)).toMatchObject({ status: 404, body: { error: 'room-not-found' } })
  })

  it('stay out where the organization wants none, with an earlier token too', async () => {
    const { founder, bot, roomId } = await scene()
    const early = await tokenOf(bot, roomId)
    await founder.browser.call('updateOrganizationSettings', { agents: false })
    expect(await ask(bot, roomId)).toMatchObject({ status: 403, body: { error: 'agents-off' } })
    await joinRoom(office, early)
    await expect.poll(() => identities(roomId), PATIENCE).toEqual([])
  })

  it.each([
    ['the organization wants none any more', 'organization'],
    ['the room wants none any more', 'room'],
  ])('are put out when %s', async (_, whose) => {
    const { founder, bot, roomId, room, heard } = await scene()
    await joinRoom(office, await tokenOf(bot, roomId))
    await expect.poll(async () => (await room()).agents.length, PATIENCE).toBe(1)
    if (whose === 'room') await founder.browser.call('updateRoom', { roomId, agentDispatch: 'none' })
    else await founder.browser.call('updateOrganizationSettings', { agents: false })
    await expect.poll(() => identities(roomId), PATIENCE).toEqual([])
    await expect
      .poll(async () => (await heard()).map(({ type }) => type), PATIENCE)
      .toEqual(['agent.entered', 'agent.left'])
  })

  it('are put out with their deletion', async () => {
    const { founder, bot, roomId, room, heard } = await scene()
    await joinRoom(office, await tokenOf(bot, roomId))
    await expect.poll(async () => (await room()).agents.length, PATIENCE).toBe(1)
    await founder.browser.call('deleteBot', { botId: bot.id })
    await expect.poll(() => identities(roomId), PATIENCE).toEqual([])
    await expect
      .poll(async () => (await heard()).map(({ type }) => type), PATIENCE)
      .toEqual(['agent.entered', 'agent.left'])
  })

  it('and no others: a program that is no bot of the organization is put out, and shown nowhere', async () => {
    const { founder, roomId, room, heard } = await scene()
    const foreign = await newBot(office, await newFounder(office, 'Other'))
    await enterRoom(office, founder, roomId)
    for (const identity of ['agent-AJ_x7', foreign.id, founder.id]) {
      await joinRoom(office, await workerToken(identity, roomId))
      await expect
        .poll(
          async () => [...(await insideOf(office, roomId)).values()].filter(({ kind }) => kind === 'agent'),
          PATIENCE,
        )
        .toEqual([])
    }
    expect((await room()).agents).toEqual([])
    expect((await heard()).map(({ type }) => type).filter((type) => type.startsWith('agent.'))).toEqual([])
  })

  it('do not keep a lock: that ends with the last member', async () => {
    const { founder, bot, roomId, room } = await scene()
    await joinRoom(office, await tokenOf(bot, roomId))
    await expect.poll(async () => (await room()).agents.length, PATIENCE).toBe(1)
    await enterRoom(office, founder, roomId)
    await founder.browser.call('lockRoom', { roomId, locked: true })
    await leaveRoom(office, founder, roomId)
    expect(await room()).toMatchObject({ locked: false, people: [], agents: [{ botId: bot.id }] })
  })

  /** As a worker makes it, which holds the key of the media server. */
  async function workerToken(identity: string, room: string): Promise<string> {
    const { apiKey, apiSecret } = office.office.config.media as {
      apiKey: string
      apiSecret: { reveal(): string }
    }
    const token = new AccessToken(apiKey, apiSecret.reveal(), { identity })
    token.kind = 'agent'
    token.addGrant({ roomJoin: true, room })
    return await token.toJwt()
  }
})
