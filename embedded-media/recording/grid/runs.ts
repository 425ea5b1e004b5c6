import { join } from 'node:path'
import { EncodedVideoPacketSource, FilePathTarget, Output, WebMOutputFormat } from 'mediabunny'
import { inOrder } from '../in-order.ts'
import type { FileNote, Note } from '../notes.ts'
import { readPackets } from '../packet-file.ts'
import { picturesOf } from '../pictures.ts'
import { type Shot, shotPacket } from '../shots.ts'
import type { Timeline } from '../timeline.ts'
import type { Size } from './layout.ts'

/** Pictures of one track that are seen without a pause, and are of one size: a WebM that begins with the first of them. */
export interface Run {
  path: string
  isScreen: boolean
  size: Size
  fromMs: number
  toMs: number
}

interface Recording {
  notes: readonly Note[]
  folder: string
  timeline: Timeline
  endMs: number
}

/** A file of packets of a track that is kept for the grid. */
type TrackFile = FileNote & { track: NonNullable<FileNote['track']> }

/** What is larger is not decoded: a few bytes may say that a picture has the size of a house. */
const PIXELS_MAX = 4_096 * 2_304
const SIDE_MIN = 16

/** The runs of all tracks, those of one together, in the order in which the tracks came. None where only the stage was kept. */
export async function writeRuns(recording: Recording): Promise<Run[]> {
  const files = recording.notes.filter(
    (one): one is TrackFile => one.note === 'file' && one.track !== undefined,
  )
  const runs: Run[] = []
  for (const ofOne of Map.groupBy(files, ({ track }) => track.sid).values())
    await writeTrack(ofOne, recording, runs)
  return runs
}

async function writeTrack(files: readonly TrackFile[], recording: Recording, runs: Run[]): Promise<void> {
  const { folder, timeline } = recording
  let open: OpenRun | undefined
  let last = -1
  for (const [index, file] of files.entries()) {
    const { untilMs, isDark } = endOf(file, files[index + 1], recording)
    for await (const picture of picturesOf(inOrder(readPackets(join(folder, file.file))))) {
      const atMs = Math.max(timeline.at(file, picture.rtp), last + 1, 0)
      if (atMs >= untilMs) break
      last = atMs
      if (picture.size && !isOf(open, picture.size)) {
        await open?.close(atMs)
        const path = join(folder, `${runs.length}.run.webm`)
        const run = { path, isScreen: file.track.isScreen, size: picture.size, fromMs: atMs, toMs: atMs }
        open = isDecoded(run.size) ? await openRun(run) : undefined
        if (open) runs.push(run)
      }
      await open?.add({ ...picture, atMs })
    }
    if (!isDark) continue
    await open?.close(untilMs)
    open = undefined
  }
  await open?.close(recording.endMs)
}

/** Until when a file is seen: until the next of its track begins, or nothing is shown any more. */
function endOf(
  file: TrackFile,
  next: TrackFile | undefined,
  { notes, timeline, endMs }: Recording,
): { untilMs: number; isDark: boolean } {
  const dark = notes.find((one) => one.note === 'dark' && one.track === file.track.sid && one.at >= file.at)
  if (dark && (!next || dark.at <= next.at)) return { untilMs: Math.min(dark.at, endMs), isDark: true }
  return { untilMs: Math.min(next ? timeline.at(next, next.rtp) : endMs, endMs), isDark: false }
}

interface OpenRun {
  size: Size
  add(shot: Shot): Promise<void>
  close(toMs: number): Promise<void>
}

async function openRun(run: Run): Promise<OpenRun> {
  const output = new Output({ format: new WebMOutputFormat(), target: new FilePathTarget(run.path) })
  const video = new EncodedVideoPacketSource('vp8')
  output.addVideoTrack(video)
  await output.start()
  return {
    size: run.size,
    add: (shot) => video.add(...shotPacket({ ...shot, atMs: shot.atMs - run.fromMs })),
    async close(toMs) {
      run.toMs = toMs
      await output.finalize()
    },
  }
}

function isOf(open: OpenRun | undefined, { width, height }: Size): boolean {
  return open?.size.width === width && open.size.height === height
}

function isDecoded({ width, height }: Size): boolean {
  return Math.min(width, height) >= SIDE_MIN && width * height <= PIXELS_MAX
}
