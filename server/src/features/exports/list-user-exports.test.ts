import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportOf } from '../../../tests/data/archives.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

describe('listUserExports', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('shows a person their own, newest first, and nobody else’s', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const first = await exportOf(office, member.browser, 'User')
    const second = await exportOf(office, member.browser, 'User')
    const { exports } = await member.browser.call('listUserExports')
    const keys = exports.map(({ downloadUrl }) => new URL(downloadUrl as string).pathname)
    expect(keys).toEqual([second, first].map((url) => new URL(url).pathname))
    expect((await founder.browser.call('listUserExports')).exports).toEqual([])
    expect((await founder.browser.call('listOrganizationExports')).exports).toEqual([])
    expect(await office.browser().request('listUserExports')).toMatchObject({ status: 401 })
  })
})
