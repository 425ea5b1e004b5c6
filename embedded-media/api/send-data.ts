import type { LiveRooms } from '../rooms/live-rooms.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { fieldOf, MediaFault, textOf, textsOf } from './api-messages.ts'

/** As long as packets of clients may be. */
const DATA_BYTES_MAX = 64 * 1024

interface SendDataNeeds {
  rooms: Rooms
  /** Real connections, where there are any. */
  live?: Pick<LiveRooms, 'sendData'> | undefined
}

/** `SendData`: a packet from no participant, for all in the room or for those who are named. */
export function sendData(
  { rooms, live }: SendDataNeeds,
  body: Record<string, unknown>,
): Record<string, never> {
  const room = rooms.require(textOf(body, 'room'))
  const payload = textOf(body, 'data')
  if (Buffer.byteLength(payload, 'base64') > DATA_BYTES_MAX)
    throw new MediaFault('invalid_argument', 'data exceeds the limits')
  live?.sendData(room, {
    payload,
    nonce: textOf(body, 'nonce'),
    topic: textOf(body, 'topic'),
    kind: fieldOf(body, 'kind') === 'LOSSY' ? 'lossy' : 'reliable',
    identities: textsOf(body, 'destinationIdentities'),
    sids: textsOf(body, 'destinationSids'),
  })
  return {}
}
