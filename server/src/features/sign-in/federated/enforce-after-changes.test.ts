import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  arriveAt,
  connectToIssuer,
  disconnect,
  freshDomain,
  giveDomain,
  openOfficeWithIssuer,
} from '../../../../tests/chapters/single-sign-on.ts'
import type { TestOffice } from '../../../../tests/office.ts'
import { newFounder, newPerson, type Person } from '../../../../tests/people.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'
import { keepLookUp, removeDomain } from '../../../directory/domains/domains.ts'
import {
  findOrganization,
  markOrganizationDeleted,
  type OrganizationRef,
} from '../../../directory/organizations.ts'
import { makeWorker } from '../../../platform/background/work-queue.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { trusted } from '../../../platform/ids.ts'
import { followSingleSignOn, singleSignOnQueue } from './enforce-after-changes.ts'

/** More than an item waits for the request that made the change. */
const SOON_SECONDS = 6
const AGAIN_SECONDS = 5 * 60 + 1

describe('single sign-on after changes', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  let advanced = 0
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer())
    // its items are done where a test says so
    await office.office.work.worker('single-sign-on').stop()
  })
  afterEach(() => {
    office.clock.advance(-advanced)
    advanced = 0
  })
  afterAll(() => office.close())

  const isSignedIn = async ({ browser }: Pick<Person, 'browser'>) =>
    (await browser.request('getCurrentUser')).status === 200
  async function workAfter(seconds: number) {
    office.clock.advance(seconds)
    advanced += seconds
    const { log, clock, needs } = office.office
    const queue = singleSignOnQueue({ ...needs, log, clock })
    await makeWorker(queue, { db: office.database.db, clock, log }).drain()
  }
  async function waiting(domain: string): Promise<string[]> {
    const { rows } = await office.database.pool.query(
      `select queue from work_items where queue = 'single-sign-on' and key = $1`,
      [domain],
    )
    return rows.map((row) => row.queue)
  }
  async function customer(domain: string): Promise<OrganizationRef & { organizationId: string }> {
    const { organizationId } = await newFounder(office, 'Customer')
    await giveDomain(office, organizationId, domain)
    const found = await findOrganization(office.database.db, trusted.identityOrganizationId(organizationId))
    return { ...(found as OrganizationRef), organizationId }
  }
  async function connected(domain: string) {
    const owner = await customer(domain)
    await connectToIssuer(office, owner.organizationId, issuer.issuer)
    return owner
  }

  it('ends what a connection does not allow, soon after it was made', async () => {
    const domain = freshDomain()
    const person = await newPerson(office, `ada@${domain}`)
    await connected(domain)
    await workAfter(SOON_SECONDS)
    expect(await isSignedIn(person)).toBe(false)
  })

  it('ends what was under way while it changed, and then rests', async () => {
    const domain = freshDomain()
    const owner = await customer(domain)
    await connectToIssuer(office, owner.organizationId, issuer.issuer)
    await workAfter(SOON_SECONDS)
    expect(await waiting(domain)).toHaveLength(1)
    await disconnectUnseen(owner)
    const late = await newPerson(office, `late@${domain}`)
    await reconnectUnseen(owner)
    await workAfter(AGAIN_SECONDS)
    expect(await isSignedIn(late)).toBe(false)
    expect(await waiting(domain)).toEqual([])
  })

  it.each(['the connection is taken away', 'the domain is given up', 'the organization is deleted'] as const)(
    'ends what single sign-on has made where %s',
    async (what) => {
      const domain = freshDomain()
      const owner = await connected(domain)
      await workAfter(AGAIN_SECONDS)
      const ada = await arriveAt(office, issuer, `ada@${domain}`)
      if (what === 'the connection is taken away') await disconnect(office, owner.organizationId)
      else if (what === 'the domain is given up') await removeDomain(office.database.db, owner.id, domain)
      else await transaction(office.database.db, (tx) => markOrganizationDeleted(tx, owner.id, new Date()))
      expect(await waiting(domain)).toHaveLength(1)
      await workAfter(SOON_SECONDS)
      expect(await isSignedIn(ada)).toBe(false)
    },
  )

  it('looks again where the DNS stops to prove a domain, and not where nothing changes', async () => {
    const domain = freshDomain()
    const { id: organization } = await customer(domain)
    await workAfter(AGAIN_SECONDS)
    await keepLookUp(office.database.db, { organization, domain, proven: true }, office.clock.now())
    expect(await waiting(domain)).toEqual([])
    await keepLookUp(office.database.db, { organization, domain, proven: false }, office.clock.now())
    expect(await waiting(domain)).toHaveLength(1)
  })

  it('ends the sessions of a person with an address that comes into the domain', async () => {
    const [domain, elsewhere] = [freshDomain(), freshDomain()]
    await connected(domain)
    await workAfter(AGAIN_SECONDS)
    const person = await newPerson(office, `ada@${elsewhere}`)
    const move = (to: string) =>
      office.database.pool.query('update users set email = $1 where email = $2', [to, person.email])
    await move(`ben@${elsewhere}`)
    expect(await waiting(elsewhere)).toEqual([])
    await office.database.pool.query('update users set email = $1 where email = $2', [
      `ada@${domain}`,
      `ben@${elsewhere}`,
    ])
    await workAfter(SOON_SECONDS)
    expect(await isSignedIn(person)).toBe(false)
  })

  it('is kept while it is not known who has single sign-on, and ends no session', async () => {
    const domain = freshDomain()
    const person = await newPerson(office, `ada@${domain}`)
    await connected(domain)
    const { identity } = office.office.needs
    const { hasSingleSignOn } = identity
    identity.hasSingleSignOn = () => Promise.reject(new Error('away'))
    try {
      await workAfter(SOON_SECONDS)
    } finally {
      identity.hasSingleSignOn = hasSingleSignOn
    }
    expect(await isSignedIn(person)).toBe(true)
    await workAfter(SOON_SECONDS + 5)
    expect(await isSignedIn(person)).toBe(false)
  })

  describe('with connections elsewhere', () => {
    const DAY_SECONDS = 24 * 60 * 60

    function follow(connections: Set<string>) {
      let asked = 0
      const listed = async () => {
        asked += 1
        return new Set([...connections].map(trusted.identityOrganizationId))
      }
      const identity = { ...office.office.needs.identity, listSingleSignOn: listed }
      const { log, clock, needs } = office.office
      const run = followSingleSignOn({ ...needs, identity, log, clock }, { changesElsewhere: true })
      return { run, asked: () => asked }
    }

    it('enqueues the domains of those that have come or gone, and nothing where none has', async () => {
      const domain = freshDomain()
      const { organizationId } = await customer(domain)
      await workAfter(AGAIN_SECONDS)
      const connections = new Set<string>()
      const { run } = follow(connections)
      await run()
      connections.add(organizationId)
      await run()
      expect(await waiting(domain)).toHaveLength(1)
      await workAfter(AGAIN_SECONDS)
      await workAfter(AGAIN_SECONDS)
      await run()
      expect(await waiting(domain)).toEqual([])
      connections.delete(organizationId)
      await run()
      expect(await waiting(domain)).toHaveLength(1)
    })

    it('looks at everybody the first time, and again after a day', async () => {
      const domain = freshDomain()
      const { organizationId } = await customer(domain)
      const { run } = follow(new Set([organizationId]))
      const early = await newPerson(office, `early@${domain}`)
      await run()
      expect(await isSignedIn(early)).toBe(false)
      const late = await newPerson(office, `late@${domain}`)
      await run()
      expect(await isSignedIn(late)).toBe(true)
      await makeLater(DAY_SECONDS, run)
      expect(await isSignedIn(late)).toBe(false)
    })

    it('asks only once a day where connections change by us alone', async () => {
      const { log, clock, needs } = office.office
      let asked = 0
      const listSingleSignOn = async () => {
        asked += 1
        return new Set<never>()
      }
      const identity = { ...needs.identity, listSingleSignOn }
      const run = followSingleSignOn({ ...needs, identity, log, clock }, { changesElsewhere: false })
      for (let times = 0; times < 3; times += 1) await run()
      expect(asked).toBe(1)
    })
  })

  async function makeLater(seconds: number, work: () => Promise<void>) {
    office.clock.advance(seconds)
    advanced += seconds
    await work()
  }

  /** As a node that remembers its provider's answer sees it: no event tells of it. */
  const disconnectUnseen = ({ identityId }: OrganizationRef) =>
    unseen(
      `update sso_connections set identity_organization_id = 'away ' || $1
      where identity_organization_id = $1`,
      identityId,
    )
  const reconnectUnseen = ({ identityId }: OrganizationRef) =>
    unseen(
      `update sso_connections set identity_organization_id = $1
      where identity_organization_id = 'away ' || $1`,
      identityId,
    )
  const unseen = (statement: string, organization: string) =>
    office.database.pool.query(statement, [organization])
})
