import type { en } from './en/directory.ts'
import { wordsOf } from './words-of.ts'

export const useDirectoryWords = await wordsOf<typeof en>('now-and-then', 'directory')
