import { join } from 'node:path'
import OpusScript from 'opusscript'
import { inOrder, type OrderedPacket } from './in-order.ts'
import type { FileNote } from './notes.ts'
import { readPackets } from './packet-file.ts'
import type { Timeline } from './timeline.ts'

export const SAMPLE_RATE = 48_000
export const FRAME_MS = 20
const SAMPLES_PER_MS = SAMPLE_RATE / 1_000
const FRAME_SAMPLES = FRAME_MS * SAMPLES_PER_MS
const BITS_PER_SECOND = 64_000
/** Clocks are not that exact: what follows so closely follows without a gap. */
const GAP_SAMPLES = 30 * SAMPLES_PER_MS
/** Of one packet: no network carries more. */
const PACKET_BYTES_MAX = 1_500
const SAMPLE_BYTES = 2
const LOUDEST = 0x7fff

/** What the encoder adds before the first sample, as a player has to know it. */
const ENCODER_DELAY_SAMPLES = 312

/** Everybody's sound in one: Opus of 20 milliseconds each, from the beginning to the end without a gap. */
export async function* mixedSound(
  files: readonly FileNote[],
  { folder, timeline, endMs }: { folder: string; timeline: Timeline; endMs: number },
): AsyncGenerator<Buffer> {
  const encoder = new OpusScript(SAMPLE_RATE, 1, OpusScript.Application.AUDIO)
  encoder.setBitrate(BITS_PER_SECOND)
  const coming = files
    .map((file) => ({ file, from: Math.round(timeline.at(file, file.rtp) * SAMPLES_PER_MS) }))
    .sort((one, other) => one.from - other.from)
  let voices: Voice[] = []
  try {
    for (let start = 0; start < endMs * SAMPLES_PER_MS; start += FRAME_SAMPLES) {
      while ((coming[0]?.from ?? Number.POSITIVE_INFINITY) < start + FRAME_SAMPLES) {
        const { file } = coming.shift() as { file: FileNote }
        voices.push(openVoice(join(folder, file.file), (rtp) => timeline.at(file, rtp)))
      }
      const sum = new Int32Array(FRAME_SAMPLES)
      for (const voice of voices) await voice.addTo(sum, start)
      voices = voices.filter((voice) => !voice.isOver())
      yield encoder.encode(bytesOf(sum), FRAME_SAMPLES)
    }
  } finally {
    for (const voice of voices) await voice.close()
    encoder.delete()
  }
}

interface Voice {
  /** Adds what is heard of it from a sample on. */
  addTo(sum: Int32Array, start: number): Promise<void>
  isOver(): boolean
  /** Closes its file too, which may go on beyond the film. */
  close(): Promise<void>
}

function openVoice(path: string, timeOf: (rtp: number) => number): Voice {
  const decoder = new OpusScript(SAMPLE_RATE, 1)
  const packets = inOrder(readPackets(path))
  let isOver = false
  /** Decoded, and not heard to its end. */
  let piece: { from: number; samples: Int16Array } | undefined
  let end = Number.NEGATIVE_INFINITY

  const close = async () => {
    if (isOver) return
    isOver = true
    decoder.delete()
    await packets.return(undefined)
  }
  const next = async () => {
    for (;;) {
      const { value: packet, done } = await packets.next()
      if (done) return close()
      const samples = decoded(decoder, packet)
      if (!samples) continue
      const told = Math.round(timeOf(packet.rtp) * SAMPLES_PER_MS)
      const from = Math.abs(told - end) < GAP_SAMPLES ? end : told
      end = from + samples.length
      piece = { from, samples }
      return
    }
  }
  return {
    isOver: () => isOver && !piece,
    close,
    async addTo(sum, start) {
      while (!isOver || piece) {
        if (!piece) await next()
        if (!piece || piece.from >= start + sum.length) return
        add(sum, piece, start)
        if (piece.from + piece.samples.length > start + sum.length) return
        piece = undefined
      }
    },
  }
}

function add(sum: Int32Array, { from, samples }: { from: number; samples: Int16Array }, start: number): void {
  const first = Math.max(from, start)
  const last = Math.min(from + samples.length, start + sum.length)
  for (let at = first; at < last; at += 1)
    sum[at - start] = (sum[at - start] ?? 0) + (samples[at - from] ?? 0)
}

/** Undefined for what is no Opus. */
function decoded(decoder: OpusScript, { payload }: OrderedPacket): Int16Array | undefined {
  if (payload.length === 0 || payload.length > PACKET_BYTES_MAX) return undefined
  try {
    const bytes = decoder.decode(payload)
    return Int16Array.from({ length: bytes.length / SAMPLE_BYTES }, (_, at) =>
      bytes.readInt16LE(at * SAMPLE_BYTES),
    )
  } catch {
    return undefined
  }
}

function bytesOf(sum: Int32Array): Buffer {
  const bytes = Buffer.alloc(sum.length * SAMPLE_BYTES)
  sum.forEach((value, at) => {
    bytes.writeInt16LE(Math.max(-LOUDEST, Math.min(LOUDEST, value)), at * SAMPLE_BYTES)
  })
  return bytes
}

/** RFC 7845, 5.1: what stands before Opus in a file. */
function opusHead(): Uint8Array {
  const head = Buffer.alloc(19)
  head.write('OpusHead', 'latin1')
  head.writeUInt8(1, 8)
  head.writeUInt8(1, 9)
  head.writeUInt16LE(ENCODER_DELAY_SAMPLES, 10)
  head.writeUInt32LE(SAMPLE_RATE, 12)
  return head
}

/** What a file says of its sound. */
export const SOUND: AudioDecoderConfig = {
  codec: 'opus',
  sampleRate: SAMPLE_RATE,
  numberOfChannels: 1,
  description: opusHead(),
}
