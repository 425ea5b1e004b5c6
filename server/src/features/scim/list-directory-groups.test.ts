import { expect, it } from 'vitest'
import { newDirectory, provisioned } from '../../../tests/chapters/scim.ts'
import { openTestOffice } from '../../../tests/office.ts'

it('listDirectoryGroups shows those of the own organization by name, with their size and role', async () => {
  const office = await openTestOffice()
  try {
    const [directory, other] = [await newDirectory(office), await newDirectory(office)]
    await other.scim.send('POST', '/Groups', { displayName: 'Foreign' })
    const { id } = await provisioned(directory)
    const make = async (displayName: string, ...members: string[]) =>
      (
        await directory.scim.send('POST', '/Groups', {
          displayName,
          members: members.map((value) => ({ value })),
        })
      ).body
    const [sales, design] = [await make('Sales', id), await make('Design')]
    const { browser } = directory.founder
    await browser.call('updateDirectoryGroup', { id: sales.id, role: 'moderator' })
    expect((await browser.call('listDirectoryGroups')).groups).toEqual([
      { id: design.id, displayName: 'Design', members: 0, role: null },
      { id: sales.id, displayName: 'Sales', members: 1, role: 'moderator' },
    ])
  } finally {
    await office.close()
  }
})
