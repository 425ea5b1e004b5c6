import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aboutRecording,
  keepFile,
  mediaReport,
  moveBackAnHour,
  newRecording,
  newRoom,
  recordingOf,
} from '../../../tests/chapters/recordings.ts'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, type Person } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import type { MediaRecording } from '../../ports/media.ts'
import { recordingChanged } from './provider-events.ts'

const file = { key: 'k.mp4', sizeBytes: 77, durationSeconds: 12, location: 's3://bucket/k.mp4' }
const MINUTE = 60

describe('what the media server tells of recordings', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const tell = (about: { room: string; egressId: string }, report: Partial<MediaRecording> = {}) =>
    recordingChanged(office.office.needs, mediaReport(about, report))

  /** A start with an unknown outcome. @returns its room and the id of its row */
  async function unknownStart(person: Person, room: string): Promise<string> {
    const { media } = office.office.needs
    const before = media.startRecording
    media.startRecording = async () => ({ outcome: 'unknown', cause: new Error('too late') })
    await person.browser.request('startRecording', { roomName: room, ...aboutRecording })
    media.startRecording = before
    const { data } = await person.browser.call('listRecordings', { roomName: room })
    return data[0]?.id as string
  }
  const giveUp = (id: string) =>
    office.database.pool.query(
      `update recordings set state = 'failed', presumed = true, ended_at = now() where id = $1`,
      [id],
    )

  it.each([
    ['complete', 'completed'],
    ['limit_reached', 'completed'],
    ['failed', 'failed'],
    ['aborted', 'aborted'],
  ] as const)('ends a recording: %s is %s', async (progress, state) => {
    const founder = await newFounder(office)
    const recording = await newRecording(founder)
    const endedAt = new Date()
    await keepFile(office, recording.egressId)
    expect(await tell(recording, { progress, endedAt, file })).toBe(true)
    expect(await recordingOf(founder, recording.room)).toMatchObject({
      state,
      endedAt: endedAt.toISOString(),
      ...(state === 'completed'
        ? { sizeBytes: 77, durationSeconds: 12, stored: 'here' }
        : { sizeBytes: null, stored: null }),
    })
  })

  it('is of the type that the recorder has made, under the name that it has given', async () => {
    const founder = await newFounder(office)
    const recording = await newRecording(founder)
    const { id } = await recordingOf(founder, recording.room)
    const key = `recordings/${founder.organizationId}/${id}.webm`
    const options = { contentType: 'video/webm', cacheControl: 'no-store' }
    await office.office.needs.storage.write(key, Buffer.from('film'), options)
    await tell(recording, { progress: 'complete', endedAt: new Date(), file: { ...file, key } })
    expect(await recordingOf(founder, recording.room)).toMatchObject({
      state: 'completed',
      contentType: 'video/webm',
    })
    const answer = await founder.browser.call('downloadRecording', { recordingId: id })
    expect(answer.fileName).toMatch(/\.webm$/)
    const download = await fetch(
      `${office.baseUrl}${new URL(answer.downloadUrl).pathname}${new URL(answer.downloadUrl).search}`,
    )
    expect([download.headers.get('content-type'), await download.text()]).toEqual(['video/webm', 'film'])
  })

  it('is completed elsewhere where the recorder has put the file into a store of its own', async () => {
    const founder = await newFounder(office)
    const recording = await newRecording(founder)
    await tell(recording, {
      progress: 'complete',
      endedAt: new Date(),
      file: { ...file, isElsewhere: true, location: 's3://backup/k.mp4' },
    })
    expect(await recordingOf(founder, recording.room)).toMatchObject({
      state: 'completed',
      stored: 'elsewhere',
    })
  })

  it.each([undefined, 0, -1])(
    'takes a length of %s for none: it is from the beginning to the end',
    async (length) => {
      const founder = await newFounder(office)
      const recording = await newRecording(founder)
      await keepFile(office, recording.egressId)
      await moveBackAnHour(office, recording.egressId)
      const endedAt = new Date()
      const startedAt = new Date(endedAt.getTime() - 41 * MINUTE * 1_000)
      const lasting = { ...file, durationSeconds: length }
      await tell(recording, { progress: 'complete', startedAt, endedAt, file: lasting })
      expect(await recordingOf(founder, recording.room)).toMatchObject({ durationSeconds: 41 * MINUTE })
    },
  )

  it.each([undefined, { ...file, sizeBytes: 0 }])(
    'takes a success without a file for a failure: %j',
    async (given) => {
      const founder = await newFounder(office)
      const recording = await newRecording(founder)
      await tell(recording, { progress: 'complete', file: given })
      expect((await recordingOf(founder, recording.room)).state).toBe('failed')
    },
  )

  it('is taken in any order and as often as it comes', async () => {
    const founder = await newFounder(office)
    const recording = await newRecording(founder)
    const endedAt = new Date()
    const reports: Partial<MediaRecording>[] = [
      { progress: 'active' },
      { progress: 'starting' },
      { progress: 'ending' },
      { progress: 'active' },
      { progress: 'complete', endedAt, file },
      { progress: 'ending' },
      { progress: 'failed', error: 'no' },
      { progress: 'complete', endedAt, file },
    ]
    await keepFile(office, recording.egressId)
    for (const report of reports) await tell(recording, report)
    expect(await recordingOf(founder, recording.room)).toMatchObject({
      state: 'completed',
      sizeBytes: 77,
      endedAt: endedAt.toISOString(),
    })
  })

  it('is taken once where many tell it at once', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const id = await unknownStart(founder, room)
    const about = { room, egressId: `EG_${room}` }
    await Promise.allSettled(Array.from({ length: 6 }, () => tell(about)))
    expect(await recordingOf(founder, room)).toMatchObject({ id, state: 'active', egressId: about.egressId })
  })

  it('brings back a start that was given up', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const id = await unknownStart(founder, room)
    await giveUp(id)
    await tell({ room, egressId: `EG_${room}` })
    expect(await recordingOf(founder, room)).toMatchObject({ id, state: 'active', endedAt: null })
  })

  it('finds the start by its file, whatever the times say', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const id = await unknownStart(founder, room)
    await giveUp(id)
    const key = `recordings/${founder.organizationId}/${id}.mp4`
    const late = new Date(Date.now() + 3_600_000)
    const report = {
      progress: 'complete',
      startedAt: late,
      file: { ...file, key, isElsewhere: true },
    } as const
    expect(await tell({ room: '', egressId: `EG_${room}` }, report)).toBe(true)
    expect((await recordingOf(founder, room)).state).toBe('completed')
  })

  it('never shows two as running: the older is not brought back beside a newer', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const older = await unknownStart(founder, room)
    await giveUp(older)
    const { egressId } = await founder.browser.call('startRecording', { roomName: room, ...aboutRecording })
    await tell({ room, egressId: `EG_${room}` })
    const states = async () =>
      (await founder.browser.call('listRecordings', { roomName: room })).data.map((one) => [
        one.egressId,
        one.state === 'failed' ? 'failed' : 'runs',
      ])
    expect(await states()).toEqual([
      [egressId, 'runs'],
      [`EG_${room}`, 'failed'],
    ])
    // its end is written down all the same
    await tell(
      { room, egressId: `EG_${room}` },
      { progress: 'complete', file: { ...file, isElsewhere: true } },
    )
    expect((await founder.browser.call('listRecordings', { roomName: room })).data[1]?.state).toBe(
      'completed',
    )
  })

  it('is named by the answer to its start, where an event of it takes an older one for it meanwhile', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const older = await unknownStart(founder, room)
    await giveUp(older)
    const about = { room, egressId: `EG_both_${room}` }
    const { pool } = office.database
    const blocked = async () =>
      (
        await pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rows.length
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from recordings where id = $1 for update', [older])
    const { media } = office.office.needs
    const before = media.startRecording
    let told: Promise<boolean> | undefined
    media.startRecording = async () => {
      const { startedAt } = (
        await pool.query('select requested_at as "startedAt" from recordings where id = $1', [older])
      ).rows[0]
      told = tell(about, { startedAt })
      await until(async () => (await blocked()) === 1)
      return { outcome: 'started', recording: mediaReport(about, { progress: 'starting' }) }
    }
    const start = founder.browser.request('startRecording', { roomName: room, ...aboutRecording })
    await until(async () => (await blocked()) === 2)
    await holder.query('rollback')
    holder.release()
    expect((await start).status).toBe(200)
    media.startRecording = before
    expect(await told).toBe(true)
    const { data } = await founder.browser.call('listRecordings', { roomName: room })
    expect(data.map(({ id, egressId }) => [id === older, egressId])).toEqual([
      [false, about.egressId],
      [true, null],
    ])
  })

  it('takes up no recording again while another one is started in its room', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const older = await unknownStart(founder, room)
    await giveUp(older)
    const trail = await hold(
      office,
      `select 1 from audit_heads h join organizations o on o.id = h.organization_id
        where o.identity_organization_id = $1 for update of h`,
      [founder.organizationId],
    )
    const start = founder.browser.request('startRecording', { roomName: room, ...aboutRecording })
    await untilBlocked(office, 1)
    const told = tell({ room, egressId: `EG_older_${room}` })
    await untilBlocked(office, 2)
    await trail.letGo()
    expect(await told).toBe(true)
    expect((await start).status).toBe(200)
    const { data } = await founder.browser.call('listRecordings', { roomName: room })
    expect(data.map(({ id, state }) => [id === older, state === 'failed'])).toEqual([
      [false, false],
      [true, true],
    ])
  })

  it('is no concern of ours where others record', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    expect(await tell({ room: 'a-room-of-others', egressId: 'EG_other' })).toBe(false)
    expect(await tell({ room, egressId: 'EG_nobody' })).toBe(false)
    expect(await tell({ room, egressId: '' })).toBe(false)
    // a start long before is not this one
    const id = await unknownStart(founder, room)
    await giveUp(id)
    const later = new Date(Date.now() + 10 * MINUTE * 1_000)
    expect(await tell({ room, egressId: 'EG_later' }, { startedAt: later })).toBe(false)
  })
})
