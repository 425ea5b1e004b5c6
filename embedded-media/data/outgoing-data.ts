import type { RTCDataChannel } from 'werift'

export type DataKind = 'reliable' | 'lossy'

/** The channels on which one client is told something. */
export interface OutgoingData {
  use(kind: DataKind, channel: RTCDataChannel): void
  /** What is said reliably before the way is open waits for it. */
  deliver(kind: DataKind, packet: Uint8Array): void
}

const LOSSY_UNSENT_MAX = 256 * 1024
/** Of packets that wait for the way to open: forty people greet a newcomer with several each. */
const EARLY_BYTES_MAX = 1024 * 1024
const RELIABLE_UNSENT_MAX = 8 * 1024 * 1024

export function openOutgoingData(): OutgoingData {
  const channels = new Map<DataKind, RTCDataChannel>()
  const early: Uint8Array[] = []
  let earlyBytes = 0
  const sendEarly = (channel: RTCDataChannel) => {
    earlyBytes = 0
    for (const packet of early.splice(0)) channel.send(Buffer.from(packet))
  }
  return {
    use(kind, channel) {
      channels.set(kind, channel)
      if (kind === 'lossy') return
      if (channel.readyState === 'open') sendEarly(channel)
      channel.stateChanged.subscribe((state) => {
        if (state === 'open') sendEarly(channel)
      })
    },
    deliver(kind, packet) {
      const channel = channels.get(kind)
      if (kind === 'reliable' && (channel?.readyState ?? 'connecting') === 'connecting') {
        if (earlyBytes + packet.byteLength > EARLY_BYTES_MAX) return
        earlyBytes += packet.byteLength
        early.push(packet)
        return
      }
      if (channel?.readyState !== 'open') return
      const unsentMax = kind === 'lossy' ? LOSSY_UNSENT_MAX : RELIABLE_UNSENT_MAX
      if (channel.bufferedAmount < unsentMax) channel.send(Buffer.from(packet))
    },
  }
}
