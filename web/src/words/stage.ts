import type { en } from './en/stage.ts'
import { wordsOf } from './words-of.ts'

export const useStageWords = await wordsOf<typeof en>('together', 'stage')
