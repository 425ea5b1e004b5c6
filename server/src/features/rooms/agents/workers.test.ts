import { RoomServiceClient } from 'livekit-server-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentScene, newWorker, type PlayedWorker } from '../../../../tests/chapters/agents.ts'
import { newBot } from '../../../../tests/chapters/bots.ts'
import { enterRoom, insideOf, joinRoom, newRoom } from '../../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder } from '../../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../../tests/recorded-outbox.ts'

const PATIENCE = { timeout: 20_000 }
const LONGER = 60_000

describe('workers of livekit-agents', { timeout: LONGER }, () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  const workers: PlayedWorker[] = []
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(async () => {
    for (const worker of workers) worker.die()
    await office.close()
  })

  let made = 0
  async function work(agentName: string) {
    const worker = await newWorker(office, agentName)
    workers.push(worker)
    return worker
  }
  /** A bot that has workers, and one of them. */
  async function scene() {
    made += 1
    const agentName = `taker ${made}`
    const given = await agentScene(office, outbox)
    await given.founder.browser.call('updateBot', { botId: given.bot.id, agentName })
    const worker = await work(agentName)
    const { roomId, founder } = given
    const agents = async () => (await founder.browser.call('getRoom', { roomId })).room.agents
    const names = async () => [...(await insideOf(office, roomId)).values()].map(({ name }) => name)
    const dispatch = () => founder.browser.call('dispatchAgent', given.about)
    return { ...given, agentName, worker, agents, names, dispatch }
  }
  /** The worker comes into the room by the token of its latest job. */
  async function comes(worker: PlayedWorker, times = 1) {
    await expect.poll(() => worker.assignments().length, PATIENCE).toBe(times)
    await joinRoom(office, worker.assignments().at(-1)?.token ?? '')
  }

  it('come into the room that their bot is asked into, as that bot', async () => {
    const { bot, roomId, worker, agents, names, dispatch, programs } = await scene()
    await dispatch()
    expect(await programs()).toEqual(['Minutes'])
    await comes(worker)
    await expect.poll(agents, PATIENCE).toMatchObject([{ botId: bot.id, name: 'Minutes', listens: true }])
    await expect.poll(names, PATIENCE).toEqual(['Minutes'])
    const [job] = worker.jobs()
    expect([job?.room?.name, JSON.parse(job?.metadata ?? '')]).toEqual([roomId, { botId: bot.id }])
    expect(await programs()).toEqual(['Minutes'])
    await dispatch()
    expect(worker.jobs()).toHaveLength(1)
    // clients know by it whom they see
    const { apiKey, apiSecret } = office.office.config.media as {
      apiKey: string
      apiSecret: { reveal(): string }
    }
    const rooms = new RoomServiceClient(`${office.baseUrl}/sandbox/media`, apiKey, apiSecret.reveal())
    const [{ attributes } = {}] = await rooms.listParticipants(roomId)
    expect(attributes).toMatchObject({ bot: bot.id, 'lk.agent_name': expect.any(String) })
  })

  it('are called by the new name of their bot, where it is renamed while they are inside', async () => {
    const { founder, bot, worker, agents, names, dispatch } = await scene()
    await dispatch()
    await comes(worker)
    await expect.poll(names, PATIENCE).toEqual(['Minutes'])
    await founder.browser.call('updateBot', { botId: bot.id, name: 'Secretary' })
    await expect.poll(names, PATIENCE).toEqual(['Secretary'])
    expect(await agents()).toMatchObject([{ botId: bot.id, name: 'Secretary' }])
  })

  it('are put out by a moderator, and no other one comes in their place', async () => {
    const { moderator, about, agentName, worker, agents, dispatch, roomId } = await scene()
    await dispatch()
    await comes(worker)
    await expect.poll(async () => (await agents()).length, PATIENCE).toBe(1)
    const other = await work(agentName)
    await moderator.browser.call('removeAgent', about)
    await expect.poll(agents, PATIENCE).toEqual([])
    expect([...(await insideOf(office, roomId)).keys()]).toEqual([])
    expect(other.jobs()).toEqual([])
    await joinRoom(office, worker.assignments().at(-1)?.token ?? '')
    await expect.poll(async () => (await insideOf(office, roomId)).size, PATIENCE).toBe(0)
  })

  it('are asked again where none was there', async () => {
    const { bot, worker, agentName, agents, dispatch } = await scene()
    worker.die()
    await dispatch()
    const late = await work(agentName)
    await dispatch()
    await comes(late)
    await expect.poll(agents, PATIENCE).toMatchObject([{ botId: bot.id }])
  })

  it('come with the first person, where the room always has the bots in', async () => {
    const { bot, founder, roomId, worker, agents, update } = await scene()
    await update('always')
    await enterRoom(office, founder, roomId)
    await comes(worker)
    await expect.poll(agents, PATIENCE).toMatchObject([{ botId: bot.id }])
  })

  it('are the bot of the organization that the room belongs to, where two organizations have the same name for theirs', async () => {
    const { bot, worker, agentName, agents, dispatch } = await scene()
    const other = await newFounder(office, 'Other')
    const theirs = await newBot(office, other, 'Butler')
    await other.browser.call('updateBot', { botId: theirs.id, agentName })
    const { id: roomId } = await newRoom(other)
    await other.browser.call('dispatchAgent', { roomId, botId: theirs.id })
    await comes(worker)
    const there = async () => (await other.browser.call('getRoom', { roomId })).room.agents
    await expect.poll(there, PATIENCE).toMatchObject([{ botId: theirs.id, name: 'Butler' }])
    await dispatch()
    await comes(worker, 2)
    await expect.poll(agents, PATIENCE).toMatchObject([{ botId: bot.id, name: 'Minutes' }])
  })

  it('are put out where the office has not asked for them, or has no bot for them', async () => {
    const { founder, roomId, agentName, worker, dispatch, about } = await scene()
    await dispatch()
    await expect.poll(() => worker.assignments().length, PATIENCE).toBe(1)
    const token = worker.assignments()[0]?.token ?? ''
    const { media } = office.office.media.needs
    await media.dismissWorkers(roomId as never, agentName)
    await joinRoom(office, token)
    await expect.poll(async () => (await insideOf(office, roomId)).size, PATIENCE).toBe(0)
    await media.askWorker(roomId as never, { agentName, metadata: '{"botId":"0"}' })
    await comes(worker, 2)
    await expect.poll(async () => (await insideOf(office, roomId)).size, PATIENCE).toBe(0)
    await founder.browser.call('updateBot', { botId: about.botId, agentName: null })
    await media.askWorker(roomId as never, { agentName, metadata: JSON.stringify({ botId: about.botId }) })
    await comes(worker, 3)
    await expect.poll(async () => (await insideOf(office, roomId)).size, PATIENCE).toBe(0)
  })

  it.each([
    ['the organization wants none', 'organization'],
    ['the room wants none', 'room'],
    ['their name is taken from the bot', 'name'],
    ['their bot is deleted', 'deletion'],
  ] as const)('are put out when %s', async (_, how) => {
    const { founder, about, worker, agents, dispatch, update, roomId } = await scene()
    await dispatch()
    await comes(worker)
    await expect.poll(async () => (await agents()).length, PATIENCE).toBe(1)
    const { browser } = founder
    if (how === 'organization') await browser.call('updateOrganizationSettings', { agents: false })
    else if (how === 'room') await update('none')
    else if (how === 'name') await browser.call('updateBot', { botId: about.botId, agentName: null })
    else await browser.call('deleteBot', { botId: about.botId })
    await expect.poll(async () => (await insideOf(office, roomId)).size, PATIENCE).toBe(0)
    await expect.poll(agents, PATIENCE).toEqual([])
  })
})
