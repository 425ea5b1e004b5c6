import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  arriveAt,
  connectToIssuer,
  enforceNow,
  giveDomain,
  openOfficeWithIssuer,
} from '../../../../tests/chapters/single-sign-on.ts'
import { freshEmail, type TestOffice } from '../../../../tests/office.ts'
import { linkTokenOf, newFounder, type Person } from '../../../../tests/people.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'
import { findProof, lookUpDomains } from './domain-proof.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR

describe('findProof', () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))
  it.each([
    ['found', async () => [['something else'], ['atrium-domain-', 'verification=dns_x']]],
    ['absent', async () => [['atrium-domain-verification=dns_y']]],
    ['absent', failing('ENOTFOUND')],
    ['absent', failing('ENODATA')],
    ['unknown', failing('ESERVFAIL')],
    ['unknown', failing('ETIMEOUT')],
  ] as const)('%s', async (proof, resolve) => {
    expect(await findProof(resolve, 'acme.example', 'dns_x')).toBe(proof)
  })
})

describe('looking domains up', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  /** What the DNS says of each domain: its record, or an error. */
  const records = new Map<string, 'there' | 'gone' | 'silent'>()
  const questions = new Map<string, number>()
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer())
  })
  afterAll(() => office.close())

  const isSignedIn = async ({ browser }: Pick<Person, 'browser'>) =>
    (await browser.request('getCurrentUser')).status === 200

  /** The round of the daily job, and what it entails. */
  async function look() {
    const { db, clock, log } = office.office.needs
    const resolveText = async (name: string) => {
      const domain = name.replace(/^_atrium\./, '')
      questions.set(domain, (questions.get(domain) ?? 0) + 1)
      const record = records.get(domain)
      if (record !== 'there')
        throw Object.assign(new Error(record), { code: record === 'silent' ? 'ETIMEOUT' : 'ENOTFOUND' })
      const { rows } = await office.database.pool.query(
        'select challenge from organization_domains where domain = $1',
        [domain],
      )
      return [[`atrium-domain-verification=${rows[0].challenge}`]]
    }
    await lookUpDomains({ db, clock, log, resolveText }, new AbortController().signal)
    await enforceNow(office)
  }

  /** A member of another organization, by the single sign-on of a domain that has just been proven. */
  async function atAnotherOrganization() {
    const domain = `${freshEmail('d').split('@')[0]}.example`
    records.set(domain, 'there')
    const { organizationId } = await newFounder(office, 'Customer')
    await giveDomain(office, organizationId, domain)
    await connectToIssuer(office, organizationId, issuer.issuer)
    const ada = await arriveAt(office, issuer, `ada@${domain}`)
    const host = await newFounder(office)
    await ada.browser.call('joinOrganization', { inviteToken: await linkTokenOf(host) })
    const entering = { email: ada.email, organizationId: host.organizationId }
    await ada.browser.call('switchOrganization', entering)
    return { domain, ada, entering }
  }

  it('asks once a day', async () => {
    const { domain } = await atAnotherOrganization()
    for (const [seconds, asked] of [
      [HOUR, undefined],
      [DAY, 1],
      [HOUR, 1],
      [DAY, 2],
    ] as const) {
      office.clock.advance(seconds)
      await look()
      expect(questions.get(domain)).toBe(asked)
    }
  })

  it('takes the reach from a domain without its record, and gives it back with the record', async () => {
    const { domain, ada, entering } = await atAnotherOrganization()
    records.set(domain, 'gone')
    office.clock.advance(DAY)
    await look()
    expect(await isSignedIn(ada)).toBe(false)
    const again = await arriveAt(office, issuer, ada.email)
    expect((await again.browser.request('switchOrganization', entering)).status).toBe(403)
    records.set(domain, 'there')
    office.clock.advance(HOUR)
    await look()
    expect((await again.browser.request('switchOrganization', entering)).status).toBe(200)
  })

  it('changes nothing for a week where the DNS does not answer', async () => {
    const { domain, ada } = await atAnotherOrganization()
    records.set(domain, 'silent')
    for (const [days, stays] of [
      [2, true],
      [3.9, true],
      [1.2, false],
    ] as const) {
      office.clock.advance(days * DAY)
      await look()
      expect(await isSignedIn(ada)).toBe(stays)
    }
  })
})
