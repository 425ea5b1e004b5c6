import { setPriority } from 'node:os'
import { makeFilm } from '../recording/film.ts'
import { faultOf } from './faults.ts'

/** Makes one film, behind everything else that this machine does, and ends. Started by make-film.ts. */
const [, , folder = '', path = '', speech] = process.argv
const LOWEST = 19
setPriority(LOWEST)
try {
  process.send?.({ film: await makeFilm(folder, path, { withSpeech: speech !== undefined }) })
} catch (error) {
  process.send?.({ fault: faultOf(error) })
}
process.disconnect?.()
