import { describe, expectTypeOf, it } from 'vitest'
import type { RealtimeEvents } from '../realtime.ts'

type Received = RealtimeEvents['event']

describe('an event that is received', () => {
  it('is told apart by its type, with its data', () => {
    type Waiting = Extract<Received, { type: 'guest.waiting' }>
    expectTypeOf<Waiting['data']>().toEqualTypeOf<{
      roomId: string
      guestIdentity: string
      guestName: string
      since: string
    }>()
    type Status = Extract<Received, { type: 'status.changed' }>['data']['status']
    expectTypeOf<Status>().toEqualTypeOf<'offline' | 'online' | 'away' | 'busy'>()
  })

  it('never comes by a status channel, which has a listener of its own', () => {
    expectTypeOf<'status'>().not.toExtend<Received['scope']>()
  })
})
