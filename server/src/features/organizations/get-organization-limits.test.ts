import { limitNames, organizationLimits } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setLimit } from '../../../tests/chapters/limits.ts'
import { addressAt, put, untilImagesAreChecked } from '../../../tests/chapters/uploads.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'

const DAY = 24 * 60 * 60

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice({
    settings: { RATE_LIMIT_INVITATIONS_PER_ORGANIZATION: '10', RATE_LIMIT_EXPORTS_PER_ORGANIZATION: '5' },
  })
})
afterAll(() => office.close())

const limitsOf = async ({ browser }: Person) => {
  const { limits } = await browser.call('getOrganizationLimits')
  return Object.fromEntries(limits.map((limit) => [limit.name, limit]))
}

describe('getOrganizationLimits', () => {
  it('names every limit of the table, with what the deployment gives', async () => {
    const founder = await newFounder(office)
    const { limits } = await founder.browser.call('getOrganizationLimits')
    expect(limits.map(({ name, unit, scope }) => ({ name, unit, scope }))).toEqual(
      limitNames.map((name) => {
        const { unit, scope } = organizationLimits[name]
        return { name, unit, scope }
      }),
    )
    expect(limits[0]).toEqual({ name: 'rooms', limit: 1_000, used: 0, unit: 'rooms', scope: 'organization' })
  })

  it('says how much is used, and nothing of what others use', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office, 'Other')]
    const { browser } = founder
    await browser.call('createRoom', { name: 'Kitchen' })
    const { room } = await browser.call('createRoom', { name: 'Attic' })
    await browser.call('createWebhook', { url: 'http://127.0.0.1:9/hook', events: ['room.created'] })
    await browser.call('createServiceToken', { name: 'Door', operations: ['listMembers'] })
    await browser.call('createDirectoryConnection', { name: 'Entra' })
    await browser.call('claimOrganizationDomain', { domain: 'limits.example' })
    await browser.call('sendInvitation', { emails: [freshEmail(), freshEmail(), freshEmail()] })
    await browser.call('startOrganizationExport')
    const used = async (person: Person) =>
      Object.fromEntries(Object.entries(await limitsOf(person)).map(([name, one]) => [name, one.used]))
    expect(await used(founder)).toMatchObject({
      ...{ rooms: 2, webhooks: 1, 'service-tokens': 1, 'directory-connections': 1, domains: 1 },
      ...{ invitations: 3, exports: 1, 'sign-on-trials': 0, 'logo-uploads': 0, 'guests-per-room': 0 },
      // what comes back within a minute is not told
      ...{ 'calls-per-person': null, 'messages-per-person': null },
      // what a member sends elsewhere counts too: that is nothing for this organization
      'invitations-per-person': null,
    })
    await browser.call('deleteRoom', { roomId: room.id })
    expect((await limitsOf(founder)).rooms?.used).toBe(1)
    expect(Object.values(await used(other)).filter((one) => one !== 0 && one !== null)).toEqual([])
  })

  it('says of a limit of each person how much was used by the one who used most, where it is counted here', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    await setLimit(office, founder, 'invitations-per-person', 4)
    await founder.browser.call('sendInvitation', { email: freshEmail() })
    await member.browser.call('sendInvitation', { emails: [freshEmail(), freshEmail()] })
    expect((await limitsOf(founder))['invitations-per-person']).toMatchObject({ limit: 4, used: 2 })
    // a refused try is no more than all
    await member.browser.request('sendInvitation', { emails: [freshEmail(), freshEmail(), freshEmail()] })
    expect((await limitsOf(founder))['invitations-per-person']?.used).toBe(2)
  })

  it('counts uploads of a logo until they come back a day later', async () => {
    const founder = await newFounder(office)
    await setLimit(office, founder, 'logo-uploads', 1)
    await untilImagesAreChecked(office)
    const ticket = () => founder.browser.request('createLogoUploadTicket', { contentType: 'image/png' })
    const { tmpKey, uploadUrl } = (await ticket()).body as { tmpKey: string; uploadUrl: string }
    await put(addressAt(office, uploadUrl), Buffer.from('no image'), 'image/png')
    expect((await founder.browser.request('finalizeLogoUpload', { tmpKey })).status).toBe(400)
    expect((await limitsOf(founder))['logo-uploads']).toMatchObject({ limit: 1, used: 1 })
    expect(await ticket()).toMatchObject({ status: 429, body: { error: 'no-upload-tries-left' } })
    office.clock.advance(DAY)
    expect((await limitsOf(founder))['logo-uploads']?.used).toBe(0)
    office.clock.advance(-DAY)
  })

  it('is for admins', async () => {
    const founder = await newFounder(office)
    const moderator = await newMember(office, founder, 'moderator')
    expect((await moderator.browser.request('getOrganizationLimits')).status).toBe(403)
  })
})
