/** VP8 (RFC 7741): the first partition of a frame begins here, and its first bit says that it stands by itself. */
export function startsKeyframe(payload: Buffer): boolean {
  const first = payload[0] ?? 0
  const beginsFirstPartition = (first & 0x17) === 0x10
  if (!beginsFirstPartition) return false
  let at = 1
  if (first & 0x80) {
    const extension = payload[at] ?? 0
    at += 1
    if (extension & 0x80) at += (payload[at] ?? 0) & 0x80 ? 2 : 1
    if (extension & 0x40) at += 1
    if (extension & 0x30) at += 1
  }
  return at < payload.length && ((payload[at] ?? 1) & 1) === 0
}
