import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setLimit } from '../../../tests/chapters/limits.ts'
import { joinAs } from '../../../tests/chapters/uploads.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'

describe('createLogoUploadTicket', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('gives an admin an address below the organization', async () => {
    const { browser, organizationId } = await newFounder(office)
    const ticket = await browser.call('createLogoUploadTicket', { contentType: 'image/webp' })
    expect(ticket).toMatchObject({
      tmpKey: expect.stringMatching(new RegExp(`^tmp/${organizationId}/[0-9a-f-]{36}\\.webp$`)),
      expiresInSeconds: 120,
    })
  })

  it.each(['guest', 'member', 'moderator'] as const)(
    'answers 403 to a %s, whatever the body',
    async (role) => {
      const { organizationId } = await newFounder(office)
      const person = await joinAs(office, organizationId, role)
      for (const id of ['createLogoUploadTicket', 'finalizeLogoUpload', 'removeLogo'] as const) {
        const answer = await person.browser.request(id, {} as never)
        expect(answer).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
      }
    },
  )

  it('answers 403 without an active organization, 401 without a session', async () => {
    const { browser } = await newPerson(office)
    const input = { contentType: 'image/png' }
    expect(await browser.request('createLogoUploadTicket', input)).toMatchObject({
      status: 403,
      body: { error: 'no-active-organization' },
    })
    expect(await office.browser().request('createLogoUploadTicket', input)).toMatchObject({ status: 401 })
  })

  it('answers 400 to another type and 422 to none', async () => {
    const { browser } = await newFounder(office)
    expect(await browser.request('createLogoUploadTicket', { contentType: 'image/gif' })).toMatchObject({
      status: 400,
    })
    expect(await browser.request('createLogoUploadTicket', {} as never)).toMatchObject({ status: 422 })
  })

  it('says so where the limit of an organization lets nothing in, however long one waits', async () => {
    const founder = await newFounder(office)
    // set by a release that took such values
    await setLimit(office, founder, 'logo-bytes', 1_000_000)
    const refused = await founder.browser.request('createLogoUploadTicket', { contentType: 'image/png' })
    expect(refused).toMatchObject({ status: 400, body: { error: 'upload-limit-too-small' } })
    expect((refused.body as { message: string }).message).toContain('the limit is 1000000 bytes an hour')
    expect(refused.headers.get('retry-after')).toBeNull()
    await setLimit(office, founder, 'logo-bytes', 8_388_608)
    const given = await founder.browser.request('createLogoUploadTicket', { contentType: 'image/png' })
    expect(given.status).toBe(200)
  })
})
