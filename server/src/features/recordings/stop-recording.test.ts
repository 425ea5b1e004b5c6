import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endRecording, newRecording, newRoom, recordingOf } from '../../../tests/chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember, type Person } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { ProviderFailure } from '../../platform/refusal.ts'

describe('stopRecording', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const stop = (person: Person, roomName: string, egressId: string) =>
    person.browser.request('stopRecording', { roomName, egressId, zoneId: 'zone-1' })
  const sweep = () => office.office.jobs.runNow('sweep-recordings')
  const untilActive = (person: Person, room: string) =>
    until(async () => {
      await sweep().catch(() => undefined)
      return (await recordingOf(person, room)).state === 'active'
    })

  it('ends a recording, and its file is there in the end', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    await untilActive(founder, room)
    const { body } = await stop(founder, room, egressId)
    expect(body).toEqual({ egressId, timestamp: expect.any(Number) })
    await until(async () => {
      await sweep()
      return (await recordingOf(founder, room)).state === 'completed'
    })
    const ended = await recordingOf(founder, room)
    expect(ended.sizeBytes).toBeGreaterThan(1_000)
    expect(ended.durationSeconds).toBeGreaterThanOrEqual(0)
    const stored = await office.office.uploads.storage.find(
      `recordings/${founder.organizationId}/${ended.id}.mp4`,
    )
    expect(stored).toMatchObject({ sizeBytes: ended.sizeBytes, contentType: 'video/mp4' })
  })

  it('finds the room by its id after it has been deleted, in its organization alone', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    await founder.browser.call('deleteRoom', { roomId: room })
    expect((await stop(await newFounder(office), room, egressId)).status).toBe(404)
    expect((await stop(founder, await newRoom(founder), egressId)).status).toBe(404)
    expect((await stop(founder, room, egressId)).status).toBe(200)
  })

  it('answers the same when it is over, and when it is stopped twice', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    expect((await stop(founder, room, egressId)).status).toBe(200)
    expect((await stop(founder, room, egressId)).status).toBe(200)
    await endRecording(office, { room, egressId })
    expect((await stop(founder, room, egressId)).status).toBe(200)
    const stops = (await auditOf(founder)).filter(({ action }) => action === 'recording.stopped')
    expect(stops).toHaveLength(1)
  })

  it('takes the name of the room as well, and anybody who may record', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder, 'The Kitchen')
    const about = { roomName: room, conferenceTopic: '', zoneId: '', participants: '' }
    const { egressId } = await founder.browser.call('startRecording', about)
    expect((await stop(await newMember(office, founder, 'guest'), room, egressId)).status).toBe(403)
    const member = await newMember(office, founder, 'member')
    expect((await stop(member, 'The Kitchen', egressId)).status).toBe(200)
  })

  it('knows nothing of other recordings, rooms and organizations', async () => {
    const [founder, stranger] = [await newFounder(office), await newFounder(office)]
    const { room, egressId } = await newRecording(founder)
    expect((await stop(founder, room, 'EG_unknown')).status).toBe(404)
    expect((await stop(founder, await newRoom(founder), egressId)).status).toBe(404)
    expect((await stop(stranger, room, egressId)).status).toBe(404)
    expect((await stop(stranger, await newRoom(stranger), egressId)).status).toBe(404)
    expect((await recordingOf(founder, room)).state).not.toBe('stopping')
  })

  it('is told again by the sweeper where the media server did not answer', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    await untilActive(founder, room)
    const { media } = office.office.needs
    const before = media.stopRecording
    media.stopRecording = async () => {
      throw new ProviderFailure('media', 'stop', { retryable: true })
    }
    expect((await stop(founder, room, egressId)).status).toBe(200)
    media.stopRecording = before
    expect((await recordingOf(founder, room)).state).toBe('stopping')
    office.clock.advance(30)
    await until(async () => {
      await sweep()
      return (await recordingOf(founder, room)).state === 'completed'
    })
  })
})
