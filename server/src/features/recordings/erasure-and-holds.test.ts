import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newFilm } from '../../../tests/chapters/recordings.ts'
import { exportOf, fetchArchive } from '../../../tests/data/archives.ts'
import { deleteAccountOf, trailIsWhole, untilErased } from '../../../tests/data/erasure-scene.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { linkTokenOf, newFounder, newMember, type Person } from '../../../tests/people.ts'

type Founder = Person & { organizationId: string }

const NAME = 'Ann Quicksilver'

/** A person who is erased takes no film along that is held, and leaves their name nowhere. */
describe('an erasure, and a legal hold', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  /** A film that a member has started, in the organization that they are at work in. */
  const filmOf = (person: Person) => newFilm(office, person)
  const isStored = async (key: string) => (await office.office.uploads.storage.find(key)) !== undefined
  const hold = ({ browser }: Founder, recordingId: string, on: boolean, reason?: string) =>
    browser.request('holdRecording', { recordingId, hold: on, ...(reason ? { reason } : {}) })

  /** A member of two organizations, with a film in each; the first one holds its own. */
  async function inTwo() {
    const [here, there] = [await newFounder(office), await newFounder(office)]
    const ann = await newMember(office, here, 'member')
    await ann.browser.call('updateProfile', { displayName: NAME })
    const held = await filmOf(ann)
    expect(await hold(here, held.id, true, `the case of ${NAME}`)).toMatchObject({ status: 200 })
    await ann.browser.call('joinOrganization', { inviteToken: await linkTokenOf(there) })
    await ann.browser.call('switchOrganization', { email: ann.email, organizationId: there.organizationId })
    return { here, there, ann, held, free: await filmOf(ann) }
  }

  it('in two organizations of which one holds: names go in both, the film stays, both trails are whole', async () => {
    const { here, there, ann, held, free } = await inTwo()
    await deleteAccountOf(office, ann)
    await untilErased(office, ann.id)
    // asked for twice, and what comes an hour later
    expect(await ann.browser.request('deleteAccount')).toMatchObject({ status: 401 })
    office.clock.advance(3_601)
    try {
      await office.office.work.worker('erasures').drain()
    } finally {
      office.clock.advance(-3_601)
    }
    const { data } = await here.browser.call('listRecordings')
    expect(data).toMatchObject([{ id: held.id, heldAt: expect.any(String) }])
    expect([await isStored(held.key), await isStored(free.key)]).toEqual([true, true])
    for (const founder of [here, there]) {
      const archive = await fetchArchive(await exportOf(office, founder.browser, 'Organization'))
      expect(archive.text).not.toContain('Quicksilver')
      expect(archive.text).not.toContain(ann.email)
      expect(archive.rows('recordings')).toMatchObject([
        founder === here
          ? { id: held.id, held_at: expect.any(String), hold_reason: 'the case of Deleted person' }
          : { id: free.id, held_at: null },
      ])
      await archive.remove()
      expect(await trailIsWhole(office, founder.organizationId)).toBe(true)
    }
    // when it is lifted the film is one like others
    expect(await here.browser.request('deleteRecording', { recordingId: held.id })).toMatchObject({
      status: 409,
    })
    expect(await hold(here, held.id, false)).toMatchObject({ status: 200 })
    await here.browser.call('deleteRecording', { recordingId: held.id })
    expect(await isStored(held.key)).toBe(false)
    expect(await trailIsWhole(office, here.organizationId)).toBe(true)
  })

  it('at the same time, over and over: what was promised holds, and no name stays', async () => {
    const { here, there, ann, held, free } = await inTwo()
    const holding = (async () => {
      for (let round = 0; round < 10; round += 1) {
        expect(await hold(there, free.id, round % 2 === 0)).toMatchObject({ status: 200 })
        // the reason stays as it was: with the name or without it
        expect(await hold(here, held.id, true)).toMatchObject({ status: 200 })
      }
      expect(await hold(there, free.id, true)).toMatchObject({ status: 200 })
    })()
    await Promise.all([holding, deleteAccountOf(office, ann).then(() => untilErased(office, ann.id))])
    const { rows } = await office.database.pool.query<{ reason: string | null }>(
      'select hold_reason as reason from recordings where id = any($1) and held_at is not null order by hold_reason',
      [[held.id, free.id]],
    )
    expect(rows).toEqual([{ reason: 'the case of Deleted person' }, { reason: null }])
    for (const { key } of [held, free]) expect(await isStored(key)).toBe(true)
    for (const { organizationId } of [here, there])
      expect(await trailIsWhole(office, organizationId)).toBe(true)
  })
})
