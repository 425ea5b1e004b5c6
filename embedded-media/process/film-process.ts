import { setPriority } from 'node:os'
import { type Film, makeFilm, makeSpeech } from '../recording/film.ts'
import { makeGrid } from '../recording/grid/make-grid.ts'
import { faultOf } from './faults.ts'
import type { FilmOrder, FilmReport } from './make-film.ts'

/** Makes one film, behind everything else that this machine does, and ends. Started by make-film.ts. */
const order = JSON.parse(process.argv[2] ?? '{}') as FilmOrder
const { folder, stagePath } = order
const LOWEST = 19
setPriority(LOWEST)
// what it has started ends with it, and it with the process that started it: the next life makes the film
const ending = new AbortController()
process.on('exit', () => ending.abort())
process.on('SIGTERM', () => process.exit())
process.on('disconnect', () => process.exit())
try {
  const film = await makeFilm(folder, stagePath)
  await report({ film })
  if (film) await addGrid(film)
  // a film without its words is better than none: it is told of before
  if (film && order.withSpeech) await report({ speech: await makeSpeech(folder, film) })
} catch (error) {
  await report({ fault: faultOf(error) })
}
process.disconnect?.()

/** Pictures of one at a time are better than none. */
async function addGrid(film: Film): Promise<void> {
  const { ffmpeg, gridPath: path } = order
  if (!ffmpeg) return
  try {
    const { signal } = ending
    await report({ hasGrid: await makeGrid(film, { ffmpeg, folder, sound: stagePath, path, signal }) })
  } catch (error) {
    await report({ gridFault: faultOf(error) })
  }
}

/** Resolves when it has left this process. */
async function report(told: FilmReport): Promise<void> {
  await new Promise((sent) => process.send?.(told, sent))
}
