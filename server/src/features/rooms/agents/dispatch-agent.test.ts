import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentScene } from '../../../../tests/chapters/agents.ts'
import { newBot } from '../../../../tests/chapters/bots.ts'
import { enterRoom, insideOf } from '../../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, type Person } from '../../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../../tests/recorded-outbox.ts'

const PATIENCE = { timeout: 20_000 }

describe('agents that are asked into rooms', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  it('are told, and those who enter are told of them: while they are awaited, and while they are inside', async () => {
    const { founder, bot, roomId, about, told, programs, guestPrograms, comesIn } = await agentScene(
      office,
      outbox,
    )
    expect([await programs(), await guestPrograms()]).toEqual([[], []])
    await founder.browser.call('dispatchAgent', about)
    await founder.browser.call('dispatchAgent', about)
    expect(await told()).toEqual([{ roomId, by: founder.id }])
    expect([await programs(), await guestPrograms()]).toEqual([['Minutes'], ['Minutes']])
    office.clock.advance(121)
    expect(await programs()).toEqual([])
    await founder.browser.call('dispatchAgent', about)
    expect((await told()).length).toBe(2)
    await comesIn()
    expect([await programs(), await guestPrograms()]).toEqual([['Minutes'], ['Minutes']])
    await founder.browser.call('deleteBot', { botId: bot.id })
    await expect.poll(() => programs(), PATIENCE).toEqual([])
  })

  it('are asked by who is inside, and by moderators', async () => {
    const { founder, member, moderator, roomId, about } = await agentScene(office, outbox)
    const ask = ({ browser }: Pick<Person, 'browser'>, more: object = {}) =>
      browser.request('dispatchAgent', { ...about, ...more })
    expect(await ask(member)).toMatchObject({ status: 409, body: { error: 'not-inside' } })
    await enterRoom(office, member, roomId)
    expect((await ask(member)).status).toBe(204)
    expect((await ask(moderator)).status).toBe(204)
    const notFound = { status: 404, body: { error: 'bot-not-found' } }
    expect(await ask(founder, { botId: member.id })).toMatchObject(notFound)
    const other = await newFounder(office, 'Other')
    expect(await ask(founder, { botId: (await newBot(office, other)).id })).toMatchObject(notFound)
    expect(await ask(other)).toMatchObject({ status: 404, body: { error: 'room-not-found' } })
  })

  it('are not asked where they may not be', async () => {
    const { founder, member, bot, roomId, about, programs, update } = await agentScene(office, outbox)
    const ask = (roomOf: object = {}) => founder.browser.request('dispatchAgent', { ...about, ...roomOf })
    await founder.browser.call('dispatchAgent', about)
    expect((await update('none')).room.agentDispatch).toBe('none')
    const off = { status: 403, body: { error: 'agents-off' } }
    expect(await ask()).toMatchObject(off)
    expect(await bot.browser.request('authorizeRoom', { username: 'x', roomId })).toMatchObject(off)
    // nor do those come that were asked before
    expect(await programs()).toEqual([])
    await update('on-request')
    await enterRoom(office, member, roomId)
    await member.browser.call('lockRoom', { roomId, locked: true })
    expect(await ask()).toMatchObject({ status: 403, body: { error: 'room-locked' } })
    const { room: vault } = await founder.browser.call('createRoom', { name: 'Vault', sealed: true })
    expect(await ask({ roomId: vault.id })).toMatchObject({ status: 409, body: { error: 'room-sealed' } })
    await founder.browser.call('updateOrganizationSettings', { agents: false })
    expect(await ask({ roomId: vault.id })).toMatchObject(off)
  })

  it('come always, where the room says so: asked as people come in, and named before', async () => {
    const { founder, member, roomId, told, programs, guestPrograms, comesIn, update } = await agentScene(
      office,
      outbox,
    )
    await update('always')
    expect([await programs(), await guestPrograms(), await told()]).toEqual([['Minutes'], ['Minutes'], []])
    await enterRoom(office, member, roomId)
    await expect.poll(told, PATIENCE).toEqual([{ roomId, by: null }])
    await comesIn()
    office.clock.advance(121)
    await enterRoom(office, founder, roomId)
    await expect.poll(async () => (await insideOf(office, roomId)).size, PATIENCE).toBe(3)
    expect(await told()).toEqual([{ roomId, by: null }])
    const events = (await outbox.events(`org:${founder.organizationId}`)).filter(
      ({ type }) => type === 'room.updated',
    )
    expect(events[0]?.data).toEqual({ roomId, agentDispatch: 'always' })
  })
})
