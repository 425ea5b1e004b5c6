import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import { expect, it, onTestFinished } from 'vitest'
import type { Person } from '../messages.ts'
import type { Listener, MediaPacket, Publication } from '../tracks/publication.ts'
import { NOTES_FILE, notesOf } from './notes.ts'
import { openRoomRecording } from './room-recording.ts'

const ada = { sid: 'PA_1', identity: '7', name: 'Ada' } as Person

/** A track of sound, and what sends a packet of it. */
function soundOf(source: TrackSource, ssrc: number) {
  const listeners: Listener[] = []
  const publication = {
    info: new TrackInfo({ type: TrackType.AUDIO, source }),
    listen(listener: Listener) {
      listeners.push(listener)
      return () => {}
    },
    reconsider() {},
    liveLayers: () => [],
  } as unknown as Publication
  const header = { ssrc, timestamp: 960, sequenceNumber: 1, marker: false }
  const packet = { rtp: { header, payload: Buffer.from([0xf8]) }, layer: '', startsPicture: false }
  const send = () => {
    for (const { take } of listeners) take(packet as unknown as MediaPacket)
  }
  return { publication, send }
}

it('notes who speaks into a microphone; the sound of a shared screen has no speaker', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'room-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const recording = openRoomRecording({
    ...{ folder, isGrid: false },
    onFailed(error) {
      throw error
    },
  })
  for (const { publication, send } of [
    soundOf(TrackSource.MICROPHONE, 1),
    soundOf(TrackSource.SCREEN_SHARE_AUDIO, 2),
  ]) {
    recording.published(publication, ada)
    send()
  }
  await recording.end()
  const notes = notesOf(await readFile(join(folder, NOTES_FILE), 'utf8'))
  const files = notes.flatMap((one) => (one.note === 'file' ? [[one.source, one.person, one.speaker]] : []))
  expect(files).toEqual([
    [1, 'PA_1', { identity: '7', name: 'Ada' }],
    [2, 'PA_1', undefined],
  ])
})
