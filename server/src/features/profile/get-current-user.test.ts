import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'

describe('getCurrentUser', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { AVATAR_UPLOAD_TRIES: '7', CALENDAR_ENABLED: 'false' } })
  })
  afterAll(() => office.close())

  it('answers the whole User of a person without an organization', async () => {
    const { browser, email, id } = await newPerson(office)
    expect(await browser.call('getCurrentUser')).toEqual({
      id,
      presenceUserId: expect.stringMatching(/^user_/),
      email,
      firstName: '',
      lastName: '',
      displayName: email.split('@')[0],
      avatarUrl: null,
      currentOrganizationId: '',
      organizationMemberships: [],
      integrations: { providerACalendar: { connected: false, enabled: false } },
      manualStatus: null,
      avatarUploadTriesRemaining: 7,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
  })

  it('shows every membership, and the active organization', async () => {
    const { browser, organizationId } = await newFounder(office, 'Über & Söhne')
    expect(await browser.call('getCurrentUser')).toMatchObject({
      currentOrganizationId: organizationId,
      organizationMemberships: [
        {
          organization: { id: organizationId, name: 'Über & Söhne', logoUrl: null },
          role: 'admin',
          status: 'active',
          permissions: expect.arrayContaining(['EditOrganization', 'InviteUser']),
        },
      ],
    })
  })

  it('answers the same under the earlier path, marked as deprecated', async () => {
    const { browser } = await newFounder(office)
    const earlier = await browser.request('getUserInfo')
    expect(earlier.body).toEqual(await browser.call('getCurrentUser'))
    expect(earlier.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(earlier.headers.get('link')).toBe('</user/get>; rel="successor-version"')
  })

  it.each(['getCurrentUser', 'getUserInfo'] as const)(
    '%s is refused without a session',
    async (operation) => {
      expect(await office.browser().request(operation)).toMatchObject({
        status: 401,
        body: { code: 401, error: 'unauthenticated' },
      })
    },
  )
})
