import type { en } from './en/film.ts'
import { wordsOf } from './words-of.ts'

export const useFilmWords = await wordsOf<typeof en>('now-and-then', 'film')
