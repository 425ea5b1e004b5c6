import { once } from 'node:events'
import type { Film } from '../film.ts'
import { readNotes } from '../notes.ts'
import { makeTimeline } from '../timeline.ts'
import { encoderArguments, type Ffmpeg, type Running, startFfmpeg } from './ffmpeg.ts'
import { FILM, placesOf } from './layout.ts'
import { type Run, writeRuns } from './runs.ts'
import { FRAMES_PER_SECOND, type Scene, scenesOf } from './scenes.ts'

export interface GridOptions {
  ffmpeg: Ffmpeg
  /** What a room's recording has left. */
  folder: string
  /** The film of its stage: the sound is taken from it. */
  sound: string
  path: string
  /** Kills what is running. */
  signal: AbortSignal
}

/** A film that takes longer than twice its length, and this, is not waited for. */
const GRACE_MS = 60_000
const SOUND_BITS = '96k'
/** Names of protocols and formats stand before each file: no packet brings ffmpeg to read anything else. */
const QUIET = ['-hide_banner', '-loglevel', 'error', '-nostdin']
const ONLY_FILES = ['-protocol_whitelist', 'file,pipe']

/**
 * Makes an MP4 of everybody's pictures side by side: scene by scene into H.264, which a second process puts beside the sound
 * as it comes.
 * @returns whether there was anything to be seen
 * @throws Error where ffmpeg fails, or takes too long
 */
export async function makeGrid(film: Film, options: GridOptions): Promise<boolean> {
  const { folder, ffmpeg } = options
  const endMs = film.durationSeconds * 1_000
  const notes = await readNotes(folder)
  const runs = await writeRuns({ notes, folder, timeline: makeTimeline(notes), endMs })
  if (runs.length === 0) return false
  const failed = new AbortController()
  const tooLate = AbortSignal.timeout(Math.ceil(2 * endMs) + GRACE_MS)
  const signal = AbortSignal.any([options.signal, tooLate, failed.signal])
  try {
    const joined = startFfmpeg(ffmpeg.path, joining(options), signal)
    await Promise.all([joined.ended, encode(scenesOf(runs, endMs), joined, { ffmpeg, signal })])
  } catch (error) {
    failed.abort()
    throw tooLate.aborted ? new Error('the grid took too long') : error
  }
  return true
}

async function encode(
  scenes: readonly Scene[],
  { input }: Running,
  { ffmpeg, signal }: Pick<GridOptions, 'ffmpeg' | 'signal'>,
): Promise<void> {
  for (const scene of scenes) {
    const { output, ended } = startFfmpeg(ffmpeg.path, showing(scene, ffmpeg), signal)
    for await (const part of output) if (!input.write(part)) await once(input, 'drain', { signal })
    await ended
  }
  input.end()
}

/** One scene, as H.264 and nothing else. */
function showing({ from, to, runs }: Scene, ffmpeg: Ffmpeg): string[] {
  const pictures = runs.flatMap((run) => [
    // what was shown before this moment is shown until the next
    ...['-noaccurate_seek', '-ss', secondsInto(run, from)],
    ...[...ONLY_FILES, '-f', 'matroska', '-threads', '1', '-c:v', 'vp8', '-i', run.path],
  ])
  return [
    ...[...QUIET, ...pictures, '-filter_complex_threads', '1', '-filter_complex', filtersOf(runs)],
    ...['-map', '[film]', '-frames:v', String(to - from), ...encoderArguments(ffmpeg)],
    ...['-f', 'h264', 'pipe:1'],
  ]
}

function secondsInto({ fromMs }: Run, frame: number): string {
  return (frame / FRAMES_PER_SECOND - fromMs / 1_000).toFixed(6)
}

/** Each picture is laid onto those before it: where it has nothing new, the last goes on. */
function filtersOf(runs: readonly Run[]): string {
  const places = placesOf(runs)
  const canvas = `color=c=black:s=${FILM.width}x${FILM.height}:r=${FRAMES_PER_SECOND},format=yuv420p[on0]`
  const laid = places.flatMap(({ x, y, width, height }, index) => [
    `[${index}:v]scale=${width}:${height},setsar=1[one${index}]`,
    `[on${index}][one${index}]overlay=${x}:${y}[on${index + 1}]`,
  ])
  return [canvas, ...laid, `[on${places.length}]null[film]`].join(';')
}

/** The times of pictures follow from their number. */
function joining({ sound, path }: GridOptions): string[] {
  return [
    ...[...QUIET, ...ONLY_FILES, '-f', 'h264', '-framerate', String(FRAMES_PER_SECOND), '-i', 'pipe:0'],
    ...[...ONLY_FILES, '-f', 'matroska', '-i', sound, '-map', '0:v', '-map', '1:a'],
    ...['-c:v', 'copy', '-bsf:v', 'setts=pts=DTS', '-c:a', 'aac', '-b:a', SOUND_BITS],
    ...['-movflags', '+faststart', '-f', 'mp4', '-y', path],
  ]
}
