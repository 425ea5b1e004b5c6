import { setPriority } from 'node:os'
import { makeFilm, makeSpeech } from '../recording/film.ts'
import { faultOf } from './faults.ts'
import type { FilmReport } from './make-film.ts'

/** Makes one film, behind everything else that this machine does, and ends. Started by make-film.ts. */
const [, , folder = '', path = '', speech] = process.argv
const LOWEST = 19
setPriority(LOWEST)
try {
  const film = await makeFilm(folder, path)
  await report({ film })
  // a film without its words is better than none: it is told of before
  if (film && speech !== undefined) await report({ speech: await makeSpeech(folder, film) })
} catch (error) {
  await report({ fault: faultOf(error) })
}
process.disconnect?.()

/** Resolves when it has left this process. */
async function report(told: FilmReport): Promise<void> {
  await new Promise((sent) => process.send?.(told, sent))
}
