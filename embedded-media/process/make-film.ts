import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Film } from '../recording/film.ts'
import type { Ffmpeg } from '../recording/grid/ffmpeg.ts'
import type { SpeechFile } from '../recording/speech/speech.ts'
import { errorOf, type Fault } from './faults.ts'

/** What is told of a film: first that it is made, then of its grid, then what was said in it. */
export interface FilmReport {
  film?: Film | undefined
  hasGrid?: boolean
  /** The grid could not be made. */
  gridFault?: Fault
  speech?: SpeechFile[]
  fault?: Fault
}

/** What the process that makes a film is started with. */
export interface FilmOrder {
  /** What a room's recording has left. */
  folder: string
  withSpeech: boolean
  ffmpeg: Ffmpeg | undefined
  /** Where the film of one picture at a time is written, and the grid. */
  stagePath: string
  gridPath: string
}

/** A film with what was said in it. */
export interface SpokenFilm extends Film {
  path: string
  ending: 'webm' | 'mp4'
  /** Undefined where it was not asked for, or could not be written. */
  speech: SpeechFile[] | undefined
}

interface FilmOptions {
  /** What each person said is written beside the film. */
  withSpeech: boolean
  /** Makes a film of everybody's pictures, where they were kept; undefined: of one picture at a time. */
  ffmpeg: Ffmpeg | undefined
  signal: AbortSignal
  /** The grid could not be made: the film is of one picture at a time. */
  onFault(error: unknown): void
}

const ENTRY = fileURLToPath(new URL('film-process.ts', import.meta.url))
const HEAP_MB = 256

/**
 * Makes a film in a process of its own: sound is encoded, which takes a processor a few seconds for each minute, a grid half a
 * minute. No fault of the grid or of its speech takes the film, be it that the memory of the process ends.
 * @returns undefined where there was nothing to keep
 * @throws Error also where the process was killed
 */
export async function makeFilmApart(
  folder: string,
  { withSpeech, ffmpeg, signal, onFault }: FilmOptions,
): Promise<SpokenFilm | undefined> {
  const [stagePath, gridPath] = [join(folder, 'film.webm'), join(folder, 'film.mp4')]
  const order: FilmOrder = { folder, withSpeech, ffmpeg, stagePath, gridPath }
  const args = [`--max-old-space-size=${HEAP_MB}`, ENTRY, JSON.stringify(order)]
  const child = spawn(process.execPath, args, {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal,
  })
  let told: FilmReport | undefined
  child.on('message', (report: FilmReport) => {
    told = { ...told, ...report }
  })
  // not before all that it told has come
  await once(child, 'close')
  if (told?.gridFault) onFault(errorOf(told.gridFault))
  return filmOf(told, order)
}

function filmOf(told: FilmReport | undefined, { stagePath, gridPath }: FilmOrder): SpokenFilm | undefined {
  if (!told) throw new Error('the process that makes films ended before its time')
  const { film, hasGrid, speech, fault } = told
  if (fault && !film) throw errorOf(fault)
  const file = hasGrid
    ? ({ path: gridPath, ending: 'mp4' } as const)
    : ({ path: stagePath, ending: 'webm' } as const)
  return film && { ...film, ...file, speech }
}
