import type { en } from './en/picture.ts'
import { wordsOf } from './words-of.ts'

export const usePictureWords = await wordsOf<typeof en>('now-and-then', 'picture')
