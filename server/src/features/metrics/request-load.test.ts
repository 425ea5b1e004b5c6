import { afterAll, beforeAll, expect, it } from 'vitest'
import { metricsOf } from '../../../tests/chapters/media-events.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import type { NodeReport } from './node-report.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice({ settings: { RATE_LIMIT_PER_USER: '40' } })
})
afterAll(() => office.close())

const report = async () => (await (await fetch(`${office.baseUrl}/metrics/node`)).json()) as NodeReport

it('one organization floods: it is named with its refusals, by id alone, in the report and in the metrics', async () => {
  const [flood, quiet] = [await newFounder(office), await newFounder(office)]
  await quiet.browser.call('listRooms')
  const statuses: number[] = []
  for (let n = 0; n < 60; n += 1) statuses.push((await flood.browser.request('listRooms')).status)
  const refused = statuses.filter((status) => status === 429).length
  expect(refused).toBeGreaterThan(10)
  await office.office.jobs.runNow('name-organizations')
  const { load, waitingForDatabase } = await report()
  expect(load.organizations.top[0]).toMatchObject({ key: flood.organizationId, refused })
  expect(load.organizations.top[0]?.loopMs).toBeGreaterThan(0)
  expect(load.organizations.top[0]?.waitedMs).toBeGreaterThan(0)
  expect(load.organizations.top.map(({ key }) => key)).toContain(quiet.organizationId)
  expect(load.people.top[0]).toMatchObject({ key: flood.id, refused })
  expect(load.operations.top[0]).toMatchObject({ key: 'listRooms', refused })
  expect(waitingForDatabase).toBe(0)
  const values = async (name: string) =>
    (await metricsOf(office)).filter((one) => one.name === name).map(({ labels, value }) => [labels, value])
  await expect
    .poll(async () => await values('organization_refusals_per_second'), { timeout: 10_000 })
    .toContainEqual([expect.objectContaining({ org_id: flood.organizationId }), expect.any(Number)])
  const ofFlood = (await metricsOf(office)).find(
    ({ name, labels }) =>
      name === 'organization_refusals_per_second' && labels.org_id === flood.organizationId,
  )
  expect(ofFlood?.value).toBeGreaterThan(0)
  expect(await values('http_requests_refused_total')).toEqual([
    [expect.objectContaining({ reason: 'too-many' }), refused],
  ])
})

it('has no series for more than the ten greatest, none, and the others, however many are at work', async () => {
  for (let n = 0; n < 14; n += 1) await (await newFounder(office)).browser.call('listRooms')
  await office.office.jobs.runNow('name-organizations')
  const organizations = async () =>
    (await metricsOf(office)).filter(({ name }) => name === 'organization_requests_per_second')
  await expect.poll(async () => (await organizations()).length, { timeout: 10_000 }).toBe(11)
  expect((await organizations()).map(({ labels }) => labels.org_id)).toContain('others')
})

it('is for readers of the metrics alone', async () => {
  const forwarded = { 'x-forwarded-for': '192.0.2.1' }
  expect((await fetch(`${office.baseUrl}/metrics/node`, { headers: forwarded })).status).toBe(401)
  expect((await fetch(`${office.baseUrl}/metrics/elsewhere`)).status).toBe(404)
})
