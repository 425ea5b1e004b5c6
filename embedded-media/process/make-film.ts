import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Film, FilmOptions } from '../recording/film.ts'
import { errorOf, type Fault } from './faults.ts'

const ENTRY = fileURLToPath(new URL('film-process.ts', import.meta.url))
const HEAP_MB = 256
const WITH_SPEECH = 'with-speech'

/**
 * Makes a film in a process of its own: sound is encoded, which takes a processor a few seconds for each minute.
 * @returns undefined where there was nothing to keep
 * @throws Error also where the process was killed
 */
export async function makeFilmApart(
  folder: string,
  path: string,
  { withSpeech, signal }: FilmOptions & { signal: AbortSignal },
): Promise<Film | undefined> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, ENTRY, folder, path, ...(withSpeech ? [WITH_SPEECH] : [])],
    {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      signal,
    },
  )
  let told: { film?: Film; fault?: Fault } | undefined
  child.on('message', (message: typeof told) => {
    told = message
  })
  await once(child, 'exit')
  if (told?.fault) throw errorOf(told.fault)
  if (!told) throw new Error('the process that makes films ended before its time')
  return told.film
}
