import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { invitationTokenFor, linkTokenOf, newFounder } from '../../../tests/people.ts'

describe('showInviteLink', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())
  const show = (token: string) => office.browser().request('showInviteLink', { token })

  it('names the organization that a link leads into, as often as anybody looks', async () => {
    const token = await linkTokenOf(await newFounder(office, 'Harbour'))
    for (let looks = 0; looks < 2; looks++)
      expect(await show(token)).toMatchObject({ status: 200, body: { organizationName: 'Harbour' } })
  })

  it('does not know a nonsense token, a link that was replaced, nor one of a deleted organization', async () => {
    const founder = await newFounder(office)
    const replaced = await linkTokenOf(founder)
    await founder.browser.call('resetInviteLink')
    const deleted = await linkTokenOf(founder)
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    for (const token of ['x', `join_${'A'.repeat(43)}`, replaced, deleted])
      expect(await show(token)).toMatchObject({ status: 404, body: { error: 'invite-link-not-found' } })
  })

  it('shows where a mailed invitation leads that is given to it, as long as it holds', async () => {
    const founder = await newFounder(office, 'Harbour')
    const email = freshEmail()
    await founder.browser.call('sendInvitation', { email })
    const token = await invitationTokenFor(office, email)
    expect(await show(token)).toMatchObject({ status: 200, body: { organizationName: 'Harbour' } })
    const { data } = await founder.browser.call('listInvitation')
    await founder.browser.call('revokeInvitation', { invitationId: data[0]?.id ?? '' })
    expect(await show(token)).toMatchObject({ status: 410, body: { error: 'invitation-expired' } })
  })
})
