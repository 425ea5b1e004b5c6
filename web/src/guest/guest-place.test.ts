import { AtriumError } from '@atrium/client'
import type { VisitState } from '@atrium/client/guests'
import { describe, expect, it } from 'vitest'
import { type CallState, OUTSIDE } from '../media/call-state.ts'
import { guestPlace } from './guest-place.ts'

const waiting: VisitState = { state: 'waiting', told: true, rtcToken: 'x', programs: [] }
const admitted: VisitState = { state: 'admitted', rtcToken: 'x', programs: [] }
const denied = (error: string): VisitState => ({
  state: 'denied',
  error: new AtriumError('authorizeGuest', { status: 403, message: 'No.', error } as never),
})
const call = (some: Partial<CallState>): CallState => ({ ...OUTSIDE, ...some })

describe('where a guest is', () => {
  it('is at the door as long as the media server gives no rights, whatever it says of the connection', () => {
    expect(guestPlace(waiting, call({ phase: 'inside', mayPublish: false }))).toBe('waiting')
    expect(guestPlace(waiting, call({ phase: 'connecting' }))).toBe('waiting')
    expect(guestPlace({ state: 'outside' }, OUTSIDE)).toBe('outside')
  })

  it('is inside as soon as the rights are there, before the office was asked', () => {
    expect(guestPlace(waiting, call({ phase: 'inside', mayPublish: true }))).toBe('inside')
    expect(guestPlace(admitted, call({ phase: 'reconnecting', mayPublish: true }))).toBe('inside')
    expect(guestPlace(admitted, call({ phase: 'connecting' }))).toBe('asking')
  })

  it('says whether somebody was turned away, or put out', () => {
    expect(guestPlace(denied('guest-denied'), OUTSIDE)).toBe('denied')
    expect(guestPlace(denied('guest-removed'), call({ phase: 'ended', end: 'removed' }))).toBe('removed')
    expect(guestPlace(admitted, call({ phase: 'ended', end: 'removed' }))).toBe('removed')
    expect(guestPlace(waiting, call({ phase: 'ended', end: 'removed' }))).toBe('denied')
  })

  it('believes whoever has left', () => {
    expect(guestPlace(denied('guest-denied'), call({ phase: 'ended', end: 'left' }))).toBe('left')
    expect(guestPlace(admitted, call({ phase: 'ended', end: 'left' }))).toBe('left')
    expect(guestPlace(waiting, call({ phase: 'ended', end: 'left' }))).toBe('not-waiting')
  })

  it('passes on what else has ended it', () => {
    expect(guestPlace(waiting, call({ phase: 'ended', end: 'full' }))).toEqual({ end: 'full' })
  })
})
