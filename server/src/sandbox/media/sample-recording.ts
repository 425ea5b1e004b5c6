/** Macroblocks of 16 by 16 pixels. */
const COLUMNS = 10
const ROWS = 6
const TIMESCALE = 1_000

/**
 * A small film that every player shows: one picture for as long as the recording took, as H.264 in MP4. The picture
 * is not compressed, which is what makes it short to write.
 */
export function sampleRecording(seconds: number): Uint8Array {
  const duration = Math.max(1, Math.round(seconds * TIMESCALE))
  const picture = pictureSlice()
  const sample = Buffer.concat([uint32(picture.length), picture])
  const start = box('ftyp', Buffer.from('isom'), uint32(512), Buffer.from('isomiso2avc1mp41'))
  return Buffer.concat([start, box('mdat', sample), movie(duration, sample.length, start.length + 8)])
}

function movie(duration: number, sampleBytes: number, offset: number): Buffer {
  const samples = box(
    'stbl',
    full('stsd', uint32(1), pictureFormat()),
    full('stts', uint32(1), uint32(1), uint32(duration)),
    full('stsc', uint32(1), uint32(1), uint32(1), uint32(1)),
    full('stsz', uint32(0), uint32(1), uint32(sampleBytes)),
    full('stco', uint32(1), uint32(offset)),
  )
  // flag 1: the data lies in this very file
  const data = box('dinf', full('dref', uint32(1), box('url ', uint32(1))))
  const information = box('minf', box('vmhd', uint32(1), Buffer.alloc(8)), data, samples)
  const handler = full('hdlr', uint32(0), Buffer.from('vide'), Buffer.alloc(12), Buffer.from('Atrium\0'))
  const times = [uint32(0), uint32(0)]
  const media = box(
    'mdia',
    full('mdhd', ...times, uint32(TIMESCALE), uint32(duration), uint16(0x55c4), uint16(0)),
    handler,
    information,
  )
  const header = box(
    'tkhd',
    uint32(3),
    ...times,
    uint32(1),
    uint32(0),
    uint32(duration),
    Buffer.alloc(16),
    UNTURNED,
    uint32((COLUMNS * 16) << 16),
    uint32((ROWS * 16) << 16),
  )
  const whole = full(
    'mvhd',
    ...times,
    uint32(TIMESCALE),
    uint32(duration),
    uint32(0x10000),
    uint16(0x100),
    Buffer.alloc(10),
    UNTURNED,
    Buffer.alloc(24),
    uint32(2),
  )
  return box('moov', whole, box('trak', header, media))
}

/** The identity matrix of the format. */
const UNTURNED = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(uint32))

function pictureFormat(): Buffer {
  const [sequence, picture] = [sequenceParameters(), pictureParameters()]
  const configuration = box(
    'avcC',
    Buffer.from([1, 66, 0xc0, 10, 0xff, 0xe1]),
    uint16(sequence.length),
    sequence,
    Buffer.from([1]),
    uint16(picture.length),
    picture,
  )
  return box(
    'avc1',
    Buffer.alloc(6),
    uint16(1),
    Buffer.alloc(16),
    uint16(COLUMNS * 16),
    uint16(ROWS * 16),
    uint32(0x480000),
    uint32(0x480000),
    uint32(0),
    uint16(1),
    Buffer.alloc(32),
    uint16(24),
    uint16(0xffff),
    configuration,
  )
}

function sequenceParameters(): Buffer {
  const fields = [
    golomb(0),
    golomb(0),
    golomb(2),
    golomb(0),
    '0',
    golomb(COLUMNS - 1),
    golomb(ROWS - 1),
    '1000',
  ]
  return Buffer.concat([Buffer.from([0x67, 66, 0xc0, 10]), bits(`${fields.join('')}1`)])
}

function pictureParameters(): Buffer {
  const fields = [golomb(0), golomb(0), '00', golomb(0), golomb(0), golomb(0), '000']
  return Buffer.concat([Buffer.from([0x68]), bits(`${fields.join('')}${golomb(0).repeat(3)}0001`)])
}

/** One slice of plain macroblocks (type 25): a chequered picture. No byte of it is so low that it needs escaping. */
function pictureSlice(): Buffer {
  const header = [golomb(0), golomb(7), golomb(0), '0000', golomb(0), '00', golomb(0), golomb(25)]
  const blocks = Array.from({ length: COLUMNS * ROWS }, (_, at) => {
    const isLight = (at + Math.floor(at / COLUMNS)) % 2 === 0
    const pixels = Buffer.concat([
      Buffer.alloc(256, isLight ? 150 : 70),
      Buffer.alloc(64, 150),
      Buffer.alloc(64, 110),
    ])
    return at === 0 ? [bits(header.join('')), pixels] : [bits(golomb(25)), pixels]
  })
  return Buffer.concat([Buffer.from([0x65]), ...blocks.flat(), Buffer.from([0x80])])
}

/** The variable-length code of H.264 for small numbers. */
function golomb(value: number): string {
  const digits = (value + 1).toString(2)
  return digits.padStart(digits.length * 2 - 1, '0')
}

/** Bits as bytes, filled up with zeros. */
function bits(text: string): Buffer {
  const bytes = text.match(/.{1,8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type, 'latin1'), content])
}

/** A box with version and flags, both 0. */
function full(type: string, ...parts: Buffer[]): Buffer {
  return box(type, uint32(0), ...parts)
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
