import { describe, expect, it } from 'vitest'
import { scimClient } from '../../../tests/chapters/scim.ts'
import { addressAt } from '../../../tests/chapters/uploads.ts'
import { newWebhook, webhookScenes } from '../../../tests/chapters/webhook-scene.ts'
import { exportOf } from '../../../tests/data/archives.ts'
import { deleteAccountOf, untilErased } from '../../../tests/data/erasure-scene.ts'
import type { TestOffice } from '../../../tests/office.ts'
import { newMember, type Person } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { restoreOrganization } from './restore-organization.ts'

/** What acts for an organization beside its people: it belongs to the organization, and ends with it. */
describe('programs of an organization', () => {
  const scene = webhookScenes()

  const programsOf = async ({ browser }: Pick<Person, 'browser'>, url: string) => {
    const service = await browser.call('createServiceToken', { name: 'Bot', operations: ['listMembers'] })
    const scim = await browser.call('createDirectoryConnection', { name: 'Entra' })
    const webhook = await newWebhook(browser, { url, events: ['room.created'] })
    return { service: service.token, scim: scim.token, webhook: webhook.id }
  }
  const statuses = async (office: TestOffice, { service, scim }: { service: string; scim: string }) => [
    (await office.program(service).request('listMembers')).status,
    (await scimClient(office, scim).get('/Users')).status,
  ]

  it('end with it, what waits to be sent too, and are back where it is restored', async () => {
    const { office, founder, receiver, makeRoom, deliveries, drain } = scene()
    receiver.answers = 500
    const programs = await programsOf(founder, receiver.url)
    expect(await statuses(office, programs)).toEqual([200, 200])
    await makeRoom('One')
    await until(async () => (await deliveries(programs.webhook))[0]?.status === 500)
    const archive = await exportOf(office, founder.browser, 'Organization')
    const { organizationId } = founder
    await founder.browser.call('deleteOrganization', { organizationId })
    expect(await statuses(office, programs)).toEqual([401, 401])
    expect(await founder.browser.request('listOrganizationExports')).toMatchObject({ status: 403 })
    receiver.answers = 200
    const arrived = receiver.arrivals.length
    office.clock.advance(3_600)
    try {
      await drain()
      expect(receiver.arrivals).toHaveLength(arrived)
      expect((await fetch(addressAt(office, archive))).status).toBe(403)
    } finally {
      office.clock.advance(-3_600)
    }
    await restoreOrganization(office.database.db, { organizationId }, office.clock.now())
    expect(await statuses(office, programs)).toEqual([200, 200])
  })

  it.each([
    [
      'demoted',
      (founder: Person, { id }: Person) => founder.browser.call('updateMember', { id, role: 'member' }),
    ],
    ['removed', (founder: Person, { id }: Person) => founder.browser.call('removeMember', { id })],
    [
      'erased',
      async (_founder: Person, admin: Person, office: TestOffice) => {
        await deleteAccountOf(office, admin)
        await untilErased(office, admin.id)
      },
    ],
  ] as const)('go on where their maker is %s: another admin sees and ends them', async (_how, change) => {
    const { office, founder, receiver } = scene()
    const admin = await newMember(office, founder, 'admin')
    const programs = await programsOf(admin, receiver.url)
    await change(founder, admin, office)
    expect(await statuses(office, programs)).toEqual([200, 200])
    for (const operation of ['listServiceTokens', 'listDirectoryConnections', 'listWebhooks'] as const)
      expect([401, 403]).toContain((await admin.browser.request(operation)).status)
    const [token] = (await founder.browser.call('listServiceTokens')).tokens
    expect(token).toMatchObject({ name: 'Bot', createdBy: admin.id })
    await founder.browser.call('revokeServiceToken', { id: token?.id as string })
    const [connection] = (await founder.browser.call('listDirectoryConnections')).connections
    await founder.browser.call('revokeDirectoryConnection', { id: connection?.id as string })
    expect(await statuses(office, programs)).toEqual([401, 401])
    expect((await founder.browser.call('listWebhooks')).webhooks).toMatchObject([{ id: programs.webhook }])
  })
})
