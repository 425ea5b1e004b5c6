import { expect, vi } from 'vitest'
import type { RTCRtpTransceiver } from 'werift'
import { openPeer } from '../peer.ts'
import { ADDRESS, openLocalClient, PATIENCE } from '../ports/local-client-fixture.ts'

export type OneConnection = Awaited<ReturnType<typeof connectByOne>>

/** A client that publishes a camera and receives another on one connection, as livekit-client does by default. */
export async function connectByOne() {
  const server = openPeer(ADDRESS, 'publisher')
  const client = openLocalClient()
  const camera = client.addTransceiver('video', { direction: 'sendonly' })
  client.addTransceiver('video', { direction: 'recvonly' })
  await client.setLocalDescription(await client.createOffer())
  await server.setRemoteDescription({ type: 'offer', sdp: client.localDescription?.sdp ?? '' })
  const shown = server.getTransceivers()[1] as RTCRtpTransceiver
  shown.setDirection('sendonly')
  await server.setLocalDescription(await server.createAnswer())
  await client.setRemoteDescription({ type: 'answer', sdp: server.localDescription?.sdp ?? '' })
  await vi.waitFor(() => {
    expect(client.connectionState).toBe('connected')
    expect(server.connectionState).toBe('connected')
  }, PATIENCE)
  return {
    ...{ client, camera },
    /** Of the server, to the client. */
    shown,
    close: () => Promise.all([client.close(), server.close()]),
  }
}
