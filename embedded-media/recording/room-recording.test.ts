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

/** A camera or a screen, and what sends the packet with which a picture of it begins. */
function pictureOf(sid: string, source: TrackSource, ssrc: number) {
  const listeners: Listener[] = []
  const info = new TrackInfo({ sid, type: TrackType.VIDEO, source })
  const asked: string[] = []
  const publication = {
    info,
    listen(listener: Listener) {
      listeners.push(listener)
      return () => {}
    },
    reconsider() {},
    liveLayers: () => [''],
    layerFor: () => '',
    askForKeyframe: (layer: string) => void asked.push(layer),
  } as unknown as Publication
  const send = (startsPicture: boolean) => {
    const header = { ssrc, timestamp: 90, sequenceNumber: 1, marker: true }
    const packet = { rtp: { header, payload: Buffer.alloc(20) }, layer: '', startsPicture }
    for (const { take } of listeners) take(packet as unknown as MediaPacket)
  }
  return { publication, info, asked, send, wanted: () => listeners.map((one) => one.wanted()) }
}

/** What is written of two cameras and a screen. */
async function recordPictures(isGrid: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'room-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const recording = openRoomRecording({
    ...{ folder, isGrid },
    onFailed(error) {
      throw error
    },
  })
  const adas = pictureOf('TR_A', TrackSource.CAMERA, 1)
  const graces = pictureOf('TR_G', TrackSource.CAMERA, 2)
  const screen = pictureOf('TR_S', TrackSource.SCREEN_SHARE, 3)
  for (const { publication } of [adas, graces]) recording.published(publication, ada)
  for (const one of [adas, graces, graces]) one.send(true)
  graces.send(false)
  adas.info.muted = true
  recording.published(screen.publication, ada)
  screen.send(true)
  adas.info.muted = false
  adas.send(true)
  recording.unpublished(graces.publication)
  await recording.end()
  const notes = notesOf(await readFile(join(folder, NOTES_FILE), 'utf8'))
  const told = notes.flatMap((one) => {
    if (one.note === 'dark') return [`dark ${one.track}`]
    return one.note === 'file' ? [`${one.file} of ${one.source} ${JSON.stringify(one.track)}`] : []
  })
  const bytes = async (file: string) => (await readFile(join(folder, file))).length
  return { told, bytes, graces }
}

it('keeps pictures of what is shown, and of nothing else', async () => {
  const { told, graces } = await recordPictures(false)
  expect(told).toEqual(['1.picture of 1 undefined', '2.picture of 3 undefined'])
  expect(graces.wanted()).toEqual([undefined])
})

it('keeps pictures of everybody for a grid, and says what goes dark', async () => {
  const { told, bytes, graces } = await recordPictures(true)
  const camera = (sid: string) => JSON.stringify({ sid, isScreen: false })
  expect(told).toEqual([
    `1.picture of 1 ${camera('TR_A')}`,
    `2.aside of 2 ${camera('TR_G')}`,
    'dark TR_A',
    `3.picture of 3 ${JSON.stringify({ sid: 'TR_S', isScreen: true })}`,
    `4.aside of 1 ${camera('TR_A')}`,
    'dark TR_G',
  ])
  // one file for all that came of it: three packets
  expect(await bytes('2.aside')).toBe(3 * (await bytes('1.picture')))
  expect([graces.wanted(), graces.asked.length > 0]).toEqual([[2], true])
})

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
