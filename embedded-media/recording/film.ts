import { join } from 'node:path'
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  FilePathTarget,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import { type Chapter, chaptersOf } from './chapters.ts'
import { inOrder } from './in-order.ts'
import { type FileNote, type Note, readNotes } from './notes.ts'
import { readPackets } from './packet-file.ts'
import { picturesOf } from './pictures.ts'
import { type Shot, shotPacket } from './shots.ts'
import { FRAME_MS, mixedSound, SOUND } from './sound.ts'
import { type SpeechFile, writeSpeech } from './speech/speech.ts'
import { makeTimeline, type Timeline } from './timeline.ts'

/** What is told of a film beside its file. */
export interface Film {
  durationSeconds: number
  hasPictures: boolean
  chapters: Chapter[]
}

/**
 * Makes what a room's recording has left into one WebM: one picture at a time as it was sent, everybody's sound mixed.
 * Where nothing was said or shown, silence.
 * @returns undefined where nothing was written down
 */
export async function makeFilm(folder: string, path: string): Promise<Film | undefined> {
  const { notes, files } = await notesIn(folder)
  if (notes.length === 0) return undefined
  const timeline = makeTimeline(notes)
  const endMs = Math.max(FRAME_MS, await endOf(notes, files, folder))
  const shots = shotsOf(files, { folder, timeline, endMs })
  const first = await shots.next()
  const sound = mixedSound(soundsOf(files), { folder, timeline, endMs })
  await write(path, { first: first.done ? undefined : first.value, shots, sound })
  return {
    durationSeconds: endMs / 1_000,
    hasPictures: !first.done,
    chapters: chaptersOf(notes, endMs),
  }
}

/** Writes what each person said beside the film that was made of a recording. */
export async function makeSpeech(folder: string, { durationSeconds }: Film): Promise<SpeechFile[]> {
  const { notes, files } = await notesIn(folder)
  const endMs = durationSeconds * 1_000
  return await writeSpeech(soundsOf(files), { folder, timeline: makeTimeline(notes), endMs })
}

async function notesIn(folder: string): Promise<{ notes: Note[]; files: FileNote[] }> {
  const notes = await readNotes(folder)
  return { notes, files: notes.filter((one): one is FileNote => one.note === 'file') }
}

function soundsOf(files: readonly FileNote[]): FileNote[] {
  return files.filter(({ kind }) => kind === 'sound')
}

/** Of what broke off: as far as anything has come. */
async function endOf(notes: readonly Note[], files: readonly FileNote[], folder: string): Promise<number> {
  const end = notes.find(({ note }) => note === 'end')
  if (end) return end.at
  let latest = Math.max(0, ...notes.map(({ at }) => at))
  for (const { file } of files)
    for await (const { at } of readPackets(join(folder, file))) latest = Math.max(latest, at)
  return latest
}

/** Pictures one after the other: those of a file end where those of the next begin. */
async function* shotsOf(
  files: readonly FileNote[],
  { folder, timeline, endMs }: { folder: string; timeline: Timeline; endMs: number },
): AsyncGenerator<Shot> {
  const pictures = files.filter(({ kind }) => kind === 'picture')
  const begins = pictures.map((file) => timeline.at(file, file.rtp))
  let last = -1
  for (const [index, file] of pictures.entries()) {
    const until = Math.min(endMs, begins[index + 1] ?? endMs)
    for await (const picture of picturesOf(inOrder(readPackets(join(folder, file.file))))) {
      const atMs = Math.max(timeline.at(file, picture.rtp), last + 1, 0)
      if (atMs >= until) break
      last = atMs
      yield { ...picture, atMs }
    }
  }
}

interface Tracks {
  first: Shot | undefined
  shots: AsyncGenerator<Shot>
  sound: AsyncGenerator<Buffer>
}

async function write(path: string, { first, shots, sound }: Tracks): Promise<void> {
  const output = new Output({ format: new WebMOutputFormat(), target: new FilePathTarget(path) })
  const video = new EncodedVideoPacketSource('vp8')
  const audio = new EncodedAudioPacketSource('opus')
  if (first) output.addVideoTrack(video)
  output.addAudioTrack(audio)
  await output.start()
  let shot = first
  let atMs = 0
  for await (const data of sound) {
    for (; shot && shot.atMs <= atMs; shot = (await shots.next()).value) await video.add(...shotPacket(shot))
    const packet = new EncodedPacket(data, 'key', atMs / 1_000, FRAME_MS / 1_000)
    await audio.add(packet, atMs === 0 ? { decoderConfig: SOUND } : undefined)
    atMs += FRAME_MS
  }
  // a file of packets may go on beyond the film: one that is left open ends the process
  await shots.return(undefined)
  await output.finalize()
}
