import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'

describe('cancelKnock', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  it('takes a knock back, once, and only by the one who knocked', async () => {
    const founder = await newFounder(office)
    const colleague = await newMember(office, founder, 'member')
    await colleague.browser.call('setPresenceStatus', { status: 'online' })
    const { knockId } = await founder.browser.call('knock', { userId: colleague.id })
    for (const person of [colleague, await newFounder(office)])
      expect(await person.browser.request('cancelKnock', { knockId })).toMatchObject({
        status: 404,
        body: { error: 'knock-not-found' },
      })
    for (let time = 0; time < 2; time += 1)
      expect((await founder.browser.request('cancelKnock', { knockId })).status).toBe(204)
    const ended = (await outbox.events(`user:${founder.organizationId}`)).filter(
      ({ type }) => type === 'knock.ended',
    )
    expect(ended.map(({ data }) => data)).toEqual([
      { knockId, outcome: 'cancelled' },
      { knockId, outcome: 'cancelled' },
    ])
  })

  it('is too late once it was answered', async () => {
    const founder = await newFounder(office)
    const colleague = await newMember(office, founder, 'member')
    await colleague.browser.call('setPresenceStatus', { status: 'online' })
    const { knockId } = await founder.browser.call('knock', { userId: colleague.id })
    await colleague.browser.call('answerKnock', { knockId, answer: 'accept' })
    expect(await founder.browser.request('cancelKnock', { knockId })).toMatchObject({
      status: 409,
      body: { error: 'knock-ended' },
    })
  })
})
