import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, type Person } from '../../../tests/people.ts'

describe('deleteBot', () => {
  let office: TestOffice
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice()
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  const make = (name = 'Minutes') => founder.browser.call('createBot', { name })

  it('end with their token on every node at once', async () => {
    const second = await openTestOffice({ beside: office })
    try {
      const { botId, token } = await make()
      const statuses = async () => [
        (await office.program(token).request('listMembers')).status,
        (await second.program(token).request('listMembers')).status,
      ]
      expect(await statuses()).toEqual([200, 200])
      await founder.browser.call('deleteBot', { botId })
      expect(await statuses()).toEqual([401, 401])
      expect(await founder.browser.request('deleteBot', { botId })).toMatchObject({
        status: 404,
        body: { error: 'bot-not-found' },
      })
    } finally {
      await second.close()
    }
  })
})
