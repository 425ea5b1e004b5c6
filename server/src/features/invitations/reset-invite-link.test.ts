import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, linkTokenOf, newFounder, newMember, newPerson } from '../../../tests/people.ts'

describe('resetInviteLink', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it.each(['moderator', 'admin'] as const)(
    'lets a %s put a new link in place: the old one is dead',
    async (role) => {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, role)
      const old = await linkTokenOf(founder)
      const { inviteLink } = await member.browser.call('resetInviteLink')
      const fresh = new URL(inviteLink).searchParams.get('invite_token') as string
      expect(fresh).not.toBe(old)
      expect(await linkTokenOf(founder)).toBe(fresh)

      const newcomer = await newPerson(office)
      expect(await newcomer.browser.request('joinOrganization', { inviteToken: old })).toMatchObject({
        status: 400,
        body: { error: 'invalid-invite-token' },
      })
      expect(await newcomer.browser.call('joinOrganization', { inviteToken: fresh })).toMatchObject({
        organizationId: founder.organizationId,
      })
      expect(await auditOf(founder)).toContainEqual(
        expect.objectContaining({
          action: 'invite-link.reset',
          actor: expect.objectContaining({ id: member.id, email: member.email }),
        }),
      )
    },
  )

  it('makes a link where there was none', async () => {
    const founder = await newFounder(office)
    const made = await founder.browser.call('resetInviteLink')
    expect(await founder.browser.call('getInviteLink')).toEqual(made)
  })

  it('of ten resets at once one link stays', async () => {
    const founder = await newFounder(office)
    const made = await Promise.all(Array.from({ length: 10 }, () => founder.browser.call('resetInviteLink')))
    expect(new Set(made.map(({ inviteLink }) => inviteLink)).size).toBe(10)
    expect(made).toContainEqual(await founder.browser.call('getInviteLink'))
  })

  it.each(['guest', 'member'] as const)('is refused to a %s: the link stays', async (role) => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, role)
    const before = await founder.browser.call('getInviteLink')
    expect(await member.browser.request('resetInviteLink')).toMatchObject({ status: 403 })
    expect(await founder.browser.call('getInviteLink')).toEqual(before)
  })

  it('touches no other organization', async () => {
    const [one, other] = [await newFounder(office), await newFounder(office)]
    const before = await other.browser.call('getInviteLink')
    await one.browser.call('resetInviteLink')
    expect(await other.browser.call('getInviteLink')).toEqual(before)
  })
})
