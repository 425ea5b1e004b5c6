import type { en } from './en/audit.ts'
import { wordsOf } from './words-of.ts'

export const useAuditWords = await wordsOf<typeof en>('now-and-then', 'audit')
