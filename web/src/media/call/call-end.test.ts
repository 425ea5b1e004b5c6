import { AtriumError } from '@atrium/client'
import { ConnectionError, DisconnectReason } from 'livekit-client'
import { describe, expect, it } from 'vitest'
import { endOfConnecting, endOfReason, endOfRefusal } from './call-end.ts'

const refusal = (status: number, error?: string) =>
  new AtriumError('authorizeRoom', { status, message: 'No.', error } as never)

describe('how a call ends', () => {
  it('has an end for what somebody has decided', () => {
    expect(endOfReason(DisconnectReason.DUPLICATE_IDENTITY)).toBe('elsewhere')
    expect(endOfReason(DisconnectReason.PARTICIPANT_REMOVED)).toBe('removed')
    expect(endOfReason(DisconnectReason.ROOM_DELETED)).toBe('room-gone')
  })

  it('comes back after what nobody has decided', () => {
    expect(endOfReason(undefined)).toBeUndefined()
    expect(endOfReason(DisconnectReason.SERVER_SHUTDOWN)).toBeUndefined()
    expect(endOfReason(DisconnectReason.SIGNAL_CLOSE)).toBeUndefined()
  })

  it('says what a refused token means', () => {
    expect([401, 403, 404, 410].map((status) => endOfRefusal(refusal(status)))).toEqual([
      'session-ended',
      'removed',
      'room-gone',
      'room-gone',
    ])
    expect([429, 502, 503].map((status) => endOfRefusal(refusal(status)))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(endOfRefusal(new TypeError('network'))).toBeUndefined()
  })

  it('leaves a room to the device that has taken over', () => {
    expect(endOfRefusal(refusal(409, 'already-inside'))).toBe('elsewhere')
    expect(endOfRefusal(refusal(409))).toBeUndefined()
  })

  it('knows a full room by its words, and tries again where the server is away', () => {
    expect(endOfConnecting(ConnectionError.notAllowed('This room is full: no more people', 403))).toBe('full')
    expect(endOfConnecting(ConnectionError.notAllowed('invalid token', 401))).toBe('refused')
    expect(endOfConnecting(ConnectionError.serverUnreachable('away'))).toBeUndefined()
    expect(endOfConnecting(new Error('This room is full'))).toBeUndefined()
  })
})
