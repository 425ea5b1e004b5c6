import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { invitationTokenFor, linkTokenOf, newFounder, newPerson } from '../../../tests/people.ts'

describe('showInvitation', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('shows anybody with the token what it is for, as often as they look, and uses nothing up', async () => {
    const founder = await newFounder(office, 'Acme')
    await founder.browser.call('updateProfile', { displayName: 'Grace Hopper' })
    const person = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: person.email, role: 'moderator' })
    const token = await invitationTokenFor(office, person.email)
    const stranger = office.browser()
    const looks = await Promise.all(
      Array.from({ length: 100 }, () => stranger.call('showInvitation', { token })),
    )
    for (const look of looks) {
      expect(look).toEqual({
        email: person.email,
        organizationName: 'Acme',
        inviterName: 'Grace Hopper',
        role: 'moderator',
        state: 'pending',
        expiresAt: expect.any(String),
      })
    }
    const head = await fetch(`${office.baseUrl}/auth/invitation?token=${token}`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await person.browser.call('acceptInvitation', { token })).toMatchObject({ role: 'moderator' })
    expect(await stranger.call('showInvitation', { token })).toMatchObject({ state: 'accepted' })
  })

  it('says so when it has expired', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: person.email })
    const token = await invitationTokenFor(office, person.email)
    office.clock.advance(7 * 24 * 60 * 60)
    expect(await office.browser().call('showInvitation', { token })).toMatchObject({ state: 'expired' })
  })

  it('knows nothing of other tokens, links, or deleted organizations', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: person.email })
    const token = await invitationTokenFor(office, person.email)
    const browser = office.browser()
    for (const other of ['x', `inv_${'A'.repeat(43)}`, await linkTokenOf(founder)]) {
      expect(await browser.request('showInvitation', { token: other })).toMatchObject({ status: 404 })
    }
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    expect(await browser.request('showInvitation', { token })).toMatchObject({ status: 404 })
  })

  it('wants a token', async () => {
    for (const path of [
      '/auth/invitation',
      '/auth/invitation?token=',
      `/auth/invitation?token=${'x'.repeat(600)}`,
    ]) {
      expect((await fetch(office.baseUrl + path)).status).toBe(400)
    }
  })
})
