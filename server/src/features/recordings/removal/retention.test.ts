import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newFilm as newFilmOf } from '../../../../tests/chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, type Person, signInAgain } from '../../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../../tests/recorded-outbox.ts'
import { until } from '../../../../tests/until.ts'
import { ProviderFailure } from '../../../platform/refusal.ts'
import { purgeRecordingsJob, removeOrphanedRecordingsJob } from './retention.ts'

const DAY = 24 * 60 * 60
const HOUR = 60 * 60

describe('recordings after their time', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
    // its own jobs would run besides
    await office.office.jobs.stop()
  })
  afterAll(() => office.close())

  const needs = () => {
    const { needs: given, uploads } = office.office
    return { db: given.db, clock: given.clock, storage: uploads.storage, fileDays: 90 }
  }
  const purge = () => purgeRecordingsJob(needs()).run(new AbortController().signal)
  const removeOrphans = () => removeOrphanedRecordingsJob(needs()).run(new AbortController().signal)
  const options = { contentType: 'video/mp4', cacheControl: 'no-store' }
  const isStored = async (key: string) => (await office.office.uploads.storage.find(key)) !== undefined
  const isKnown = async (id: string) =>
    (await office.database.pool.query('select 1 from recordings where id = $1', [id])).rows.length === 1

  async function newFilm(founder: Person & { organizationId: string }) {
    const { id, egressId, room, key } = await newFilmOf(office, founder)
    const data = { recordingId: id, egressId, roomId: room }
    return { id, key, data, there: async () => [await isStored(key), await isKnown(id)] }
  }
  const toldOf = async ({ organizationId }: { organizationId: string }) =>
    (await outbox.events(`org:${organizationId}`))
      .filter(({ type }) => type === 'recording.deleted')
      .map(({ data }) => data)

  it('go with their files after ninety days; files without a recording after one', async () => {
    const founder = await newFounder(office)
    const film = await newFilm(founder)
    const orphan = `recordings/${founder.organizationId}/gone.mp4`
    await office.office.uploads.storage.write(orphan, new Uint8Array(1), options)
    await removeOrphans()
    expect(await isStored(orphan)).toBe(true)
    office.clock.advance(2 * DAY)
    await removeOrphans()
    await purge()
    expect([await film.there(), await isStored(orphan)]).toEqual([[true, true], false])
    office.clock.advance(87 * DAY)
    await purge()
    expect(await film.there()).toEqual([true, true])
    office.clock.advance(2 * DAY)
    await purge()
    expect(await film.there()).toEqual([false, false])
  })

  it('go sooner where their organization has decided so, and can be seen for no longer', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const [film, others] = [await newFilm(founder), await newFilm(other)]
    await founder.browser.call('updateOrganizationRetention', { recordingDays: 3 })
    const { data } = await founder.browser.call('listRecordings')
    const { endedAt, accessUntil } = data[0] as { endedAt: string; accessUntil: string }
    expect(Date.parse(accessUntil) - Date.parse(endedAt)).toBe(3 * DAY * 1_000)
    office.clock.advance(3 * DAY - HOUR)
    await purge()
    expect(await film.there()).toEqual([true, true])
    office.clock.advance(2 * HOUR)
    expect((await founder.browser.call('listRecordings')).data).toEqual([])
    expect(await founder.browser.request('downloadRecording', { recordingId: film.id })).toMatchObject({
      status: 410,
    })
    await purge()
    expect([await film.there(), await others.there()]).toEqual([
      [false, false],
      [true, true],
    ])
  })

  it('are told of to everybody in their organization, whichever way they go', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const [sooner, later] = [await newFilm(founder), await newFilm(founder)]
    const others = await newFilm(other)
    const ended = `update recordings set ended_at = ended_at - make_interval(days => $2) where id = $1`
    await office.database.pool.query(ended, [sooner.id, 4])
    await founder.browser.call('updateOrganizationRetention', { recordingDays: 3 })
    await purge()
    expect(await toldOf(founder)).toEqual([sooner.data])
    for (const { id } of [later, others]) await office.database.pool.query(ended, [id, 91])
    await purge()
    expect([await toldOf(founder), await toldOf(other)]).toEqual([[sooner.data, later.data], [others.data]])
    await purge()
    expect(await toldOf(founder)).toHaveLength(2)
  })

  it('that were deleted, with an end that went wrong, are finished: told of, and written down once', async () => {
    const founder = await newFounder(office)
    const film = await newFilm(founder)
    const { storage } = office.office.uploads
    const before = storage.remove
    // the file has gone, and no event says so
    storage.remove = async (keys) => {
      await before.call(storage, keys)
      throw new ProviderFailure('storage', 'remove', { retryable: true })
    }
    const remove = () => founder.browser.request('deleteRecording', { recordingId: film.id })
    expect([(await remove()).status, (await remove()).status]).toEqual([503, 503])
    storage.remove = before
    const hold = { recordingId: film.id, hold: true }
    expect(await founder.browser.request('holdRecording', hold)).toMatchObject({ status: 409 })
    expect(await film.there()).toEqual([false, true])
    office.clock.advance(HOUR + 60)
    await purge()
    expect(await film.there()).toEqual([false, false])
    expect(await toldOf(founder)).toEqual([film.data])
    const trail = (await auditOf(founder)).filter(({ action }) => action === 'recording.deleted')
    expect(trail).toMatchObject([{ target: { id: film.id }, actor: { id: founder.id } }])
  })

  it('stay under legal hold, whatever is decided, and go when it ends', async () => {
    const founder = await newFounder(office)
    const film = await newFilm(founder)
    await founder.browser.call('holdRecording', { recordingId: film.id, hold: true })
    await founder.browser.call('updateOrganizationRetention', { recordingDays: 1 })
    office.clock.advance(400 * DAY)
    await purge()
    await removeOrphans()
    expect(await film.there()).toEqual([true, true])
    // the session has ended long ago
    const { browser } = await signInAgain(office, founder.email)
    await browser.call('holdRecording', { recordingId: film.id, hold: false })
    await purge()
    expect(await film.there()).toEqual([false, false])
  })

  it('stay under legal hold where their organization is deleted', async () => {
    const founder = await newFounder(office)
    const [held, film] = [await newFilm(founder), await newFilm(founder)]
    await founder.browser.call('holdRecording', { recordingId: held.id, hold: true })
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    office.clock.advance(91 * DAY)
    await purge()
    // the recorder of the stand-in may have left its own film only now
    await until(async () => {
      await removeOrphans()
      return !(await isStored(film.key))
    })
    expect([await held.there(), await film.there()]).toEqual([
      [true, true],
      [false, false],
    ])
  })

  it('are not forgotten where their files cannot be removed, or the process ends in between', async () => {
    const founder = await newFounder(office)
    const film = await newFilm(founder)
    const { storage } = office.office.uploads
    const before = storage.remove
    storage.remove = async () => {
      throw new ProviderFailure('storage', 'remove', { retryable: true })
    }
    office.clock.advance(91 * DAY)
    await expect(purge()).rejects.toThrow('1 removals of recordings failed, all others did not')
    storage.remove = before
    expect(await film.there()).toEqual([true, true])
    office.clock.advance(HOUR + 60)
    await purge()
    expect(await film.there()).toEqual([false, false])

    const { browser, organizationId } = await signInAgain(office, founder.email).then(async (again) => ({
      ...again,
      organizationId: founder.organizationId,
    }))
    const next = await newFilm({ ...founder, browser, organizationId })
    const began = 'update recordings set removal_began_at = $2 where id = $1'
    await office.database.pool.query(began, [next.id, office.clock.now()])
    await purge()
    expect(await next.there()).toEqual([true, true])
    office.clock.advance(HOUR + 60)
    await purge()
    expect(await next.there()).toEqual([false, false])
  })

  it('go although the files of others cannot be removed, which is told once and tried again', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const [first, stuck, last] = [await newFilm(founder), await newFilm(founder), await newFilm(founder)]
    const [sooner, soonerStuck] = [await newFilm(other), await newFilm(other)]
    await other.browser.call('updateOrganizationRetention', { recordingDays: 3 })
    const orphans = ['gone.mp4', 'stuck.mp4'].map((name) => `recordings/${founder.organizationId}/${name}`)
    for (const key of orphans) await office.office.uploads.storage.write(key, new Uint8Array(1), options)
    const { storage } = office.office.uploads
    const { remove } = storage
    const bad = [stuck.key, soonerStuck.key, orphans[1]]
    storage.remove = async (keys) => {
      if (keys.some((key) => bad.includes(key)))
        throw new ProviderFailure('storage', 'remove', { retryable: true })
      await remove.call(storage, keys)
    }
    try {
      office.clock.advance(4 * DAY)
      await expect(purge()).rejects.toThrow('1 removals of recordings failed')
      expect([await sooner.there(), await soonerStuck.there()]).toEqual([
        [false, false],
        [true, true],
      ])
      office.clock.advance(87 * DAY)
      await expect(purge()).rejects.toThrow('2 removals of recordings failed')
      expect([await first.there(), await stuck.there(), await last.there()]).toEqual([
        [false, false],
        [true, true],
        [false, false],
      ])
      await expect(removeOrphans()).rejects.toThrow('1 removals of files failed')
      expect([await isStored(orphans[0] as string), await isStored(orphans[1] as string)]).toEqual([
        false,
        true,
      ])
    } finally {
      storage.remove = remove
    }
    office.clock.advance(HOUR + 60)
    await purge()
    await removeOrphans()
    expect([await stuck.there(), await soonerStuck.there(), await isStored(orphans[1] as string)]).toEqual([
      [false, false],
      [false, false],
      false,
    ])
    expect(await toldOf(founder)).toHaveLength(3)
  })
})
