import type { Recording } from '@atrium/contract'
import type { MediaRecording } from '../../src/ports/media.ts'
import type { TestOffice } from '../office.ts'
import type { Person } from '../people.ts'

/** What is said of a recording when it is started. */
export const aboutRecording = { conferenceTopic: 'Weekly', zoneId: 'zone-1', participants: 'Ada, Bob' }

/** A room of somebody's organization. */
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

/** Tells an office that a recording is over and has left a file. */
export async function endRecording(
  office: TestOffice,
  about: { room: string; egressId: string },
  endedAt = office.clock.now(),
): Promise<void> {
  const file = { key: 'of-no-matter.mp4', sizeBytes: 1_234, durationSeconds: 5, location: 'somewhere' }
  await office.office.recordings.onRecordingEvent(mediaReport(about, { progress: 'complete', endedAt, file }))
}
