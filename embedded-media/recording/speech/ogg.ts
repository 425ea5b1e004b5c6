import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, OggOutputFormat, Output } from 'mediabunny'
import { SOUND } from '../sound.ts'
import type { Stretch } from './stretches.ts'

/** A file of what was said, as it was sent: Ogg with Opus. */
export async function oggOf({ packets }: Stretch): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: new OggOutputFormat(), target })
  const sound = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(sound)
  await output.start()
  let atMs = 0
  for (const { data, ms } of packets) {
    const packet = new EncodedPacket(data, 'key', atMs / 1_000, ms / 1_000)
    await sound.add(packet, atMs === 0 ? { decoderConfig: SOUND } : undefined)
    atMs += ms
  }
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}
