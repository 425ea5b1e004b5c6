import { describe, expect, it } from 'vitest'
import { openTestOffice } from '../../../tests/office.ts'
import { PRODUCTION } from '../../../tests/operator/production-settings.ts'

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

  it('does not exist in production', async () => {
    const office = await openTestOffice({ settings: PRODUCTION })
    try {
      expect(await office.browser().request('devSignIn')).toMatchObject({ status: 404, body: { code: 404 } })
    } finally {
      await office.close()
    }
  })
})
