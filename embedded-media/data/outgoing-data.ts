import type { RTCDataChannel } from 'werift'

export type DataKind = 'reliable' | 'lossy'

/** The channels on which one client is told something. */
export interface OutgoingData {
  use(kind: DataKind, channel: RTCDataChannel): void
  /** Packets leave in the order in which they come. What is said reliably before the way is open waits for it. */
  deliver(kind: DataKind, packet: Uint8Array): void
}

/** Bytes that wait for a client, by the kind of packet; beyond them packets are dropped. */
const WAITING_MAX = { reliable: 8 * 1024 * 1024, lossy: 256 * 1024 }
/** Of a client that has no open way yet: forty people greet a newcomer with several packets each. */
const EARLY_MAX = 1024 * 1024
/** Packets that the channel has at once: each costs it a walk over all that it has not sent yet. */
const SENT_AT_ONCE = 16

export function openOutgoingData(): OutgoingData {
  const queues = { reliable: openQueue(WAITING_MAX.reliable), lossy: openQueue(WAITING_MAX.lossy) }
  return {
    use: (kind, channel) => queues[kind].use(channel),
    deliver(kind, packet) {
      if (kind === 'reliable' || queues.lossy.isOpen()) queues[kind].push(packet)
    },
  }
}

/** What waits for one channel, and goes to it a few packets at a time. */
function openQueue(bytesMax: number) {
  let channel: RTCDataChannel | undefined
  const waiting: Uint8Array[] = []
  let bytes = 0
  const isOpen = () => channel?.readyState === 'open'
  const isGone = () => channel?.readyState === 'closing' || channel?.readyState === 'closed'
  const send = () => {
    if (isGone()) {
      waiting.length = 0
      bytes = 0
    }
    // again where the channel took none of them: nothing would tell
    while (channel && isOpen() && channel.bufferedAmount === 0 && waiting.length > 0)
      for (const packet of waiting.splice(0, SENT_AT_ONCE)) {
        bytes -= packet.byteLength
        sendOne(channel, packet)
      }
  }
  return {
    isOpen,
    use(next: RTCDataChannel) {
      channel = next
      next.bufferedAmountLow.subscribe(send)
      next.stateChanged.subscribe(send)
      send()
    },
    push(packet: Uint8Array) {
      if (isGone() || bytes + packet.byteLength > (isOpen() ? bytesMax : EARLY_MAX)) return
      bytes += packet.byteLength
      waiting.push(packet)
      send()
    },
  }
}

/** A client may have said that it takes none so long: that one is lost to it, and to no other. */
function sendOne(channel: RTCDataChannel, packet: Uint8Array): void {
  try {
    channel.send(Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength))
  } catch {
    // werift says no more than this
  }
}
