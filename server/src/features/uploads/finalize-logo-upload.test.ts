import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressAt, joinAs, picture, put, shownAt, upload } from '../../../tests/chapters/uploads.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { mailsTo, newFounder, type Person } from '../../../tests/people.ts'

describe('finalizeLogoUpload', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const uploadLogo = async (browser: Person['browser'], bytes: Uint8Array) => {
    const ticket = await browser.call('createLogoUploadTicket', { contentType: 'image/png' })
    await put(addressAt(office, ticket.uploadUrl), bytes, 'image/png')
    return ticket.tmpKey
  }
  const logoOf = async (browser: Person['browser']) =>
    (await browser.call('getCurrentUser')).organizationMemberships[0]?.organization.logoUrl

  it('shows the logo to every member at once, and spends none of the avatar tries', async () => {
    const { browser, organizationId } = await newFounder(office)
    const member = await joinAs(office, organizationId, 'member')
    const bytes = await picture('png')
    const tmpKey = await uploadLogo(browser, bytes)
    const { logoUrl } = await browser.call('finalizeLogoUpload', { tmpKey })
    expect(logoUrl).toBe(`${office.office.config.baseUrl}/storage/${tmpKey.replace('tmp/', 'logos/')}`)
    expect([await logoOf(browser), await logoOf(member.browser)]).toEqual([logoUrl, logoUrl])
    const shown = await shownAt(office, logoUrl)
    expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true)
    expect((await browser.call('getCurrentUser')).avatarUploadTriesRemaining).toBe(3)
    const pictureInInvitation = async () => {
      const email = freshEmail()
      await browser.call('sendInvitation', { email })
      const [mail] = await mailsTo(office, email)
      return /<img src="([^"]+)"/.exec(mail?.html ?? '')?.[1]
    }
    expect(await pictureInInvitation()).toBe(logoUrl)

    expect((await browser.request('removeLogo')).status).toBe(204)
    expect([await logoOf(browser), await logoOf(member.browser)]).toEqual([null, null])
    expect((await shownAt(office, logoUrl)).status).toBe(404)
    expect(await pictureInInvitation()).toBeUndefined()
  })

  it('answers 403 to an avatar of the admin, and to an upload of another organization', async () => {
    const { browser } = await newFounder(office)
    const other = await newFounder(office)
    const avatar = await upload(office, browser, await picture('png'))
    const foreign = await uploadLogo(other.browser, await picture('png'))
    for (const tmpKey of [avatar, foreign])
      expect(await browser.request('finalizeLogoUpload', { tmpKey })).toMatchObject({ status: 403 })
    const own = await uploadLogo(browser, await picture('png'))
    expect(await browser.request('finalizeAvatarUpload', { tmpKey: own })).toMatchObject({ status: 403 })
    expect((await other.browser.request('finalizeLogoUpload', { tmpKey: foreign })).status).toBe(200)
  })

  it('ends after five tries of all admins together', async () => {
    const { browser, organizationId } = await newFounder(office)
    const second = await joinAs(office, organizationId, 'admin')
    for (const admin of [browser, second.browser, browser, second.browser, browser]) {
      const tmpKey = await uploadLogo(admin, Buffer.from('no image'))
      expect(await admin.request('finalizeLogoUpload', { tmpKey })).toMatchObject({ status: 400 })
    }
    expect(
      await second.browser.request('createLogoUploadTicket', { contentType: 'image/png' }),
    ).toMatchObject({
      status: 429,
    })
    office.clock.advance(24 * 60 * 60)
    expect((await browser.request('createLogoUploadTicket', { contentType: 'image/png' })).status).toBe(200)
  })

  it('answers 404 where nothing was uploaded, 422 to no key, 401 without a session', async () => {
    const { browser, organizationId } = await newFounder(office)
    const tmpKey = `tmp/${organizationId}/none.png`
    expect(await browser.request('finalizeLogoUpload', { tmpKey })).toMatchObject({ status: 404 })
    expect(await browser.request('finalizeLogoUpload', {} as never)).toMatchObject({ status: 422 })
    expect(await office.browser().request('finalizeLogoUpload', { tmpKey })).toMatchObject({ status: 401 })
  })
})
