import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Directory, newDirectory, provisioned } from '../../../../tests/chapters/scim.ts'
import { arriveAt, connectToIssuer, openOfficeWithIssuer } from '../../../../tests/chapters/single-sign-on.ts'
import type { TestOffice } from '../../../../tests/office.ts'
import { auditOf } from '../../../../tests/people.ts'
import { until } from '../../../../tests/until.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

let office: TestOffice
let issuer: HostileIssuer
/** Addresses of its accounts do not follow: its domain is believed. */
let directory: Directory
beforeAll(async () => {
  ;({ office, issuer } = await openOfficeWithIssuer())
  directory = await newDirectory(office, 'believed')
  await connectToIssuer(office, directory.founder.organizationId, issuer.issuer)
})
afterAll(() => office.close())

const off = { op: 'replace', value: { active: false } }
const on = { op: 'replace', value: { active: true } }
const refused = expect.objectContaining({ error: 'identity-unusable' })

const freshName = () => `${randomBytes(5).toString('hex')}@${directory.domain}`
const rename = (userName: string) => ({ op: 'replace', path: 'userName', value: userName })
const readdress = (value: string) => ({ op: 'replace', path: 'emails[primary eq true].value', value })
const put = (id: string, resource: Record<string, unknown>) =>
  directory.scim.send('PUT', `/Users/${id}`, resource)

/** Whether a person who has signed in is a member. */
const isMember = async ({ browser }: Awaited<ReturnType<typeof arriveAt>>) =>
  (await browser.request('listMembers')).status === 200

type Renaming = (id: string, before: string, name: string) => Promise<{ status: number }>
const RENAMED: [string, Record<string, (email: string) => unknown>, Renaming][] = [
  ['by PATCH', {}, (id, _, name) => directory.scim.patch(`/Users/${id}`, rename(name))],
  ['by PUT', {}, (id, _, userName) => put(id, { userName, active: true })],
  [
    'by PATCH, with its address',
    { emails: (value) => [{ value, primary: true }] },
    (id, _, name) => directory.scim.patch(`/Users/${id}`, rename(name), readdress(name)),
  ],
  [
    'by PUT, with its address',
    { emails: (value) => [{ value, primary: true }] },
    (id, _, userName) => put(id, { userName, emails: [{ value: userName, primary: true }] }),
  ],
  [
    'by PATCH of the address alone',
    { emails: (value) => [{ value, primary: true }] },
    (id, _, name) => directory.scim.patch(`/Users/${id}`, readdress(name)),
  ],
  [
    'by PATCH of the name alone, in capitals',
    { emails: (value) => [{ value, primary: true }] },
    (id, _, name) => directory.scim.patch(`/Users/${id}`, rename(name.toUpperCase())),
  ],
]

async function renamed(said: (typeof RENAMED)[number][1], renaming: Renaming) {
  const userName = freshName()
  const { id, email } = await provisioned(directory, {
    userName,
    ...Object.fromEntries(Object.entries(said).map(([key, value]) => [key, value(userName)])),
  })
  const name = freshName()
  expect(await renaming(id, email, name)).toMatchObject({ status: 200 })
  return { id, email, name }
}

describe('a user whom the directory has renamed before their first single sign-on', () => {
  it.each(RENAMED)(
    '%s, and made inactive: does not come in under the new name',
    async (_, said, renaming) => {
      const { id, name, email } = await renamed(said, renaming)
      expect(await directory.scim.patch(`/Users/${id}`, off)).toMatchObject({ status: 200 })
      await expect(arriveAt(office, issuer, name)).rejects.toThrow(refused)
      await until(
        async () => (await auditOf(directory.founder)).at(-1)?.detail?.reason === 'identity-unusable',
      )
      // nor under the former one
      expect(await isMember(await arriveAt(office, issuer, email))).toBe(false)
    },
  )

  it.each(RENAMED)('%s, and deleted: does not come in under the new name', async (_, said, renaming) => {
    const { id, name } = await renamed(said, renaming)
    expect(await directory.scim.send('DELETE', `/Users/${id}`)).toMatchObject({ status: 204 })
    await expect(arriveAt(office, issuer, name)).rejects.toThrow(refused)
  })

  it.each(RENAMED)(
    '%s: an account under the new name goes and comes with them',
    async (_, said, renaming) => {
      const { id, name } = await renamed(said, renaming)
      const arrived = await arriveAt(office, issuer, name)
      expect(arrived.id).not.toBe(id)
      expect(await isMember(arrived)).toBe(true)
      expect(await directory.scim.patch(`/Users/${id}`, off)).toMatchObject({ status: 200 })
      expect(await isMember(arrived)).toBe(false)
      expect(await isMember(await arriveAt(office, issuer, name))).toBe(false)
      expect(await directory.scim.patch(`/Users/${id}`, on)).toMatchObject({ status: 200 })
      expect(await isMember(await arriveAt(office, issuer, name))).toBe(true)
      expect(await directory.scim.send('DELETE', `/Users/${id}`)).toMatchObject({ status: 204 })
      expect(await isMember(await arriveAt(office, issuer, name))).toBe(false)
    },
  )

  it('does not come back by it after leaving', async () => {
    const { id, name } = await renamed({}, RENAMED[0]?.[2] as Renaming)
    const arrived = await arriveAt(office, issuer, name)
    await arrived.browser.call('removeMember', { id: arrived.id })
    await directory.scim.patch(`/Users/${id}`, off)
    expect(await isMember(await arriveAt(office, issuer, name))).toBe(false)
    expect((await auditOf(directory.founder)).at(-1)).toMatchObject({
      action: 'member.join-refused',
      detail: { way: 'single-sign-on' },
    })
  })

  it('comes in under the name of an international domain as little', async () => {
    const { id, name } = await renamed({}, RENAMED[0]?.[2] as Renaming)
    const [local] = name.split('@')
    const spelled = `${local}@b\u00fccher.${directory.domain}`
    await directory.scim.patch(`/Users/${id}`, rename(spelled), off)
    const { holdsNameInactive } = office.office.needs
    const { rows } = await office.database.pool.query(
      'select organization_id from scim_users where user_id = $1',
      [id],
    )
    const email = `${local}@xn--bcher-kva.${directory.domain}`
    const asked = { email, user: undefined }
    expect(await holdsNameInactive(office.database.db, rows[0].organization_id, asked)).toBe(true)
  })
})

describe('a user whom the directory holds inactive', () => {
  it.each<[string, () => Promise<{ id: string; email: string }>]>([
    ['from the start', () => provisioned(directory, { active: false })],
    [
      'from the start, then said again',
      async () => {
        const person = await provisioned(directory, { active: false })
        await put(person.id, { userName: person.email, active: false })
        return person
      },
    ],
    [
      'since before they signed in',
      async () => {
        const person = await provisioned(directory)
        await directory.scim.patch(`/Users/${person.id}`, off)
        return person
      },
    ],
    [
      'since they have left',
      async () => {
        const person = await provisioned(directory)
        const { browser } = await arriveAt(office, issuer, person.email)
        await browser.call('removeMember', { id: person.id })
        await directory.scim.patch(`/Users/${person.id}`, off)
        return person
      },
    ],
    [
      'by PUT since they have left',
      async () => {
        const person = await provisioned(directory)
        const { browser } = await arriveAt(office, issuer, person.email)
        await browser.call('removeMember', { id: person.id })
        await put(person.id, { userName: person.email, active: false })
        return person
      },
    ],
  ])('%s does not come in by single sign-on, until the directory says so', async (_, make) => {
    const { id, email } = await make()
    const arrived = await arriveAt(office, issuer, email)
    expect(arrived.id).toBe(id)
    expect(await isMember(arrived)).toBe(false)
    expect(await directory.scim.patch(`/Users/${id}`, on)).toMatchObject({ status: 200 })
    expect(await isMember(await arriveAt(office, issuer, email))).toBe(true)
  })

  it('since it has deleted them after they left does not come in', async () => {
    const { id, email } = await provisioned(directory)
    const { browser } = await arriveAt(office, issuer, email)
    await browser.call('removeMember', { id })
    expect(await directory.scim.send('DELETE', `/Users/${id}`)).toMatchObject({ status: 204 })
    expect(await isMember(await arriveAt(office, issuer, email))).toBe(false)
  })

  it('comes back by themselves where they have left, and nothing was said of that', async () => {
    const { id, email } = await provisioned(directory)
    const { browser } = await arriveAt(office, issuer, email)
    await browser.call('removeMember', { id })
    const said = { op: 'replace', path: 'displayName', value: 'Ada' }
    expect(await directory.scim.patch(`/Users/${id}`, said)).toMatchObject({ body: { active: false } })
    expect(await isMember(await arriveAt(office, issuer, email))).toBe(true)
  })
})
