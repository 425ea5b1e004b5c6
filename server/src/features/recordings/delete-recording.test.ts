import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  endRecording,
  mediaReport,
  newFilm as newFilmOf,
  newRecording,
  recordingOf,
} from '../../../tests/chapters/recordings.ts'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember, type Person } from '../../../tests/people.ts'
import { ProviderFailure } from '../../platform/refusal.ts'

describe('deleteRecording', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const newFilm = (starter: Person) => newFilmOf(office, starter)
  const remove = ({ browser }: Person, input: object) => browser.request('deleteRecording', input)
  const isStored = async (key: string) => (await office.office.uploads.storage.find(key)) !== undefined

  it('removes the recording and its file', async () => {
    const founder = await newFounder(office)
    const { id, room, key, egressId } = await newFilm(founder)
    expect(await remove(founder, { recordingId: id })).toMatchObject({ status: 200, body: { code: 200 } })
    expect((await founder.browser.call('listRecordings', { roomName: room })).data).toEqual([])
    expect(await isStored(key)).toBe(false)
    expect((await remove(founder, { recordingId: id })).status).toBe(404)
    // an event that comes later brings nothing back
    await endRecording(office, { room, egressId })
    expect((await founder.browser.call('listRecordings', { roomName: room })).data).toEqual([])
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'recording.deleted',
      target: { kind: 'recording', id },
      detail: { startedBy: founder.id },
    })
  })

  it('is for the one who started it, moderators and admins', async () => {
    const founder = await newFounder(office)
    const starter = await newMember(office, founder, 'member')
    const [other, guest, moderator] = [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'guest'),
      await newMember(office, founder, 'moderator'),
    ]
    const first = await newFilm(starter)
    for (const person of [other, guest]) {
      expect(await remove(person, { recordingId: first.id })).toMatchObject({
        status: 403,
        body: { error: 'role-not-allowed' },
      })
    }
    expect((await remove(starter, { egressId: first.egressId })).status).toBe(200)
    for (const person of [moderator, founder]) {
      const film = await newFilm(starter)
      expect((await remove(person, { recordingId: film.id })).status).toBe(200)
    }
  })

  it('leaves one that runs, and those of other organizations', async () => {
    const [founder, stranger] = [await newFounder(office), await newFounder(office)]
    const { egressId } = await newRecording(founder)
    expect(await remove(founder, { egressId })).toMatchObject({
      status: 409,
      body: { error: 'recording-not-finished' },
    })
    expect((await remove(stranger, { egressId })).status).toBe(404)
  })

  it('leaves one that turns out to run, and one that is deleted does not run again', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    const { pool } = office.database
    const given = `state = 'failed', presumed = true, ended_at = now()`
    await pool.query(`update recordings set ${given} where egress_id = $1`, [egressId])
    const news = await hold(
      office,
      `update recordings set state = 'active', presumed = false, ended_at = null where egress_id = $1`,
      [egressId],
    )
    const removed = remove(founder, { egressId })
    await untilBlocked(office, 1)
    await news.commit()
    expect(await removed).toMatchObject({ status: 409, body: { error: 'recording-not-finished' } })

    await pool.query(`update recordings set ${given}, removal_began_at = now() where egress_id = $1`, [
      egressId,
    ])
    await office.office.recordings.onRecordingEvent(mediaReport({ room, egressId }))
    expect((await recordingOf(founder, room)).state).toBe('failed')
  })

  it('leaves the recording where its file cannot be deleted', async () => {
    const founder = await newFounder(office)
    const { id, room } = await newFilm(founder)
    const { storage } = office.office.uploads
    const before = storage.remove
    storage.remove = async () => {
      throw new ProviderFailure('storage', 'remove', { retryable: true })
    }
    expect((await remove(founder, { recordingId: id })).status).toBe(503)
    storage.remove = before
    expect((await recordingOf(founder, room)).id).toBe(id)
    expect((await remove(founder, { recordingId: id })).status).toBe(200)
  })
})
