/** Centrifugo closes a connection at 64 KiB in one frame where its configuration is not ours; a name may take two bytes a character. */
const FRAME_CHARACTERS_MAX = 24 * 1024

/**
 * The client of the broker sends all its subscriptions in one frame when it connects, again and again after each outage: of
 * a large office more than such a broker takes. This WebSocket sends them in several; a command is a line.
 */
export function inSmallFrames(Base: typeof WebSocket): typeof WebSocket {
  return class extends Base {
    override send(data: Parameters<WebSocket['send']>[0]): void {
      const frames = typeof data === 'string' ? framesOf(data) : [data]
      for (const frame of frames) super.send(frame)
    }
  }
}

/** Lines stay whole: one that is too long is a frame of its own. */
export function framesOf(text: string): string[] {
  if (text.length <= FRAME_CHARACTERS_MAX) return [text]
  const frames: string[] = []
  let frame = ''
  for (const line of text.split('\n')) {
    const longer = frame === '' ? line : `${frame}\n${line}`
    if (frame !== '' && longer.length > FRAME_CHARACTERS_MAX) frames.push(frame)
    frame = frame !== '' && longer.length > FRAME_CHARACTERS_MAX ? line : longer
  }
  return [...frames, frame]
}
