import { ConnectionState, type DataPublishOptions, type Room } from 'livekit-client'

/**
 * Sends a packet to those inside. Rejects where the connection does not stand: a media client that is asked while it connects
 * anew keeps that refusal, and sends nothing more for as long as the connection lasts.
 */
export async function sendPacket(
  { state, localParticipant }: Pick<Room, 'state' | 'localParticipant'>,
  payload: Uint8Array<ArrayBuffer>,
  options: DataPublishOptions,
): Promise<void> {
  if (state !== ConnectionState.Connected) throw new Error('the connection does not stand')
  await localParticipant.publishData(payload, options)
}
