import type { RTCDataChannel } from 'werift'

export type DataKind = 'reliable' | 'lossy'

/** The channels on which one client is told something. */
export interface OutgoingData {
  use(kind: DataKind, channel: RTCDataChannel): void
  /** What is said reliably before the way is open waits for it. */
  deliver(kind: DataKind, packet: Uint8Array): void
}

const LOSSY_UNSENT_MAX = 256 * 1024
/** Packets that wait for the way to open. */
const EARLY_MAX = 32
const RELIABLE_UNSENT_MAX = 8 * 1024 * 1024

export function openOutgoingData(): OutgoingData {
  const channels = new Map<DataKind, RTCDataChannel>()
  const early: Uint8Array[] = []
  const sendEarly = (channel: RTCDataChannel) => {
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
        if (early.length < EARLY_MAX) early.push(packet)
        return
      }
      if (channel?.readyState !== 'open') return
      const unsentMax = kind === 'lossy' ? LOSSY_UNSENT_MAX : RELIABLE_UNSENT_MAX
      if (channel.bufferedAmount < unsentMax) channel.send(Buffer.from(packet))
    },
  }
}
