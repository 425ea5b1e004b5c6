import { randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startImageCheck } from './start-image-check.ts'
import type { ImageFault, ImageType, ImageVerdict } from './verdict.ts'

const warnings: string[] = []
const running = startImageCheck({ onWarning: (_error, message) => warnings.push(message) })
// on a busy machine a start takes longer than a check may
beforeAll(() => running.url(240_000))
afterAll(() => running.stop())

/** As docs/image-check.md has it. */
async function check(body: Uint8Array): Promise<ImageVerdict> {
  const answer = await fetch(`${await running.url(240_000)}/check`, {
    method: 'POST',
    body: body as Uint8Array<ArrayBuffer>,
  })
  if (answer.status === 422)
    return { accepted: false, fault: ((await answer.json()) as { reason: ImageFault }).reason }
  expect([200, 204]).toContain(answer.status)
  return {
    accepted: true,
    contentType: answer.headers.get('image-type') as ImageType,
    width: Number(answer.headers.get('image-width')),
    height: Number(answer.headers.get('image-height')),
    cleaned: answer.status === 200 ? await answer.bytes() : undefined,
  }
}

const formats = ['jpeg', 'png', 'webp'] as const
const refused = (fault: string) => ({ accepted: false, fault })
/** Of one bit a pixel: sharp would make it by way of 600 MB. */
function blackPng(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc((1 + side / 8) * side))
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, checksum])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}
const exif = { IFD0: { Copyright: 'CANARY' } }

describe('the image check', () => {
  it.each(formats)('accepts a bare %s as it is', async (format) => {
    expect(await check(await picture(format, 300, 200))).toEqual({
      accepted: true,
      contentType: `image/${format}`,
      width: 300,
      height: 200,
      cleaned: undefined,
    })
  })

  it.each(formats)('takes metadata out of a %s, and keeps its format, size and picture', async (format) => {
    const bytes = await pixels(64)
      .withExif(exif)
      .withXmp('<x:xmpmeta>CANARY</x:xmpmeta>')
      [format]()
      .toBuffer()
    expect(bytes.includes('CANARY')).toBe(true)
    const verdict = await check(bytes)
    expect(verdict).toMatchObject({ accepted: true, contentType: `image/${format}`, width: 64, height: 64 })
    const cleaned = Buffer.from((verdict.accepted && verdict.cleaned) || [])
    expect(cleaned.includes('CANARY')).toBe(false)
    const { exif: left, xmp, format: kept } = await sharp(cleaned).metadata()
    expect([left, xmp, kept]).toEqual([undefined, undefined, format])
    expect(await distance(bytes, cleaned)).toBeLessThan(8)
    expect(await check(cleaned)).toMatchObject({ accepted: true, cleaned: undefined })
  })

  it('turns what a camera held sideways, and tells the size as it is shown', async () => {
    const top = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'white' } })
      .composite([{ input: await solid(40, 10, 'red'), left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const verdict = await check(top)
    expect(verdict).toMatchObject({ accepted: true, width: 20, height: 40 })
    const cleaned = Buffer.from((verdict.accepted && verdict.cleaned) || [])
    const { data, info } = await sharp(cleaned).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([20, 40])
    // a quarter turn to the right: what was on top is on the right
    const green = (x: number) => data[(20 * info.width + x) * info.channels + 1] ?? -1
    expect(green(2)).toBeGreaterThan(200)
    expect(green(17)).toBeLessThan(60)
  })

  it.each([...formats])('drops what hangs on behind a %s', async (format) => {
    const polyglot = Buffer.concat([await picture(format, 64), Buffer.from('<script>CANARY</script>')])
    const verdict = await check(polyglot)
    expect(verdict.accepted && verdict.cleaned && Buffer.from(verdict.cleaned).includes('CANARY')).toBe(false)
    expect(verdict).toMatchObject({ accepted: true, width: 64, cleaned: expect.anything() })
  })

  it('drops comments', async () => {
    const jpeg = await picture('jpeg', 64)
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 8]), Buffer.from('CANARY')])
    const verdict = await check(Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]))
    expect(verdict.accepted && Buffer.from(verdict.cleaned ?? 'CANARY').includes('CANARY')).toBe(false)
  })

  it('accepts progressive JPEG, grey, alpha, palette, 16 bit and CMYK', async () => {
    const cmyk = await pixels(64).toColourspace('cmyk').jpeg().toBuffer()
    const images = [
      await pixels(64).jpeg({ progressive: true }).toBuffer(),
      await pixels(64).greyscale().jpeg().toBuffer(),
      await pixels(64).ensureAlpha(0.5).png().toBuffer(),
      await pixels(64).png({ palette: true }).toBuffer(),
      await pixels(64).toColourspace('rgb16').png().toBuffer(),
      await pixels(64).webp({ lossless: true }).toBuffer(),
      cmyk,
    ]
    for (const image of images) expect(await check(image)).toMatchObject({ accepted: true, width: 64 })
  })

  it('refuses what is no image of the three formats, whatever it is called', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"/>'
    const others = [
      Buffer.alloc(0),
      Buffer.from(svg),
      Buffer.from(`<!doctype html>${svg}`),
      await pixels(64).gif().toBuffer(),
      await pixels(64).tiff().toBuffer(),
      await pixels(64).avif().toBuffer(),
    ]
    for (const bytes of others) expect(await check(bytes)).toEqual(refused('not-an-image'))
  })

  it('refuses what does not decode to its end', async () => {
    for (const format of formats) {
      const bytes = await pixels(300).blur(2)[format]().toBuffer()
      expect(await check(bytes.subarray(0, bytes.length - 200))).toEqual(refused('damaged'))
      expect(await check(bytes.subarray(0, 16))).toMatchObject({ accepted: false })
    }
    expect(await check(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toEqual(refused('damaged'))
  })

  it('accepts a JPEG that decodes with warnings alone, as browsers show it', async () => {
    const jpeg = await pixels(300).blur(2).jpeg().toBuffer()
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]))
    // as some cameras write it: the end of the spectral selection is 0
    const oddScan = Buffer.from(jpeg)
    oddScan[scan + oddScan.readUInt16BE(scan + 2)] = 0
    const afterHeader = 4 + jpeg.readUInt16BE(4)
    const stray = [jpeg.subarray(0, afterHeader), Buffer.from('CAN'), jpeg.subarray(afterHeader)]
    for (const bytes of [oddScan, Buffer.concat(stray)]) {
      const verdict = await check(bytes)
      expect(verdict).toMatchObject({ accepted: true, contentType: 'image/jpeg', width: 300 })
      const shown = Buffer.from((verdict.accepted && verdict.cleaned) || bytes)
      expect(await distance(jpeg, shown)).toBeLessThan(4)
    }
    expect(await check(oddScan.subarray(0, -200))).toEqual(refused('damaged'))
  })

  it('accepts a WebP that moves, as it is, with the size of one frame', async () => {
    expect(await check(await animation())).toEqual({
      accepted: true,
      contentType: 'image/webp',
      width: 64,
      height: 64,
      cleaned: undefined,
    })
  })

  it('takes metadata and what hangs on out of a WebP that moves, and leaves every frame', async () => {
    const plain = await animation()
    const labelled = await sharp(plain, { pages: -1 }).withExif(exif).webp().toBuffer()
    expect(labelled.includes('CANARY')).toBe(true)
    const hidden = Buffer.concat([Buffer.from('HIDE'), Buffer.from([6, 0, 0, 0]), Buffer.from('CANARY')])
    for (const bytes of [labelled, withinFrame(plain, hidden), Buffer.concat([plain, hidden])]) {
      const verdict = await check(bytes)
      expect(verdict).toMatchObject({ accepted: true, contentType: 'image/webp', width: 64, height: 64 })
      const cleaned = Buffer.from((verdict.accepted && verdict.cleaned) || [])
      expect(cleaned.includes('CANARY')).toBe(false)
      expect(await sharp(cleaned, { pages: -1 }).metadata()).toMatchObject({ pages: 3, width: 64 })
      expect(await framesOf(cleaned)).toEqual(await framesOf(bytes))
      expect(await check(cleaned)).toMatchObject({ accepted: true, cleaned: undefined })
    }
  })

  it('refuses a WebP of which any frame is damaged, and one of more pixels than it looks at', async () => {
    const damaged = Buffer.from(await animation())
    const second = damaged.indexOf('ANMF', damaged.indexOf('ANMF') + 4)
    damaged.fill(0xff, second + 32, second + 60)
    expect(await check(damaged)).toEqual(refused('damaged'))
    const frame = await sharp({ create: { width: 1_024, height: 1_024, channels: 3, background: 'red' } })
      .webp()
      .toBuffer()
    expect(await check(manyFrames(frame, 1_024, 65))).toEqual(refused('too-many-pixels'))
  })

  it('makes a still picture of a PNG that moves', async () => {
    const png = await picture('png', 64)
    const control = Buffer.alloc(20)
    control.writeUInt32BE(8, 0)
    control.write('acTL', 4)
    control.writeUInt32BE(1, 8)
    control.writeUInt32BE(crc32(control.subarray(4, 16)), 16)
    const verdict = await check(Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]))
    expect(verdict).toMatchObject({ accepted: true, contentType: 'image/png', width: 64, height: 64 })
    const cleaned = Buffer.from((verdict.accepted && verdict.cleaned) || [])
    expect(cleaned.includes('acTL')).toBe(false)
    expect(await distance(png, cleaned)).toBe(0)
  })

  it('refuses a bomb without unpacking it', async () => {
    const bomb = blackPng(14_000)
    expect(await sharp(bomb).metadata()).toMatchObject({ format: 'png', width: 14_000, height: 14_000 })
    expect(bomb.length).toBeLessThan(1_500_000)
    expect(await check(bomb)).toEqual(refused('too-many-pixels'))
  })

  it('checks fifty at once', async () => {
    const image = await picture('jpeg', 512)
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => check(image)))
    expect(verdicts.every(({ accepted }) => accepted)).toBe(true)
  })

  it('is not for signals to end: they may reach every process of the office, and it serves until the office is done', async () => {
    await check(await picture('png', 64))
    const pid = running.pid() ?? 0
    expect(pid).toBeGreaterThan(0)
    warnings.length = 0
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pid, signal)
    expect(await check(await picture('png', 64))).toMatchObject({ accepted: true })
    expect([running.pid(), warnings]).toEqual([pid, []])
  })

  it('is a process that knows no secret, and is there again after it was killed', async () => {
    const { pid } = { pid: running.pid() ?? 0 }
    expect(pid).toBeGreaterThan(0)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => [undefined, pid].includes(running.pid())).toBe(false)
    expect(await check(await picture('png', 64))).toMatchObject({ accepted: true })
  })

  it('ends with the office, and is not started again', async () => {
    await check(await picture('png', 64))
    const pid = running.pid() ?? 0
    expect(pid).toBeGreaterThan(0)
    warnings.length = 0
    await running.stop()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect([running.pid(), warnings]).toEqual([undefined, []])
  })
})

/** A picture that no other test has: random blocks of colour. */
function picture(format: (typeof formats)[number], width = 256, height = width): Promise<Buffer> {
  return pixels(width, height)[format]().toBuffer()
}

function pixels(width: number, height = width) {
  const raw = Buffer.from(Array.from({ length: 8 * 8 * 3 }, () => randomInt(256)))
  return sharp(raw, { raw: { width: 8, height: 8, channels: 3 } }).resize(width, height, {
    fit: 'fill',
    kernel: 'nearest',
  })
}

function solid(width: number, height: number, background: string): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
}

/** A WebP of three frames, each another picture. */
async function animation(): Promise<Buffer> {
  const frames = await Promise.all([0, 1, 2].map(() => pixels(64).raw().toBuffer()))
  return await sharp(Buffer.concat(frames), { raw: { width: 64, height: 192, channels: 3, pageHeight: 64 } })
    .webp()
    .toBuffer()
}

function framesOf(bytes: Buffer): Promise<Buffer[]> {
  return Promise.all([0, 1, 2].map((page) => sharp(bytes, { page }).ensureAlpha().raw().toBuffer()))
}

/** The same with one more chunk at the end of the first frame. */
function withinFrame(webp: Buffer, chunk: Buffer): Buffer {
  const at = webp.indexOf('ANMF')
  const end = at + 8 + webp.readUInt32LE(at + 4)
  const changed = Buffer.concat([webp.subarray(0, end), chunk, webp.subarray(end)])
  changed.writeUInt32LE(webp.readUInt32LE(at + 4) + chunk.length, at + 4)
  changed.writeUInt32LE(changed.length - 8, 4)
  return changed
}

/** One still WebP as every frame of an animation. */
function manyFrames(still: Buffer, side: number, count: number): Buffer {
  const chunk = (name: string, payload: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(name)
    head.writeUInt32LE(payload.length, 4)
    return Buffer.concat([head, payload])
  }
  const canvas = Buffer.alloc(10)
  canvas.writeUInt8(0x02, 0)
  canvas.writeUIntLE(side - 1, 4, 3)
  canvas.writeUIntLE(side - 1, 7, 3)
  const header = Buffer.alloc(16)
  header.writeUIntLE(side - 1, 6, 3)
  header.writeUIntLE(side - 1, 9, 3)
  header.writeUIntLE(40, 12, 3)
  const frame = chunk('ANMF', Buffer.concat([header, still.subarray(12)]))
  const body = [chunk('VP8X', canvas), chunk('ANIM', Buffer.alloc(6)), ...Array(count).fill(frame)]
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...body]))
}

/** How far two pictures are apart, in mean steps of 0 to 255. */
async function distance(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes, { failOn: 'none' }).removeAlpha().raw().toBuffer()),
  )
  if (!a || !b || a.length !== b.length) return 255
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}
