/** Lengths of a frame in milliseconds, by the configuration that the first five bits name (RFC 6716, 3.1). */
const SILK_MS = [10, 20, 40, 60]
const HYBRID_MS = [10, 20]
const CELT_MS = [2.5, 5, 10, 20]
/** No packet is longer (RFC 6716, 3.2.5). */
const PACKET_MS_MAX = 120

/** How long a packet of Opus sounds, in milliseconds; undefined where it is none. */
export function durationOf(packet: Uint8Array): number | undefined {
  const [head, second] = packet
  if (head === undefined) return undefined
  const frames = framesOf(head & 0b11, second)
  const ms = frames === undefined ? 0 : frames * frameMs(head >> 3)
  return ms > 0 && ms <= PACKET_MS_MAX ? ms : undefined
}

function framesOf(code: number, second: number | undefined): number | undefined {
  if (code === 0) return 1
  if (code < 3) return 2
  return second === undefined ? undefined : second & 0b111111
}

function frameMs(configuration: number): number {
  if (configuration < 12) return SILK_MS[configuration % 4] ?? 0
  if (configuration < 16) return HYBRID_MS[configuration % 2] ?? 0
  return CELT_MS[configuration % 4] ?? 0
}
