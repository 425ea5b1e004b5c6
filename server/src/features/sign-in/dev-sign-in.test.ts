import { describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice } from '../../../tests/office.ts'
import { PRODUCTION } from '../../../tests/operator/production-settings.ts'
import { codeFor, linkTokenOf, newPerson, type Person, signInAgain } from '../../../tests/people.ts'

describe('devSignIn', () => {
  it('signs in one fixed developer as admin of one fixed organization, however often and at once', async () => {
    const office = await openTestOffice()
    try {
      const browsers = Array.from({ length: 10 }, () => office.browser())
      const answers = await Promise.all(browsers.map((browser) => browser.call('devSignIn')))
      expect(new Set(answers.map((answer) => answer.user.id)).size).toBe(1)
      expect(Object.keys(answers[0]?.user ?? {}).sort()).toEqual(['email', 'id'])
      const user = await browsers[9]?.call('getCurrentUser')
      expect(user?.organizationMemberships).toMatchObject([{ role: 'admin', status: 'active' }])
      expect(user?.currentOrganizationId).toBe(user?.organizationMemberships[0]?.organization.id)
    } finally {
      await office.close()
    }
  })

  it('signs them in under another address too, makes them an admin again, and another one after their end', async () => {
    const office = await openTestOffice()
    try {
      const browser = office.browser()
      const { user } = await browser.call('devSignIn')
      const address = freshEmail()
      await browser.call('changeEmail', { email: address })
      const codes = { code: await codeFor(office, user.email), newCode: await codeFor(office, address) }
      await browser.call('confirmEmailChange', codes)
      expect((await browser.call('devSignIn')).user).toEqual({ id: user.id, email: address })

      const { organizationMemberships } = await browser.call('getCurrentUser')
      const organization = organizationMemberships[0]?.organization.id as string
      const other = await newPerson(office)
      await other.browser.call('joinOrganization', { inviteToken: await linkTokenOf({ browser } as Person) })
      await browser.call('updateMember', { id: other.id, role: 'admin' })
      const admin = (await signInAgain(office, other.email)).browser
      await admin.call('updateMember', { id: user.id, role: 'member' })
      await browser.call('devSignIn')
      expect(await browser.call('getCurrentUser')).toMatchObject({
        currentOrganizationId: organization,
        organizationMemberships: [{ role: 'admin', status: 'active' }],
      })

      await browser.call('deleteAccount')
      await browser.call('confirmAccountDeletion', { code: await codeFor(office, address) })
      const again = await browser.call('devSignIn')
      expect(again.user).toEqual({ id: expect.not.stringMatching(`^${user.id}$`), email: user.email })
      expect((await office.browser().call('devSignIn')).user).toEqual(again.user)
    } finally {
      await office.close()
    }
  })

  it('does not exist in production', async () => {
    const office = await openTestOffice({ settings: PRODUCTION })
    try {
      expect(await office.browser().request('devSignIn')).toMatchObject({ status: 404, body: { code: 404 } })
    } finally {
      await office.close()
    }
  })
})
