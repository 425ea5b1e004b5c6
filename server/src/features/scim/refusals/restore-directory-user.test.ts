import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Directory, newDirectory, provisioned } from '../../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, signInAgain } from '../../../../tests/people.ts'

let office: TestOffice
let directory: Directory
beforeAll(async () => {
  office = await openTestOffice()
  directory = await newDirectory(office)
})
afterAll(() => office.close())

const off = { op: 'replace', value: { active: false } }

/** A user whom the directory has made, and made inactive. */
async function inactiveUser(said: Record<string, unknown> = {}, of: Directory = directory) {
  const person = await provisioned(of, said)
  expect(await of.scim.patch(`/Users/${person.id}`, off)).toMatchObject({ status: 200 })
  return person
}

const waiting = async () =>
  (await directory.founder.browser.call('listDirectoryRefusals')).refusals.filter(({ waits }) => waits)

describe('an administrator who is asked who it is', () => {
  it('restores whom the directory holds, who has all that was theirs', async () => {
    const { id, email } = await inactiveUser({ externalId: 'restored-1' })
    await directory.scim.send('POST', '/Users', { userName: email, externalId: 'restored-2' })
    await directory.founder.browser.call('restoreDirectoryUser', { id })
    expect(await waiting()).not.toContainEqual(expect.objectContaining({ userId: id }))
    const { browser } = await signInAgain(office, email)
    expect(await browser.call('listOrganizations')).toMatchObject([{ userRole: 'member' }])
    expect((await auditOf(directory.founder)).at(-1)).toMatchObject({
      action: 'member.joined',
      actor: { kind: 'user', id: directory.founder.id },
      detail: { way: 'directory', role: 'member' },
    })
    expect(await directory.founder.browser.request('restoreDirectoryUser', { id })).toMatchObject({
      status: 404,
    })
  })

  it('gives back none whom an administrator has removed, and the attempt stands in the audit trail', async () => {
    const { id } = await provisioned(directory)
    await directory.founder.browser.call('removeMember', { id })
    expect(await directory.founder.browser.request('restoreDirectoryUser', { id })).toMatchObject({
      body: { error: 'directory-user-kept-out' },
    })
    expect((await auditOf(directory.founder)).at(-1)).toMatchObject({
      action: 'member.join-refused',
      target: { kind: 'user', id },
      detail: { way: 'directory', reason: 'removed' },
    })
  })
})
