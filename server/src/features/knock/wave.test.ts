import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'

describe('wave', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  const scene = async (status?: 'online' | 'away' | 'busy' | 'appear_offline') => {
    const founder = await newFounder(office)
    const colleague = await newMember(office, founder, 'guest')
    if (status) await colleague.browser.call('setPresenceStatus', { status })
    const heard = async () =>
      (await outbox.events(`user:${founder.organizationId}`)).filter(({ type }) => type.startsWith('wave.'))
    return { founder, colleague, heard }
  }

  it('says hello to a colleague who is online or away, as often as it is sent', async () => {
    for (const status of ['online', 'away'] as const) {
      const { founder, colleague, heard } = await scene(status)
      for (let time = 0; time < 2; time += 1)
        expect((await founder.browser.request('wave', { userId: colleague.id })).status).toBe(204)
      expect((await heard()).map(({ type, data }) => ({ type, data }))).toEqual([
        { type: 'wave.received', data: { from: founder.id } },
        { type: 'wave.received', data: { from: founder.id } },
      ])
    }
  })

  it('is dropped for who is busy, offline or appears so, and the answer does not tell', async () => {
    for (const status of ['busy', 'appear_offline', undefined] as const) {
      const { founder, colleague, heard } = await scene(status)
      expect((await founder.browser.request('wave', { userId: colleague.id })).status).toBe(204)
      expect(await heard()).toEqual([])
    }
  })

  it('finds colleagues alone, and not oneself', async () => {
    const { founder, heard } = await scene('online')
    const stranger = await newFounder(office)
    for (const userId of [stranger.id, 'x', '0'])
      expect(await founder.browser.request('wave', { userId })).toMatchObject({
        status: 404,
        body: { error: 'member-not-found' },
      })
    expect((await founder.browser.request('wave', { userId: founder.id })).status).toBe(400)
    expect(await heard()).toEqual([])
  })
})
