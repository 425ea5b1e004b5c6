import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { openProcessHarness } from '../../../tests/process/office-process.ts'
import { until } from '../../../tests/until.ts'
import { openWorkosStub, STUB_REGISTRATION, type WorkosStub } from '../../../tests/vendors/workos-stub.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { giveUpPendingOrganizations } from './pending-organizations.ts'
import { sweepPendingOrganizations } from './sweep-pending-organizations.ts'

/** Organizations that were made at the identity provider and never here. */
describe('sweepPendingOrganizations', () => {
  let stub: WorkosStub
  let office: TestOffice
  let settings: Record<string, string>
  const harness = openProcessHarness()
  beforeAll(async () => {
    stub = await openWorkosStub()
    settings = { IDENTITY_PROVIDER: 'workos', ...STUB_REGISTRATION, WORKOS_API_URL: stub.url }
    office = await openTestOffice({ settings })
    // it runs when the tests say so
    await office.office.jobs.stop()
  })
  afterAll(async () => {
    await harness.clear()
    await office.close()
    expect(stub.misfits).toEqual([])
    await stub.close()
  })
  afterEach(() => {
    stub.fault = undefined
    stub.silentAfter = undefined
    vi.restoreAllMocks()
  })

  const needs = () => ({ ...office.office.needs, db: office.database.db, clock: office.clock })
  const sweep = () => sweepPendingOrganizations(needs(), new AbortController().signal)
  const begun = async () =>
    (await office.database.pool.query('select key from organization_foundings')).rows.length
  async function signedUp() {
    const [email, browser] = [freshEmail(), office.browser()]
    await browser.call('signUp', { email })
    await office.office.identityWork.settle()
    const answer = await browser.request('finalizeMagicAuth', { email, code: stub.codeFor(email) })
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
    return { browser, cookie }
  }

  it('takes away what a node left behind that was killed before it knew the answer', async () => {
    const node = await harness.serve({
      settings: { ...settings, DATABASE_URL: office.database.connectionString },
    })
    const { browser, cookie } = await signedUp()
    stub.silentAfter = 'POST /organizations'
    const asked = fetch(`${node.url}/api/v1/organizations/create`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Killed' }),
    }).catch(() => 'cut off')
    await until(async () => stub.organizationsNamed('Killed').length === 1)
    node.kill('SIGKILL')
    expect(await asked).toBe('cut off')
    expect(await browser.call('listOrganizations')).toEqual([])

    await sweep()
    expect(stub.organizationsNamed('Killed')).toHaveLength(1)
    office.clock.advance(10 * 60 + 1)
    await sweep()
    expect(stub.organizationsNamed('Killed')).toEqual([])
    expect(await begun()).toBe(0)
  })

  it('takes away what was half made when the provider failed, once the provider answers again', async () => {
    const { browser } = await signedUp()
    const { identity } = office.office.needs
    const failure = new ProviderFailure('workos', 'createOrganizationMembership', { retryable: true })
    vi.spyOn(identity, 'createMembership').mockRejectedValueOnce(failure)
    expect((await browser.request('createOrganization', { name: 'Half' })).status).toBe(503)
    expect(stub.organizationsNamed('Half')).toHaveLength(1)
    office.clock.advance(10 * 60 + 1)
    stub.fault = { status: 500 }
    await expect(sweep()).rejects.toThrow(ProviderFailure)
    expect(await begun()).toBe(1)
    stub.fault = undefined
    await sweep()
    expect(stub.organizationsNamed('Half')).toEqual([])
    expect(await begun()).toBe(0)
  })

  it('is a job of the leader, wherever the people are known', async () => {
    const own = await openTestOffice()
    await until(async () => own.office.jobs.isLeader())
    const { db, pool } = own.database
    await pool.query(`insert into organization_foundings values ('left', now() - interval '11 minutes')`)
    await own.office.jobs.runNow('sweep-pending-organizations')
    expect(await giveUpPendingOrganizations(db, own.clock.now(), own.clock.now())).toEqual([])
    await own.close()
  })

  it('leaves what was founded alone', async () => {
    const { browser } = await signedUp()
    const { id } = await browser.call('createOrganization', { name: 'Founded' })
    expect(await begun()).toBe(0)
    office.clock.advance(60 * 60)
    await sweep()
    expect(stub.organizationsNamed('Founded')).toEqual([id])
  })

  it('founds nothing that was given up meanwhile', async () => {
    const { browser } = await signedUp()
    const { identity } = office.office.needs
    vi.spyOn(identity, 'createMembership').mockImplementationOnce(async () => {
      const now = office.clock.now()
      await giveUpPendingOrganizations(office.database.db, secondsAfter(now, 1), now)
    })
    expect((await browser.request('createOrganization', { name: 'Late' })).status).toBe(503)
    expect(await browser.call('listOrganizations')).toEqual([])
    await sweep()
    expect(stub.organizationsNamed('Late')).toEqual([])
  })
})
