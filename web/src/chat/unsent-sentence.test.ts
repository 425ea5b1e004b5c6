import { AtriumError, AtriumUnreachable } from '@atrium/client'
import { expect, it } from 'vitest'
import { en } from '../words/en/chat.ts'
import { unsentSentence } from './unsent-sentence.ts'

const refused = (status: number) => new AtriumError('messages', { status, code: status, message: 'Slowly' })

it('what waits says why, and what is refused says what to do', () => {
  expect(unsentSentence({ state: 'sent' }, en)).toBe('')
  expect(unsentSentence({ state: 'waiting' }, en)).toBe(en.waitingSession)
  expect(unsentSentence({ state: 'waiting', error: refused(429) }, en)).toBe(en.waitingLimit)
  expect(unsentSentence({ state: 'waiting', error: refused(503) }, en)).toBe(en.waiting)
  expect(unsentSentence({ state: 'waiting', error: new AtriumUnreachable('messages', 'no') }, en)).toBe(
    en.waiting,
  )
  const gone = { status: 403, error: 'PT403', message: 'This room has been deleted' }
  expect(unsentSentence({ state: 'refused', error: gone }, en)).toContain('no longer there')
  const other = { status: 400, error: 'PGRST102', message: 'Too deep' }
  expect(unsentSentence({ state: 'refused', error: other }, en)).toContain('(Too deep)')
})
