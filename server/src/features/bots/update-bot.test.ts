import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, type Person } from '../../../tests/people.ts'

describe('updateBot', () => {
  let office: TestOffice
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice()
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  const make = (name = 'Minutes') => founder.browser.call('createBot', { name })

  it('are made, renamed and deleted by admins, as the audit trail tells', async () => {
    const { botId } = await make('Notes')
    const { bot } = await founder.browser.call('updateBot', { botId, name: ' Note taker ' })
    expect(bot).toMatchObject({ botId, name: 'Note taker', createdBy: founder.id, lastUsedAt: null })
    const { bots } = await founder.browser.call('listBots')
    expect(bots[0]).toEqual(bot)
    await founder.browser.call('deleteBot', { botId })
    expect((await founder.browser.call('listBots')).bots.map((one) => one.botId)).not.toContain(botId)
    expect(await founder.browser.request('getMember', { id: botId })).toMatchObject({ status: 404 })
    const told = (await auditOf(founder)).slice(-3)
    expect(told.map(({ action, target, detail }) => [action, target.id, detail])).toEqual([
      ['bot.created', botId, { name: 'Notes' }],
      ['bot.renamed', botId, { from: 'Notes', to: 'Note taker' }],
      ['bot.deleted', botId, { name: 'Note taker' }],
    ])
  })

  it('have workers by name, each name once in an organization', async () => {
    const [{ botId }, second] = [await make('With workers'), await make('Another')]
    const update = (agentName: string | null, id = botId) =>
      founder.browser.request('updateBot', { botId: id, agentName })
    expect(await update(' note-taker ')).toMatchObject({
      status: 200,
      body: { bot: { name: 'With workers', agentName: 'note-taker' } },
    })
    expect(await update('note-taker')).toMatchObject({ status: 200 })
    const taken = { status: 409, body: { error: 'agent-name-taken' } }
    expect(await update('note-taker', second.botId)).toMatchObject(taken)
    const third = { name: 'Third', agentName: 'note-taker' }
    expect(await founder.browser.request('createBot', third)).toMatchObject(taken)
    expect((await founder.browser.call('listBots')).bots.map(({ name }) => name)).not.toContain('Third')
    const elsewhere = await newFounder(office)
    expect(await elsewhere.browser.request('createBot', third)).toMatchObject({ status: 201 })
    expect(await update(null)).toMatchObject({ status: 200, body: { bot: { agentName: null } } })
    expect(await founder.browser.request('createBot', third)).toMatchObject({ status: 201 })
    const told = (await auditOf(founder)).filter(({ action }) => action === 'bot.worker-changed')
    expect(told.map(({ detail }) => detail)).toEqual([
      { from: null, to: 'note-taker' },
      { from: 'note-taker', to: null },
    ])
  })
})
