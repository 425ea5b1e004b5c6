import { expect, it } from 'vitest'
import { scimClient } from '../../../../tests/chapters/scim.ts'
import { openTestOffice } from '../../../../tests/office.ts'
import { newFounder } from '../../../../tests/people.ts'
import { until } from '../../../../tests/until.ts'

it('listDirectoryConnections shows those of the own organization, newest first, and when each was used', async () => {
  const office = await openTestOffice()
  try {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    await other.browser.call('createDirectoryConnection', { name: 'Foreign' })
    await founder.browser.call('createServiceToken', { name: 'No directory', operations: ['listMembers'] })
    const first = await founder.browser.call('createDirectoryConnection', { name: 'First' })
    const second = await founder.browser.call('createDirectoryConnection', { name: 'Second' })
    await scimClient(office, first.token).get('/ServiceProviderConfig')
    const list = async () => (await founder.browser.call('listDirectoryConnections')).connections
    await until(async () => (await list())[1]?.lastUsedAt !== null)
    const common = { createdBy: founder.id, createdAt: expect.any(String) }
    expect(await list()).toEqual([
      { id: second.id, name: 'Second', ...common, lastUsedAt: null },
      { id: first.id, name: 'First', ...common, lastUsedAt: expect.any(String) },
    ])
  } finally {
    await office.close()
  }
})
