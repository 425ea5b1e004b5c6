import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aboutRecording,
  endRecording,
  keepFile,
  mediaReport,
  newRecording,
  newRoom,
  recordingOf,
} from '../../../tests/chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, type Person } from '../../../tests/people.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { MediaPort, MediaRecording } from '../../ports/media.ts'
import { sweepRecordingsJob } from './jobs.ts'
import { MISSING_FOR_SECONDS, START_WITHIN_SECONDS, STARTING_FOR_SECONDS } from './rules.ts'

const silent = { warn: () => {} }

describe('jobs of recordings', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    // its own sweeper would set these rows against the sandbox
    await office.office.jobs.stop()
  })
  afterAll(() => office.close())

  /** One run against a media server that lists this, or nothing at all. */
  async function sweep(
    listed: MediaRecording[] | 'no list',
    meanwhile: () => Promise<void> = async () => {},
  ): Promise<string[]> {
    const stopped: string[] = []
    const media: Pick<MediaPort, 'recordings' | 'stopRecording'> = {
      async recordings() {
        if (listed === 'no list') throw new ProviderFailure('media', 'list', { retryable: true })
        return listed
      },
      async stopRecording(egressId) {
        stopped.push(egressId)
        await meanwhile()
        return { outcome: 'over' }
      },
    }
    const { db, clock, storage } = office.office.needs
    await sweepRecordingsJob({ db, clock, storage, log: silent, media }).run(new AbortController().signal)
    return stopped
  }
  async function unknownStart(person: Person): Promise<string> {
    const room = await newRoom(person)
    const { media } = office.office.needs
    const before = media.startRecording
    media.startRecording = async () => ({ outcome: 'unknown', cause: new Error('too late') })
    await person.browser.request('startRecording', { roomName: room, ...aboutRecording })
    media.startRecording = before
    return room
  }
  /** Events and rows have times of the office's clock, which these tests move. */
  const at = () => ({ startedAt: office.clock.now(), updatedAt: office.clock.now() })

  it.each([
    ['errs', 'no list'],
    ['lacks it', []],
  ] as const)(
    'a start of unknown outcome has failed after two minutes where the list %s',
    async (_, listed) => {
      const founder = await newFounder(office)
      const room = await unknownStart(founder)
      office.clock.advance(START_WITHIN_SECONDS / 2)
      await sweep(listed as 'no list')
      expect((await recordingOf(founder, room)).state).toBe('starting')
      office.clock.advance(START_WITHIN_SECONDS / 2 + 1)
      await sweep(listed as 'no list')
      expect(await recordingOf(founder, room)).toMatchObject({ state: 'failed', egressId: null })
      const again = { roomName: room, ...aboutRecording }
      expect((await founder.browser.request('startRecording', again)).status).toBe(200)
    },
  )

  it('the list decides about a start of unknown outcome', async () => {
    const founder = await newFounder(office)
    const room = await unknownStart(founder)
    const egressId = `EG_${room}`
    await sweep([mediaReport({ room, egressId }, at())])
    expect(await recordingOf(founder, room)).toMatchObject({ state: 'active', egressId })
  })

  it('gives up nothing that has ended while others were stopped', async () => {
    const founder = await newFounder(office)
    const [slow, silent] = [await newRecording(founder), await newRecording(founder)]
    const { pool } = office.database
    const long = secondsAfter(office.clock.now(), -60)
    await pool.query('update recordings set stop_requested_at = $2, requested_at = $2 where egress_id = $1', [
      slow.egressId,
      long,
    ])
    await pool.query(`update recordings set state = 'active', missing_since = $2 where egress_id = $1`, [
      silent.egressId,
      secondsAfter(office.clock.now(), -MISSING_FOR_SECONDS),
    ])
    await sweep([mediaReport(slow, at())], () => endRecording(office, silent))
    expect(await recordingOf(founder, silent.room)).toMatchObject({ state: 'completed', sizeBytes: 1_234 })
  })

  it('learns of an end without its event', async () => {
    const founder = await newFounder(office)
    const recording = await newRecording(founder)
    const file = { key: 'k', sizeBytes: 9, durationSeconds: 2, location: 'l' }
    await keepFile(office, recording.egressId)
    await sweep([mediaReport(recording, { progress: 'complete', file, ...at() })])
    expect(await recordingOf(founder, recording.room)).toMatchObject({ state: 'completed', sizeBytes: 9 })
  })

  it('looks for a file until it is there, and says after a minute that it lies elsewhere', async () => {
    const founder = await newFounder(office)
    const [late, lost] = [await newRecording(founder), await newRecording(founder)]
    const file = { key: 'k', sizeBytes: 9, durationSeconds: 2, location: 's3://backup/k' }
    const listed = [late, lost].map((one) =>
      mediaReport(one, { progress: 'complete', file, endedAt: office.clock.now(), ...at() }),
    )
    const shown = async ({ room }: { room: string }) => {
      const { state, stored } = await recordingOf(founder, room)
      return [state, stored]
    }
    await sweep(listed)
    expect([await shown(late), await shown(lost)]).toEqual([
      ['stopping', null],
      ['stopping', null],
    ])
    office.clock.advance(30)
    await keepFile(office, late.egressId)
    await sweep(listed)
    expect([await shown(late), await shown(lost)]).toEqual([
      ['completed', 'here'],
      ['stopping', null],
    ])
    office.clock.advance(30)
    await sweep(listed)
    expect(await shown(lost)).toEqual(['completed', 'elsewhere'])
  })

  it('completes nothing while the store does not say what it has', async () => {
    const founder = await newFounder(office)
    const recording = await newRecording(founder)
    await keepFile(office, recording.egressId)
    const { storage } = office.office.needs
    const { find } = storage
    const file = { key: 'k', sizeBytes: 9, durationSeconds: 2, location: 'l' }
    const listed = [mediaReport(recording, { progress: 'complete', file, ...at() })]
    storage.find = async () => {
      throw new ProviderFailure('store', 'find', { retryable: true })
    }
    office.clock.advance(300)
    await sweep(listed)
    storage.find = find
    expect((await recordingOf(founder, recording.room)).state).toBe('stopping')
    await sweep(listed)
    expect(await recordingOf(founder, recording.room)).toMatchObject({ state: 'completed', stored: 'here' })
  })

  it('gives up what the media server does not know any more, and takes it back', async () => {
    const founder = await newFounder(office)
    const recording = await newRecording(founder)
    const active = mediaReport(recording, at())
    await sweep([active])
    const state = async () => (await recordingOf(founder, recording.room)).state
    await sweep([])
    office.clock.advance(MISSING_FOR_SECONDS / 2)
    await sweep('no list')
    await sweep([])
    expect(await state()).toBe('active')
    // seen in between: the time counts from the next absence
    await sweep([active])
    office.clock.advance(MISSING_FOR_SECONDS / 2 + 1)
    await sweep([])
    expect(await state()).toBe('active')
    office.clock.advance(MISSING_FOR_SECONDS)
    await sweep([])
    expect(await state()).toBe('failed')
    await sweep([active])
    expect(await state()).toBe('active')
  })

  it('stops a recorder that never starts, and does not take it up again', async () => {
    const founder = await newFounder(office)
    const recording = await newRecording(founder)
    const starting = () => mediaReport(recording, { progress: 'starting', ...at() })
    office.clock.advance(STARTING_FOR_SECONDS + 5)
    await sweep([starting()])
    expect((await recordingOf(founder, recording.room)).state).toBe('failed')
    expect(await sweep([starting()])).toEqual([recording.egressId])
    expect((await recordingOf(founder, recording.room)).state).toBe('failed')
  })

  it('stops what goes on although it is over for us, and nothing of others', async () => {
    const founder = await newFounder(office)
    const [one, running] = [await newRecording(founder), await newRecording(founder)]
    await endRecording(office, one)
    const others = mediaReport({ room: 'elsewhere', egressId: 'EG_others' }, at())
    const stopped = await sweep([mediaReport(one, at()), mediaReport(running, at()), others])
    expect(stopped).toEqual([one.egressId])
  })
})

it('where MEDIA_SWEEP_SECONDS is 0, rooms are not swept, but no start blocks its room for ever', async () => {
  const office = await openTestOffice({ settings: { MEDIA_SWEEP_SECONDS: '0' } })
  try {
    const { jobs, needs } = office.office
    await expect(jobs.runNow('sweep-media')).rejects.toThrow('there is no job sweep-media')
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const start = () =>
      founder.browser
        .request('startRecording', { roomName: room, ...aboutRecording })
        .then(({ status }) => status)
    const { startRecording } = needs.media
    needs.media.startRecording = async () => ({ outcome: 'unknown', cause: new Error('too late') })
    expect(await start()).toBe(503)
    needs.media.startRecording = startRecording
    expect(await start()).toBe(409)
    office.clock.advance(START_WITHIN_SECONDS + 1)
    await jobs.runNow('sweep-recordings')
    expect(await start()).toBe(200)
  } finally {
    await office.close()
  }
})
