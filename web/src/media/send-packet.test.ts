import { ConnectionState, type LocalParticipant } from 'livekit-client'
import { expect, it, vi } from 'vitest'
import { sendPacket } from './send-packet.ts'

const PACKET = new Uint8Array([1, 2, 3])
const OPTIONS = { reliable: true, topic: 'atrium.hand' }

it.each([
  ConnectionState.Connecting,
  ConnectionState.Reconnecting,
  ConnectionState.SignalReconnecting,
  ConnectionState.Disconnected,
])('asks the media client for nothing while it is %s, and rejects', async (state) => {
  const publishData = vi.fn()
  const localParticipant = { publishData } as unknown as LocalParticipant
  await expect(sendPacket({ state, localParticipant }, PACKET, OPTIONS)).rejects.toThrow()
  expect(publishData).not.toHaveBeenCalled()
})

it('sends over a connection that stands', async () => {
  const publishData = vi.fn()
  const localParticipant = { publishData } as unknown as LocalParticipant
  await sendPacket({ state: ConnectionState.Connected, localParticipant }, PACKET, OPTIONS)
  expect(publishData).toHaveBeenCalledExactlyOnceWith(PACKET, OPTIONS)
})
