import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentScene } from '../../../../tests/chapters/agents.ts'
import { atMedia, insideOf, joinRoom } from '../../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, type Person } from '../../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../../tests/recorded-outbox.ts'
import { REMOVALS_QUEUE } from '../doors/put-out.ts'

const PATIENCE = { timeout: 20_000 }

describe('agents in rooms', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  it('are put out by a moderator for a minute, with their earlier token too', async () => {
    const { founder, member, moderator, bot, roomId, about, comesIn } = await agentScene(office, outbox)
    const remove = ({ browser }: Pick<Person, 'browser'>) => browser.request('removeAgent', about)
    expect(await remove(moderator)).toMatchObject({ status: 409, body: { error: 'not-inside' } })
    const { token } = await bot.browser.call('authorizeRoom', { username: 'x', roomId })
    await comesIn()
    expect(await remove(member)).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
    expect((await remove(moderator)).status).toBe(204)
    const identities = async () => [...(await insideOf(office, roomId)).keys()]
    expect(await identities()).toEqual([])
    expect(await bot.browser.request('authorizeRoom', { username: 'x', roomId })).toMatchObject({
      ...{ status: 403, body: { error: 'removed-from-room' } },
    })
    await joinRoom(office, token)
    await expect.poll(identities, PATIENCE).toEqual([])
    expect((await auditOf(founder)).find(({ action }) => action === 'room.agent-removed')).toMatchObject({
      ...{ actor: { id: moderator.id }, target: { kind: 'bot', id: bot.id }, detail: { roomId } },
    })
    office.clock.advance(61)
    await comesIn()
  })

  it('are put out as soon as the media server can be asked again', async () => {
    const { founder, moderator, roomId, about, comesIn } = await agentScene(office, outbox)
    await comesIn()
    await atMedia(office, 'faults', { calls: 'refused' })
    try {
      expect((await moderator.browser.request('removeAgent', about)).status).toBe(204)
    } finally {
      await atMedia(office, 'faults', { calls: 'answered' })
    }
    office.clock.advance(3)
    await office.office.work.worker(REMOVALS_QUEUE).drain()
    expect([...(await insideOf(office, roomId)).keys()]).toEqual([])
    const entries = (await auditOf(founder)).filter(({ action }) => action === 'room.agent-removed')
    expect(entries).toHaveLength(1)
  })

  it('are done without before they come', async () => {
    const { founder, moderator, about, programs } = await agentScene(office, outbox)
    await founder.browser.call('dispatchAgent', about)
    expect((await moderator.browser.request('removeAgent', about)).status).toBe(204)
    expect(await programs()).toEqual([])
  })
})
