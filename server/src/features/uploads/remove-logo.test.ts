import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'

describe('removeLogo', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('does not mind where there is none', async () => {
    const { browser } = await newFounder(office)
    expect(await browser.request('removeLogo')).toMatchObject({ status: 204, body: undefined })
  })

  it('answers 403 without an active organization, 401 without a session', async () => {
    const { browser } = await newPerson(office)
    expect(await browser.request('removeLogo')).toMatchObject({ status: 403 })
    expect(await office.browser().request('removeLogo')).toMatchObject({ status: 401 })
  })
})
