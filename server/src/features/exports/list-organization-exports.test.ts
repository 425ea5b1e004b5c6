import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressAt } from '../../../tests/chapters/uploads.ts'
import { exportOf, fetchArchive } from '../../../tests/data/archives.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { purgeExports } from './store.ts'

describe('listOrganizationExports', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('shows every admin the exports of their organization, and nobody else', async () => {
    const founder = await newFounder(office)
    const admin = await newMember(office, founder, 'admin')
    const url = await exportOf(office, founder.browser, 'Organization')
    const { exports } = await admin.browser.call('listOrganizationExports')
    expect(exports).toEqual([
      {
        exportId: expect.any(String),
        ...{ state: 'ready', progress: 100 },
        startedAt: expect.stringMatching(/Z$/),
        downloadUrl: expect.stringContaining('/storage/exports/'),
      },
    ])
    for (const role of ['guest', 'member', 'moderator'] as const) {
      const { browser } = await newMember(office, founder, role)
      for (const operation of ['listOrganizationExports', 'startOrganizationExport'] as const)
        expect(await browser.request(operation)).toMatchObject({ status: 403 })
    }
    const other = await newFounder(office, 'Other')
    expect((await other.browser.call('listOrganizationExports')).exports).toEqual([])
    expect((await founder.browser.call('listUserExports')).exports).toEqual([])
    const forged = url.replace(/signature=.{4}/, 'signature=AAAA')
    expect((await fetch(forged)).status).toBe(403)
    expect((await fetch(url.split('?')[0] as string)).status).toBe(403)
    const answer = await fetch(url)
    expect(answer.headers.get('content-type')).toBe('application/gzip')
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="atrium-organization-[\dT-]+\.tar\.gz"$/,
    )
    await answer.arrayBuffer()
  })

  it('answers an address of a few minutes each time, and none to whoever is no longer an admin', async () => {
    const founder = await newFounder(office)
    const admin = await newMember(office, founder, 'admin')
    const removed = await newMember(office, founder, 'admin')
    const url = await exportOf(office, founder.browser, 'Organization')
    const list = async ({ browser }: Person) => (await browser.call('listOrganizationExports')).exports
    for (const one of [admin, removed]) expect(await list(one)).toMatchObject([{ state: 'ready' }])
    await founder.browser.call('updateMember', { id: admin.id, role: 'member' })
    await founder.browser.call('removeMember', { id: removed.id })
    expect(await admin.browser.request('listOrganizationExports')).toMatchObject({ status: 403 })
    expect((await removed.browser.request('listOrganizationExports')).status).toBeGreaterThanOrEqual(400)
    await (await fetchArchive(url)).remove()
    let advanced = 0
    const wait = (seconds: number) => {
      advanced += seconds
      office.clock.advance(seconds)
    }
    try {
      // the address that these two have kept, or that leaked through a log
      wait(301)
      expect((await fetch(url)).status).toBe(403)
      const [fresh] = await list(founder)
      expect(fresh).toMatchObject({ state: 'ready' })
      await (await fetchArchive(addressAt(office, fresh?.downloadUrl as string))).remove()
      wait(86_400 - 301 - 60)
      const [last] = await list(founder)
      const { searchParams } = new URL(last?.downloadUrl as string)
      // never longer than the archive itself
      expect(Number(searchParams.get('expires')) * 1_000 - office.clock.now().getTime()).toBeLessThan(62_000)
    } finally {
      office.clock.advance(-advanced)
    }
  })

  it('lets an archive be fetched for a day; then it is gone, and after a month nobody knows of it', async () => {
    const founder = await newFounder(office)
    const url = await exportOf(office, founder.browser, 'Organization')
    await (await fetchArchive(url)).remove()
    const files = async () =>
      (await readdir(join(office.dataDir, 'storage', 'exports'), { recursive: true })).filter((name) =>
        name.endsWith('.gz'),
      )
    const before = (await files()).length
    expect(await readdir(join(office.dataDir, 'exports'))).toEqual([])
    const list = async () => (await founder.browser.call('listOrganizationExports')).exports
    try {
      office.clock.advance(86_401)
      const [expired] = await list()
      expect(expired).toMatchObject({ state: 'expired' })
      expect(expired).not.toHaveProperty('downloadUrl')
      expect((await fetch(url)).status).toBe(403)
      await office.office.work.worker('exports').drain('expire')
      await until(async () => (await files()).length < before)
      const { rows } = await office.database.pool.query(
        'select state from exports where organization_id is not null and state <> $1',
        ['ready'],
      )
      expect(rows).toContainEqual({ state: 'expired' })
      await purgeExports(office.database.db, new Date(office.clock.now().getTime() + 1_000))
      expect(await list()).toEqual([])
    } finally {
      office.clock.advance(-86_401)
    }
  })
})
