import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectCalendar } from '../../../tests/chapters/calendars.ts'
import { chatterOf, openDm, sendMany } from '../../../tests/chapters/chat.ts'
import {
  exportOf,
  type FilledOrganization,
  fetchArchive,
  filledOrganization,
  storedBytes,
} from '../../../tests/data/archives.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, newPerson } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('startUserExport', () => {
  let office: TestOffice
  let filled: FilledOrganization
  beforeAll(async () => {
    office = await openTestOffice()
    const { uploads } = office.office
    uploads.startImageCheck()
    await until(async () => (await uploads.imageCheck.ready().catch((error: unknown) => error)) === undefined)
    filled = await filledOrganization(office)
  })
  afterAll(() => office.close())

  it('makes an archive of what is the person’s own, of all organizations they are in', async () => {
    const { member, founder } = filled
    const other = await newFounder(office, 'Second')
    await newMember(office, other, 'member', member)
    await member.browser.call('switchOrganization', {
      email: member.email,
      organizationId: other.organizationId,
    })
    const inOther = await chatterOf(office, member)
    await sendMany(office, inOther, await openDm(inOther, other), ['in the second'])
    await connectCalendar(office, member.browser, 'A')
    const archive = await fetchArchive(await exportOf(office, member.browser, 'User'))
    expect(archive.header).toMatchObject({ kind: 'person', person: { id: member.id } })
    expect(archive.rows('people')).toMatchObject([{ id: Number(member.id), email: member.email }])
    expect(
      archive
        .rows('organization')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Filled', 'Second'])
    expect(archive.rows('messages').map(({ content }) => content)).toEqual([
      'to all',
      'plan.png',
      'in the second',
    ])
    expect(archive.rows('status')).toContainEqual(expect.objectContaining({ note: 'note of Filled' }))
    expect(archive.rows('calendar-connections')).toMatchObject([{ provider: 'provider-a' }])
    expect(archive.rows('sessions').length).toBeGreaterThan(0)
    const audit = archive.rows('audit')
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member.joined', 'member.renamed']),
    )
    const people = [founder.id, other.id].map(Number)
    expect(
      audit
        .filter(({ actor_user_id: actor }) => people.includes(actor as number))
        .every(({ address }) => address === null),
    ).toBe(true)
    expect([...archive.files.keys()].filter((name) => name.startsWith('pictures/'))).toHaveLength(1)
    for (const secret of [...filled.secrets, ...(await storedBytes(office))])
      expect(archive.text).not.toContain(secret)
    // what others wrote, and who they are
    for (const theirs of ['hello', 'I leave', founder.email, other.email])
      expect(archive.text).not.toContain(theirs)
    await archive.remove()
  })

  it('has nothing of an organization that they have left, but that they did', async () => {
    const { former, founder } = filled
    const archive = await fetchArchive(await exportOf(office, former.browser, 'User'))
    expect(archive.rows('organization')).toEqual([])
    expect(archive.rows('messages')).toEqual([])
    expect(archive.rows('departures')).toMatchObject([{ kind: 'removed' }])
    expect(archive.text).not.toContain(founder.organizationId)
    await archive.remove()
  })

  it('is for whoever is signed in, one at a time', async () => {
    expect(await office.browser().request('startUserExport')).toMatchObject({ status: 401 })
    const { browser } = await newPerson(office)
    // the first is not ready before the second has asked
    const { storage } = office.office.uploads
    const { promise: asked, resolve: haveAsked } = Promise.withResolvers<void>()
    const writeStream = storage.writeStream.bind(storage)
    vi.spyOn(storage, 'writeStream').mockImplementation(async (...given) => {
      await asked
      await writeStream(...given)
    })
    const answers = await Promise.all([
      browser.request('startUserExport'),
      browser.request('startUserExport'),
    ])
    haveAsked()
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
    await until(async () => (await browser.call('listUserExports')).exports[0]?.state === 'ready')
  })
})
