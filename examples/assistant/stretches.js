/** Cuts the sound of one microphone where its speaker paused: files of Ogg with Opus. */
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, OggOutputFormat, Output } from 'mediabunny'
import OpusScript from 'opusscript'

export const SAMPLE_RATE = 48_000
export const FRAME_MS = 20
const FRAME_SAMPLES = (SAMPLE_RATE * FRAME_MS) / 1_000
/** Of 32,767. What never gets louder is silence. */
const LOUD = 500
/** A longer pause ends a stretch. */
const PAUSE_MS = 1_000
const STRETCH_MS_MAX = 30_000
/** A word begins before it is loud. */
const FRAMES_BEFORE = 10

/**
 * @param {AsyncIterable<{ data: Int16Array }>} frames of one channel, `FRAME_MS` each
 * @param {() => number} now in milliseconds
 * @returns {AsyncGenerator<{ at: number, seconds: number, sound: Uint8Array }>} `at`: when it began
 */
export async function* stretchesOf(frames, now) {
  const encoder = new OpusScript(SAMPLE_RATE, 1, OpusScript.Application.VOIP)
  try {
    let before = []
    let stretch
    for await (const { data } of frames) {
      if (data.length !== FRAME_SAMPLES) continue
      const at = now()
      // a microphone that is muted sends nothing
      if (stretch && at - stretch.heardAt > PAUSE_MS) {
        yield await fileOf(stretch)
        stretch = undefined
      }
      const packet = encoder.encode(Buffer.from(data.buffer, data.byteOffset, data.byteLength), FRAME_SAMPLES)
      const isLoud = data.some((sample) => Math.abs(sample) > LOUD)
      if (!stretch && !isLoud) {
        before = [...before, packet].slice(-FRAMES_BEFORE)
        continue
      }
      stretch ??= { at: at - before.length * FRAME_MS, heardAt: at, packets: before.splice(0) }
      stretch.packets.push(packet)
      if (isLoud) stretch.heardAt = at
      if (stretch.packets.length * FRAME_MS < STRETCH_MS_MAX) continue
      yield await fileOf(stretch)
      stretch = undefined
    }
    if (stretch) yield await fileOf(stretch)
  } finally {
    encoder.delete()
  }
}

async function fileOf({ at, packets }) {
  const target = new BufferTarget()
  const output = new Output({ format: new OggOutputFormat(), target })
  const sound = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(sound)
  await output.start()
  for (const [index, data] of packets.entries()) {
    const packet = new EncodedPacket(data, 'key', (index * FRAME_MS) / 1_000, FRAME_MS / 1_000)
    await sound.add(packet, index === 0 ? { decoderConfig: SOUND } : undefined)
  }
  await output.finalize()
  return { at, seconds: (packets.length * FRAME_MS) / 1_000, sound: new Uint8Array(target.buffer) }
}

const SOUND = { codec: 'opus', sampleRate: SAMPLE_RATE, numberOfChannels: 1, description: opusHead() }

/** RFC 7845, 5.1: what stands before Opus in a file. */
function opusHead() {
  const head = Buffer.alloc(19)
  head.write('OpusHead', 'latin1')
  head.writeUInt8(1, 8)
  head.writeUInt8(1, 9)
  // what the encoder adds before the first sample
  head.writeUInt16LE(312, 10)
  head.writeUInt32LE(SAMPLE_RATE, 12)
  return head
}
