import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'

describe('answerKnock', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  async function scene() {
    const founder = await newFounder(office)
    const colleague = await newMember(office, founder, 'member')
    await colleague.browser.call('setPresenceStatus', { status: 'online' })
    const { knockId } = await founder.browser.call('knock', { userId: colleague.id })
    const answer = (answer: 'accept' | 'later' | 'no', person = colleague) =>
      person.browser.request('answerKnock', { knockId, answer })
    const ended = async () =>
      (await outbox.events(`user:${founder.organizationId}`)).filter(({ type }) => type === 'knock.ended')
    return { founder, colleague, knockId, answer, ended }
  }

  it('tells both on all their connections what was answered', async () => {
    const { knockId, answer, ended } = await scene()
    expect((await answer('later')).status).toBe(204)
    expect((await ended()).map(({ data }) => data)).toEqual([
      { knockId, outcome: 'later' },
      { knockId, outcome: 'later' },
    ])
    expect(new Set((await ended()).map(({ channel }) => channel)).size).toBe(2)
  })

  it('of many tabs one wins: the same answer again is right too, another one is not', async () => {
    const { answer, ended } = await scene()
    const given = (['accept', 'no', 'accept', 'no', 'later', 'accept'] as const).map(async (word) => ({
      word,
      status: (await answer(word)).status,
    }))
    const answers = await Promise.all(given)
    const first = (await ended())[0]?.data as { outcome: string } | undefined
    for (const { word, status } of answers) expect(status).toBe(word === first?.outcome ? 204 : 409)
    expect(new Set((await ended()).map(({ id }) => id)).size).toBe(1)
  })

  it('is too late once the knock was taken back or has expired', async () => {
    const one = await scene()
    await one.founder.browser.call('cancelKnock', { knockId: one.knockId })
    expect(await one.answer('accept')).toMatchObject({ status: 409, body: { error: 'knock-ended' } })
    const other = await scene()
    office.clock.advance(31)
    expect(await other.answer('accept')).toMatchObject({ status: 409, body: { error: 'knock-ended' } })
  })

  it('is for whom it was meant: neither who knocked nor anybody else, here or elsewhere, finds it', async () => {
    const { founder, answer, ended, knockId } = await scene()
    const third = await newMember(office, founder, 'admin')
    for (const person of [founder, third, await newFounder(office)])
      expect(await answer('no', person)).toMatchObject({ status: 404, body: { error: 'knock-not-found' } })
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x'])
      expect(await founder.browser.request('answerKnock', { knockId: id, answer: 'no' })).toMatchObject({
        status: 404,
      })
    expect(await ended()).toEqual([])
    expect((await answer('accept')).status).toBe(204)
    expect(knockId).toHaveLength(36)
  })
})
