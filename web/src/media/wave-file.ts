const HEADER_BYTES = 44
const BYTES_PER_SAMPLE = 2

/** Sound as a file that every browser plays: one channel of 16 bits. @param samples from -1 to 1 */
export function waveFile(samples: Float32Array, samplesPerSecond: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + samples.length * BYTES_PER_SAMPLE)
  const view = new DataView(bytes.buffer)
  const word = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at)
  word(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  word(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, samplesPerSecond, true)
  view.setUint32(28, samplesPerSecond * BYTES_PER_SAMPLE, true)
  view.setUint16(32, BYTES_PER_SAMPLE, true)
  view.setUint16(34, 8 * BYTES_PER_SAMPLE, true)
  word(36, 'data')
  view.setUint32(40, samples.length * BYTES_PER_SAMPLE, true)
  for (const [at, sample] of samples.entries())
    view.setInt16(HEADER_BYTES + at * BYTES_PER_SAMPLE, Math.max(-1, Math.min(1, sample)) * 0x7fff, true)
  return bytes
}

/** Three notes, one after the other. */
export function chime(samplesPerSecond: number): Float32Array {
  const NOTES = [392, 494, 587]
  const SECONDS = 0.28
  const LOUDNESS = 0.4
  const each = Math.floor(samplesPerSecond * SECONDS)
  return Float32Array.from({ length: each * NOTES.length }, (_, at) => {
    const within = at % each
    const hertz = NOTES[Math.floor(at / each)] ?? 0
    const fades = Math.min(1, within / 400) * (1 - within / each)
    return LOUDNESS * fades * Math.sin((2 * Math.PI * hertz * within) / samplesPerSecond)
  })
}
