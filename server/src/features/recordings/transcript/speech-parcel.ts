/** A stretch of what one person said, as a recorder tells of it. */
export interface ToldSpeech {
  /** In seconds since the film began, as `to` is. */
  from: number
  to: number
  identity: string
  name: string
  /** A file of Ogg with Opus. */
  path: string
}

/** A stretch with its sound. */
export interface Speech extends Omit<ToldSpeech, 'path'> {
  sound: Uint8Array
}

const SIZES_BYTES = 8
/** Half a minute at the highest rate of Opus has not more. */
const SOUND_BYTES_MAX = 8 * 1024 * 1024
const HEAD_BYTES_MAX = 8 * 1024

/**
 * All that was said, as one object of the store: for each stretch two sizes, what is known of it, and its sound. A
 * stretch that `unpack` would refuse is left out: the others are not lost with it.
 */
export async function* pack(speech: Iterable<Speech> | AsyncIterable<Speech>): AsyncGenerator<Uint8Array> {
  for await (const { sound, ...about } of speech) {
    const head = Buffer.from(JSON.stringify(about))
    if (!areTaken(head.length, sound.length)) continue
    const sizes = Buffer.alloc(SIZES_BYTES)
    sizes.writeUInt32BE(head.length, 0)
    sizes.writeUInt32BE(sound.length, 4)
    yield Buffer.concat([sizes, head, sound])
  }
}

/** @throws Error where the object is not what `pack` made */
export async function* unpack(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Speech> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk])
    for (let found = firstOf(rest); found; found = firstOf(rest)) {
      yield found.speech
      rest = rest.subarray(found.end)
    }
  }
  if (rest.length > 0) throw new Error('a parcel of speech was cut off')
}

function areTaken(headBytes: number, soundBytes: number): boolean {
  return headBytes <= HEAD_BYTES_MAX && soundBytes <= SOUND_BYTES_MAX
}

/** Undefined where it is not there as a whole yet. */
function firstOf(bytes: Buffer): { speech: Speech; end: number } | undefined {
  if (bytes.length < SIZES_BYTES) return undefined
  const [headBytes, soundBytes] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
  if (!areTaken(headBytes, soundBytes)) throw new Error('this is no parcel of speech')
  const end = SIZES_BYTES + headBytes + soundBytes
  if (bytes.length < end) return undefined
  const about = JSON.parse(bytes.toString('utf8', SIZES_BYTES, SIZES_BYTES + headBytes))
  return { speech: { ...about, sound: bytes.subarray(SIZES_BYTES + headBytes, end) }, end }
}
