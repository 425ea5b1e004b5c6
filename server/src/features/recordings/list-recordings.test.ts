import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aboutRecording,
  endRecording,
  newRecording,
  newRoom,
  recordingOf,
} from '../../../tests/chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

const DAY = 24 * 60 * 60

describe('listRecordings', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('has those of a deleted room by its id, in its organization alone', async () => {
    const founder = await newFounder(office)
    const { room } = await newRecording(founder)
    await founder.browser.call('deleteRoom', { roomId: room })
    expect((await recordingOf(founder, room)).roomId).toBe(room)
    const stranger = await newFounder(office)
    const answer = await stranger.browser.request('listRecordings', { roomName: room })
    expect(answer).toMatchObject({ status: 404, body: { error: 'room-not-found' } })
  })

  it('shows the newest first, in pages, with all that is known', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const started: string[] = []
    for (let n = 0; n < 3; n += 1) {
      const about = { roomName: room, ...aboutRecording, zoneId: `zone-${n}` }
      const { egressId } = await founder.browser.call('startRecording', about)
      await endRecording(office, { room, egressId })
      started.unshift(egressId)
    }
    const all = await founder.browser.call('listRecordings', {})
    expect(all.data.map(({ egressId }) => egressId)).toEqual(started)
    expect(all.page).toEqual({ limit: 20, offset: 0, total: 3 })
    const [newest] = all.data
    expect(newest).toMatchObject({
      roomId: room,
      ...aboutRecording,
      zoneId: 'zone-2',
      state: 'completed',
      startedBy: founder.id,
      sizeBytes: 1_234,
      durationSeconds: 5,
    })
    const kept = new Date(newest?.accessUntil ?? '').getTime() - new Date(newest?.endedAt ?? '').getTime()
    expect(kept).toBe(20 * DAY * 1_000)
    const second = await founder.browser.call('listRecordings', { limit: 2, offset: 2 })
    expect(second).toMatchObject({
      data: [{ egressId: started[2] }],
      page: { limit: 2, offset: 2, total: 3 },
    })
  })

  it('is narrowed to a room, a zone or a state', async () => {
    const founder = await newFounder(office)
    const one = await newRecording(founder)
    const other = await newRecording(founder)
    await endRecording(office, other)
    const found = async (filter: object) =>
      (await founder.browser.call('listRecordings', filter)).data.map(({ egressId }) => egressId)
    expect(await found({ roomName: one.room })).toEqual([one.egressId])
    expect(await found({ state: 'completed' })).toEqual([other.egressId])
    expect(await found({ zoneId: 'zone-1' })).toHaveLength(2)
    expect(await found({ zoneId: 'elsewhere' })).toEqual([])
  })

  it('is for members, and shows nothing of other organizations', async () => {
    const [founder, stranger] = [await newFounder(office), await newFounder(office)]
    const { room } = await newRecording(founder)
    expect((await stranger.browser.call('listRecordings', {})).data).toEqual([])
    expect(await stranger.browser.request('listRecordings', { roomName: room })).toMatchObject({
      status: 404,
    })
    const guest = await newMember(office, founder, 'guest')
    expect(await guest.browser.request('listRecordings', {})).toMatchObject({ status: 403 })
    const member = await newMember(office, founder, 'member')
    expect((await member.browser.call('listRecordings', {})).data).toHaveLength(1)
  })

  it('shows a recording for twenty days', async () => {
    const founder = await newFounder(office)
    const recording = await newRecording(founder)
    await endRecording(office, recording)
    const { id } = await recordingOf(founder, recording.room)
    const shown = async () => (await founder.browser.call('listRecordings', {})).data.map((one) => one.id)
    const age = async (days: number) => {
      const at = new Date(office.clock.now().getTime() - days * DAY * 1_000)
      await office.database.pool.query('update recordings set ended_at = $1 where id = $2', [at, id])
    }
    await age(19.99)
    expect(await shown()).toEqual([id])
    await age(20.01)
    expect(await shown()).toEqual([])
    expect(await founder.browser.request('downloadRecording', { recordingId: id })).toMatchObject({
      status: 410,
      body: { error: 'recording-expired' },
    })
  })
})
