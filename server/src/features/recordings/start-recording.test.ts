import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  aboutRecording,
  endRecording,
  mediaReport,
  newRecording,
  newRoom,
  recordingOf,
} from '../../../tests/chapters/recordings.ts'
import { enterRoom, lockedRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember, type Person } from '../../../tests/people.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { MediaPort, RecordingStarted } from '../../ports/media.ts'

describe('startRecording', () => {
  let office: TestOffice
  let restore: (() => void)[] = []
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())
  afterEach(() => {
    for (const undo of restore) undo()
    restore = []
  })

  /** For this test the media server answers so. */
  function mediaDoes<Name extends 'startRecording' | 'openRoom'>(name: Name, does: MediaPort[Name]): void {
    const { media } = office.office.needs
    const before = media[name]
    media[name] = does
    restore.push(() => {
      media[name] = before
    })
  }
  const startsBe = (outcome: RecordingStarted) => mediaDoes('startRecording', async () => outcome)
  const start = (person: Person, roomName: string) =>
    person.browser.request('startRecording', { roomName, ...aboutRecording })

  it('starts one by the id of the room or by its name, and keeps what was said of it', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder, 'The Kitchen')
    const answer = await founder.browser.call('startRecording', {
      roomName: 'The Kitchen',
      ...aboutRecording,
    })
    expect(answer).toEqual({ egressId: expect.stringMatching(/^EG_/), timestamp: expect.any(Number) })
    expect(Math.abs(answer.timestamp - Date.now() / 1_000)).toBeLessThan(60)
    expect(await recordingOf(founder, room)).toMatchObject({
      egressId: answer.egressId,
      roomId: room,
      ...aboutRecording,
      state: expect.stringMatching(/starting|active/),
      startedBy: founder.id,
      endedAt: null,
    })
    expect((await start(founder, await newRoom(founder))).status).toBe(200)
  })

  it('lets the caller wait ten seconds for the recorder, and no longer', async () => {
    const founder = await newFounder(office)
    const { media } = office.office.needs
    const before = media.startRecording.bind(media)
    const waits: number[] = []
    mediaDoes('startRecording', (asked) => {
      waits.push(asked.answerWithinSeconds)
      return before(asked)
    })
    expect((await start(founder, await newRoom(founder))).status).toBe(200)
    expect(waits).toEqual([10])
  })

  describe('at a door', () => {
    const closed = { status: 403, body: { error: 'room-locked' } }

    it('is refused whom a locked room keeps out, and leaves nothing behind', async () => {
      const { founder, inside, outside, moderator, roomId } = await lockedRoom(office)
      expect(await start(outside, roomId)).toMatchObject(closed)
      expect((await founder.browser.call('listRecordings', { roomName: roomId })).data).toEqual([])
      expect((await start(inside, roomId)).status).toBe(200)
      // the door is open to them: it is the recording that is there already
      expect(await start(moderator, roomId)).toMatchObject({ status: 409 })
    })

    it('spends nothing of what lets a member in', async () => {
      const { inside, outside, roomId } = await lockedRoom(office)
      const { knockId } = await outside.browser.call('knockAtRoom', { roomId })
      await inside.browser.call('answerKnock', { knockId, answer: 'accept' })
      expect((await start(outside, roomId)).status).toBe(200)
      const entry = { username: 'Somebody', roomId }
      expect((await outside.browser.request('authorizeRoom', entry)).status).toBe(200)
      expect(await outside.browser.request('authorizeRoom', entry)).toMatchObject(closed)
    })

    it('is refused at the desk of another while its owner is away, administrators too', async () => {
      const founder = await newFounder(office)
      const owner = await newMember(office, founder, 'member')
      const { room } = await owner.browser.call('openDesk')
      expect(await start(founder, room.id)).toMatchObject(closed)
      await enterRoom(office, owner, room.id)
      expect((await start(founder, room.id)).status).toBe(200)
    })

    it('is refused who was removed from the room', async () => {
      const { founder, inside, roomId } = await lockedRoom(office)
      await founder.browser.call('removeFromRoom', { roomId, userId: inside.id })
      expect(await start(inside, roomId)).toMatchObject({ status: 403, body: { error: 'removed-from-room' } })
    })
  })

  it('is written into the audit trail', async () => {
    const founder = await newFounder(office)
    const { room } = await newRecording(founder)
    const { id } = await recordingOf(founder, room)
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'recording.started',
      target: { kind: 'recording', id },
      detail: { roomId: room },
    })
  })

  it('records a room once at a time, however many start at once', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const answers = await Promise.all(Array.from({ length: 5 }, () => start(founder, room)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(await start(founder, room)).toMatchObject({ status: 409, body: { error: 'recording-running' } })
    const { egressId } = await recordingOf(founder, room)
    await endRecording(office, { room, egressId: egressId as string })
    expect((await start(founder, room)).status).toBe(200)
  })

  it('knows only rooms of the own organization', async () => {
    const [founder, stranger] = [await newFounder(office), await newFounder(office)]
    const room = await newRoom(stranger, 'Theirs')
    for (const name of [room, 'Theirs', 'nowhere']) expect((await start(founder, name)).status).toBe(404)
  })

  it.each(['roomName', 'conferenceTopic', 'zoneId', 'participants'])(
    'refuses input without %s',
    async (field) => {
      const founder = await newFounder(office)
      const input: Record<string, unknown> = { roomName: await newRoom(founder), ...aboutRecording }
      delete input[field]
      const answer = await founder.browser.request('startRecording', input as never)
      expect(answer).toMatchObject({ status: 400, body: { details: [{ field }] } })
    },
  )

  it('is for members, not for guests of the organization', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    expect((await start(await newMember(office, founder, 'guest'), room)).status).toBe(403)
    expect((await start(await newMember(office, founder, 'member'), room)).status).toBe(200)
  })

  it.each([
    ['no-room', 409, 'room-not-live'],
    ['no-recorder', 503, 'no-recorder'],
    ['rejected', 502, 'provider-unavailable'],
  ] as const)('has failed at once where it was refused: %s', async (reason, status, error) => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    startsBe({ outcome: 'refused', reason, detail: 'words of the vendor' })
    const answer = await start(founder, room)
    expect(answer).toMatchObject({ status, body: { error } })
    expect(JSON.stringify(answer.body)).not.toContain('vendor')
    expect(await recordingOf(founder, room)).toMatchObject({ state: 'failed', egressId: null })
    // the room is free again at once
    startsBe({ outcome: 'started', recording: mediaReport({ room, egressId: `EG_${room}` }) })
    expect((await start(founder, room)).status).toBe(200)
  })

  it('has failed at once where the media server cannot be reached', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    mediaDoes('openRoom', async () => {
      throw new ProviderFailure('media', 'open', { retryable: true })
    })
    expect((await start(founder, room)).status).toBe(503)
    expect((await recordingOf(founder, room)).state).toBe('failed')
  })

  it('goes on starting where nothing is known, until an event tells', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    startsBe({ outcome: 'unknown', cause: new Error('too late') })
    const answer = await start(founder, room)
    expect(answer).toMatchObject({ status: 503, body: { error: 'recording-outcome-unknown' } })
    expect(answer.headers.get('retry-after')).toBe('120')
    expect(await recordingOf(founder, room)).toMatchObject({ state: 'starting', egressId: null })
    expect((await start(founder, room)).status).toBe(409)
    const egressId = `EG_${room}`
    await office.office.recordings.onRecordingEvent(mediaReport({ room, egressId }))
    expect(await recordingOf(founder, room)).toMatchObject({ state: 'active', egressId })
  })

  it('knows its recording at a media server with a wrong clock', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const egressId = `EG_${room}`
    const startedAt = new Date(Date.now() + 3_600_000)
    startsBe({ outcome: 'started', recording: mediaReport({ room, egressId }, { startedAt }) })
    expect((await start(founder, room)).status).toBe(200)
    expect(await recordingOf(founder, room)).toMatchObject({ egressId, state: 'active' })
  })

  it('stands an event that is here before its answer', async () => {
    const founder = await newFounder(office)
    const room = await newRoom(founder)
    const egressId = `EG_${room}`
    mediaDoes('startRecording', async () => {
      await office.office.recordings.onRecordingEvent(mediaReport({ room, egressId }))
      const recording = mediaReport({ room, egressId }, { progress: 'starting', startedAt: undefined })
      return { outcome: 'started', recording }
    })
    expect((await start(founder, room)).body).toMatchObject({ egressId })
    expect(await recordingOf(founder, room)).toMatchObject({ state: 'active', egressId })
  })

  it('has the name that the media server answers, whatever else was taken for it', async () => {
    const founder = await newFounder(office)
    const [mistaken, room] = [await newRoom(founder), await newRoom(founder)]
    const egressId = `EG_${room}`
    startsBe({ outcome: 'started', recording: mediaReport({ room: mistaken, egressId }) })
    expect((await start(founder, mistaken)).status).toBe(200)
    startsBe({ outcome: 'started', recording: mediaReport({ room, egressId }) })
    expect(await start(founder, room)).toMatchObject({ status: 200, body: { egressId } })
    expect(await recordingOf(founder, room)).toMatchObject({ state: 'active', egressId })
    expect((await recordingOf(founder, mistaken)).egressId).toBeNull()
  })
})
