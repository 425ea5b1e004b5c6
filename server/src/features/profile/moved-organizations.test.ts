import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { atrium } from '../../../tests/operator/command-line.ts'
import {
  linkTokenOf,
  newFounder,
  newMember,
  newPerson,
  type Person,
  signInAgain,
} from '../../../tests/people.ts'
import { trusted } from '../../platform/ids.ts'

const NEW_OFFICE = 'https://new.example'

describe('an organization that has moved', () => {
  let office: TestOffice
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-moved-'))
    office = await openTestOffice()
  })
  afterAll(async () => {
    await office.close()
    await rm(folder, { recursive: true })
  })
  const command = (...args: string[]) =>
    atrium(office, ['organization', ...args], { settings: { DATA_DIR: office.dataDir } })
  const leave = (id: string, to = `${NEW_OFFICE}/a/path`) =>
    command('move', 'switch', id, join(folder, `${id}.tar.gz`), '--to', to, '--settle', '0')
  const read = (person: Person) => person.browser.call('getCurrentUser')
  const movedOf = async (person: Person) => (await read(person)).moved
  const isNowhere = (person: Person) =>
    expect.poll(async () => (await read(person)).currentOrganizationId, { timeout: 30_000 }).toBe('')

  const joinBy = async ({ browser }: Person, inviteToken: string) => {
    const { status, body } = await browser.request('joinOrganization', { inviteToken })
    return { status, error: (body as { error?: string }).error }
  }

  async function scene(organizationName: string) {
    const founder = await newFounder(office, organizationName)
    const member = await newMember(office, founder, 'member')
    const stranger = await newPerson(office)
    const other = await newFounder(office, 'Others')
    return { founder, member, stranger, other, moved: [{ organizationName, url: NEW_OFFICE }] }
  }

  it('is told to its former members alone, and is not there for anything else', async () => {
    const { founder, member, stranger, other, moved } = await scene('Analytical Engines')
    const inviteToken = await linkTokenOf(founder)
    const { organizationId } = founder
    expect(await movedOf(member)).toBeUndefined()
    await leave(organizationId)
    await isNowhere(member)
    expect(await movedOf(member)).toEqual(moved)
    // after a sign-in too
    const { browser } = await signInAgain(office, founder.email)
    expect(await browser.call('getCurrentUser')).toMatchObject({ moved, organizationMemberships: [] })
    expect(await movedOf(stranger)).toBeUndefined()
    expect(await movedOf(other)).toBeUndefined()
    const { email } = member
    expect(await member.browser.request('switchOrganization', { email, organizationId })).toMatchObject({
      status: 404,
    })
    expect(await joinBy(stranger, inviteToken)).toEqual(await joinBy(stranger, 'x'.repeat(43)))
  })

  it('is told to no session that stands for its person in another organization only', async () => {
    const { founder, member, other, moved } = await scene('Difference Engines')
    await newMember(office, other, 'member', member)
    expect(await movedOf(member)).toBeUndefined()
    await leave(founder.organizationId)
    await isNowhere(member)
    expect(await movedOf(member)).toEqual(moved)
    await office.database.pool.query(
      `update sessions set sso_organization_id = o.id from organizations o
        where user_id = $1 and identity_organization_id = $2`,
      [member.id, other.organizationId],
    )
    office.office.callers.forget(trusted.userId(member.id))
    await expect.poll(() => movedOf(member), { timeout: 30_000 }).toBeUndefined()
  })

  it('is told on after that was confirmed, and no more once it is opened here again', async () => {
    const { founder, member, moved } = await scene('Looms')
    const { organizationId } = founder
    await leave(organizationId)
    await isNowhere(member)
    await command('move', 'rollback', organizationId)
    expect(await movedOf(member)).toBeUndefined()
    await leave(organizationId)
    expect(await movedOf(member)).toEqual(moved)
    const { rows } = await office.database.pool.query<{ archive_digest: string }>(
      `select archive_digest from organization_moves v join organizations o on o.id = v.organization_id
        where identity_organization_id = $1`,
      [organizationId],
    )
    await command('move', 'confirm', organizationId, rows[0]?.archive_digest as string)
    expect(await movedOf(member)).toEqual(moved)
    await command('restore', organizationId)
    expect(await movedOf(member)).toBeUndefined()
    // and can move once more
    await leave(organizationId, 'https://newer.example')
    expect(await movedOf(member)).toEqual([{ organizationName: 'Looms', url: 'https://newer.example' }])
  })

  it('goes to the address of an office only: people follow it as a link', async () => {
    const { founder, member } = await scene('Mills')
    for (const to of ['javascript:alert(1)', 'new.example'])
      await expect(leave(founder.organizationId, to)).rejects.toThrow('give the address of the other office')
    expect((await read(member)).currentOrganizationId).toBe(founder.organizationId)
  })
})
