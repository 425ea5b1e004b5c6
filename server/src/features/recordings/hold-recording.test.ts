import type { Input } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  endRecording,
  newFilm as newFilmOf,
  newRecording,
  recordingOf,
} from '../../../tests/chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember, type Person, signInAgain } from '../../../tests/people.ts'

const DAY = 24 * 60 * 60

describe('holdRecording', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    // nothing but these tests deletes
    await office.office.jobs.stop()
  })
  afterAll(() => office.close())

  const newFilm = (person: Person & { organizationId: string }) => newFilmOf(office, person)
  const hold = ({ browser }: Pick<Person, 'browser'>, input: Input<'holdRecording'>) =>
    browser.request('holdRecording', input)
  const remove = ({ browser }: Pick<Person, 'browser'>, recordingId: string) =>
    browser.request('deleteRecording', { recordingId })
  const isStored = async (key: string) => (await office.office.uploads.storage.find(key)) !== undefined

  it('keeps everybody from deleting a recording, until it ends', async () => {
    const founder = await newFounder(office)
    const { id, egressId, key, room } = await newFilm(founder)
    const held = await hold(founder, { egressId, hold: true, reason: ' A dispute with Ada ' })
    expect(held).toMatchObject({
      status: 200,
      body: { id, heldAt: expect.stringMatching(/Z$/), holdReason: 'A dispute with Ada' },
    })
    expect(await remove(founder, id)).toMatchObject({ status: 409, body: { error: 'legal-hold' } })
    expect(await isStored(key)).toBe(true)
    await expect(office.database.pool.query('delete from recordings where id = $1', [id])).rejects.toThrow(
      'is under legal hold',
    )
    await expect(office.database.pool.query('truncate recordings')).rejects.toThrow('are under legal hold')
    const released = await hold(founder, { recordingId: id, hold: false })
    expect(Object.keys(released.body)).not.toContain('heldAt')
    expect(Object.keys(released.body)).not.toContain('holdReason')
    expect((await remove(founder, id)).status).toBe(200)
    expect(await isStored(key)).toBe(false)
    const told = (await auditOf(founder)).filter(({ target }) => target.id === id)
    expect(told.map(({ action, detail }) => [action, detail])).toEqual([
      ['recording.started', expect.anything()],
      ['recording.held', { roomId: room }],
      ['recording.released', { roomId: room }],
      ['recording.deleted', expect.anything()],
    ])
  })

  it('can be said again: since when stays; another reason is written down, and nothing else', async () => {
    const founder = await newFounder(office)
    const { id } = await newFilm(founder)
    const say = async (input: object) =>
      (await founder.browser.call('holdRecording', { recordingId: id, hold: true, ...input })).heldAt
    const since = await say({})
    office.clock.advance(60)
    expect(await say({ reason: 'A dispute' })).toBe(since)
    expect(await say({})).toBe(since)
    expect(await say({ reason: ' A dispute ' })).toBe(since)
    const { data } = await founder.browser.call('listRecordings')
    expect(data[0]).toMatchObject({ heldAt: since, holdReason: 'A dispute' })
    await hold(founder, { recordingId: id, hold: false })
    await hold(founder, { recordingId: id, hold: false })
    const told = (await auditOf(founder)).map(({ action }) => action)
    expect(told.filter((action) => action === 'recording.held')).toHaveLength(1)
    expect(told.filter((action) => action === 'recording.hold-changed')).toHaveLength(1)
    expect(told.filter((action) => action === 'recording.released')).toHaveLength(1)
  })

  it('shows to all who may list, the reason to admins alone', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id, room } = await newFilm(founder)
    expect(await recordingOf(member, room)).not.toHaveProperty('heldAt')
    await hold(founder, { recordingId: id, hold: true, reason: 'Confidential' })
    const seen = await recordingOf(member, room)
    expect(seen.heldAt).toBeDefined()
    expect(seen).not.toHaveProperty('holdReason')
    expect(await recordingOf(founder, room)).toMatchObject({ holdReason: 'Confidential' })
  })

  it('keeps it in sight of admins when its time is over, and of no others', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const [held, other] = [await newFilm(founder), await newFilm(founder)]
    await hold(founder, { recordingId: held.id, hold: true })
    office.clock.advance(21 * DAY)
    const [admin, colleague] = [
      await signInAgain(office, founder.email),
      await signInAgain(office, member.email),
    ]
    expect((await admin.browser.call('listRecordings')).data.map(({ id }) => id)).toEqual([held.id])
    expect((await colleague.browser.call('listRecordings')).data).toEqual([])
    const download = (who: typeof admin, recordingId: string) =>
      who.browser.request('downloadRecording', { recordingId })
    expect((await download(admin, held.id)).status).toBe(200)
    expect((await download(admin, other.id)).status).toBe(410)
    expect((await download(colleague, held.id)).status).toBe(410)
  })

  it('is for admins, and finds nothing of others', async () => {
    const [founder, stranger] = [await newFounder(office), await newFounder(office)]
    const { id, egressId } = await newFilm(founder)
    for (const role of ['guest', 'member', 'moderator'] as const) {
      const person = await newMember(office, founder, role)
      expect(await hold(person, { recordingId: id, hold: true })).toMatchObject({
        status: 403,
        body: { error: 'role-not-allowed' },
      })
    }
    for (const input of [{ recordingId: id }, { egressId }, { recordingId: 'no-uuid' }])
      expect(await hold(stranger, { ...input, hold: true })).toMatchObject({
        status: 404,
        body: { error: 'not-found' },
      })
    for (const input of [{}, { recordingId: id, egressId }])
      expect((await hold(founder, { ...input, hold: true })).status).toBe(400)
    expect((await hold(founder, { recordingId: id, hold: true, reason: '\u0000' })).status).toBe(400)
  })

  it('can be said of one that still runs', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    expect((await hold(founder, { egressId, hold: true })).status).toBe(200)
    await endRecording(office, { room, egressId })
    const { id } = await recordingOf(founder, room)
    expect(await remove(founder, id)).toMatchObject({ status: 409, body: { error: 'legal-hold' } })
  })

  it('comes before a deletion or too late: never is a file promised that goes', async () => {
    const founder = await newFounder(office)
    const { id, key } = await newFilm(founder)
    const { storage } = office.office.uploads
    const before = storage.remove
    const outcome: { status?: number; body?: unknown } = {}
    storage.remove = async (keys) => {
      Object.assign(outcome, await hold(founder, { recordingId: id, hold: true }))
      await before.call(storage, keys)
    }
    expect((await remove(founder, id)).status).toBe(200)
    storage.remove = before
    expect(outcome).toMatchObject({ status: 409, body: { error: 'recording-being-deleted' } })
    expect(await isStored(key)).toBe(false)
  })

  it('of many at once, either the hold or the deletion has been', async () => {
    const founder = await newFounder(office)
    for (let round = 0; round < 5; round += 1) {
      const { id, key } = await newFilm(founder)
      const [held, removed] = await Promise.all([
        hold(founder, { recordingId: id, hold: true }),
        remove(founder, id),
      ])
      expect([held.status === 200, removed.status === 200].filter(Boolean)).toHaveLength(1)
      expect(await isStored(key)).toBe(held.status === 200)
    }
  })
})
