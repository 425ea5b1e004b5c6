import type { Recording } from '@atrium/contract'
import type { MediaRecording } from '../../src/ports/media.ts'
import type { TestOffice } from '../office.ts'
import type { Person } from '../people.ts'
import { atMedia } from './rooms.ts'

/** What is said of a recording when it is started. */
export const aboutRecording = { conferenceTopic: 'Weekly', zoneId: 'zone-1', participants: 'Ada, Bob' }

/** A room of a person's organization. */
export async function newRoom(person: Person, name = `Room ${Math.random()}`): Promise<string> {
  const { room } = await person.browser.call('createRoom', { name })
  return room.id
}

/** A room that is being recorded. */
export async function newRecording(person: Person): Promise<{ room: string; egressId: string }> {
  const room = await newRoom(person)
  const { egressId } = await person.browser.call('startRecording', { roomName: room, ...aboutRecording })
  return { room, egressId }
}

/** As though a recording had been asked for an hour ago, and had not begun yet. */
export async function moveBackAnHour(office: TestOffice, egressId: string): Promise<void> {
  const earlier = `update recordings set requested_at = requested_at - interval '1 hour', started_at = null
    where egress_id = $1`
  await office.database.pool.query(earlier, [egressId])
}

/** The only recording of a room. */
export async function recordingOf(person: Person, room: string): Promise<Recording> {
  const { data } = await person.browser.call('listRecordings', { roomName: room })
  if (data.length !== 1) throw new Error(`${data.length} recordings, not one`)
  return data[0] as Recording
}

/** An event of the media server about a recording. */
export function mediaReport(
  about: { room: string; egressId: string },
  report: Partial<MediaRecording> = {},
): MediaRecording {
  return {
    ...about,
    progress: 'active',
    request: 'room_composite',
    startedAt: new Date(),
    endedAt: undefined,
    updatedAt: new Date(),
    error: undefined,
    file: undefined,
    ...report,
  }
}

/** Brings the file of a recording into the store, as its recorder does. @returns its key; empty where the recording is gone */
export async function keepFile(
  office: TestOffice,
  egressId: string,
  bytes = new Uint8Array(3),
): Promise<string> {
  const { rows } = await office.database.pool.query('select file_key from recordings where egress_id = $1', [
    egressId,
  ])
  const key: string | undefined = rows[0]?.file_key
  if (key === undefined) return ''
  const options = { contentType: 'video/mp4', cacheControl: 'private, no-store' }
  await office.office.uploads.storage.write(key, bytes, options)
  return key
}

/** Tells an office that a recording is over and has left a file. */
export async function endRecording(
  office: TestOffice,
  about: { room: string; egressId: string },
  endedAt = office.clock.now(),
): Promise<void> {
  const file = { key: 'of-no-matter.mp4', sizeBytes: 1_234, durationSeconds: 5, location: 'somewhere' }
  await keepFile(office, about.egressId)
  await office.office.recordings.onRecordingEvent(mediaReport(about, { progress: 'complete', endedAt, file }))
}

/**
 * A recording that is over, with its file. The stand-in of the media server leaves none of its own from now on: there it
 * goes on until the office stops it, and a file that it leaves then would take the place of this one.
 */
export async function newFilm(
  office: TestOffice,
  startedBy: Person,
  bytes = new Uint8Array(3),
): Promise<{ id: string; room: string; egressId: string; key: string }> {
  await atMedia(office, 'faults', { recordings: 'no-file' })
  const { room, egressId } = await newRecording(startedBy)
  await endRecording(office, { room, egressId })
  const { id } = await recordingOf(startedBy, room)
  return { id, room, egressId, key: await keepFile(office, egressId, bytes) }
}
