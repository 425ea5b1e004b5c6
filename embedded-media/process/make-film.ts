import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Film } from '../recording/film.ts'
import type { SpeechFile } from '../recording/speech/speech.ts'
import { errorOf, type Fault } from './faults.ts'

/** What is told of a film: first that it is made, then what was said in it. */
export interface FilmReport {
  film?: Film | undefined
  speech?: SpeechFile[]
  fault?: Fault
}

/** A film with what was said in it. */
export interface SpokenFilm extends Film {
  /** Undefined where it was not asked for, or could not be written. */
  speech: SpeechFile[] | undefined
}

interface FilmOptions {
  /** What each person said is written beside the film. */
  withSpeech: boolean
  signal: AbortSignal
}

const ENTRY = fileURLToPath(new URL('film-process.ts', import.meta.url))
const HEAP_MB = 256
const WITH_SPEECH = 'with-speech'

/**
 * Makes a film in a process of its own: sound is encoded, which takes a processor a few seconds for each minute.
 * No fault of its speech takes the film, be it that the memory of the process ends.
 * @returns undefined where there was nothing to keep
 * @throws Error also where the process was killed
 */
export async function makeFilmApart(
  folder: string,
  path: string,
  { withSpeech, signal }: FilmOptions,
): Promise<SpokenFilm | undefined> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, ENTRY, folder, path, ...(withSpeech ? [WITH_SPEECH] : [])],
    {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      signal,
    },
  )
  let told: FilmReport | undefined
  child.on('message', (report: FilmReport) => {
    told = { ...told, ...report }
  })
  // not before all that it told has come
  await once(child, 'close')
  return filmOf(told)
}

function filmOf(told: FilmReport | undefined): SpokenFilm | undefined {
  if (!told) throw new Error('the process that makes films ended before its time')
  const { film, speech, fault } = told
  if (fault && !film) throw errorOf(fault)
  return film && { ...film, speech }
}
