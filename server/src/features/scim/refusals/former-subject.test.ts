import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Directory, newDirectory, provisioned } from '../../../../tests/chapters/scim.ts'
import { arriveAt, connectToIssuer, openOfficeWithIssuer } from '../../../../tests/chapters/single-sign-on.ts'
import type { TestOffice } from '../../../../tests/office.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

let office: TestOffice
let issuer: HostileIssuer
let directory: Directory
beforeAll(async () => {
  ;({ office, issuer } = await openOfficeWithIssuer())
  directory = await newDirectory(office)
  await connectToIssuer(office, directory.founder.organizationId, issuer.issuer)
})
afterAll(() => office.close())

const off = { op: 'replace', value: { active: false } }
const refused = expect.objectContaining({ error: 'identity-unusable' })

describe('another subject of the issuer, under the address of a person who has left', () => {
  it('does not enter as them, invited or not, until an administrator has said that it is them', async () => {
    const { id, email } = await provisioned(directory)
    expect(await arriveAt(office, issuer, email, { sub: `former ${email}` })).toMatchObject({ id })
    await directory.scim.patch(`/Users/${id}`, off)
    const arrive = () => arriveAt(office, issuer, email, { sub: `next ${email}` })
    await expect(arrive()).rejects.toThrow(refused)
    await directory.founder.browser.call('sendInvitation', { email, role: 'member' })
    await expect(arrive()).rejects.toThrow(refused)
    await directory.founder.browser.call('restoreDirectoryUser', { id })
    expect(await arrive()).toMatchObject({ id })
  })

  it('enters where the person has not left: the issuer may know people anew', async () => {
    const { id, email } = await provisioned(directory)
    await arriveAt(office, issuer, email, { sub: `former ${email}` })
    expect(await arriveAt(office, issuer, email, { sub: `next ${email}` })).toMatchObject({ id })
  })

  it('leaves the former one as they are known, who is in no organization then', async () => {
    const { id, email } = await provisioned(directory)
    await arriveAt(office, issuer, email)
    await directory.scim.patch(`/Users/${id}`, off)
    const { browser } = await arriveAt(office, issuer, email)
    expect(await browser.request('listMembers')).toMatchObject({ status: 403 })
  })
})
