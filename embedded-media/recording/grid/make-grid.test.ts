import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'
import OpusScript from 'opusscript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFilmApart } from '../../process/make-film.ts'
import { NOTES_FILE, type Note } from '../notes.ts'
import { encodePacket } from '../packet-file.ts'
import { type Ffmpeg, findFfmpeg } from './ffmpeg.ts'

const run = promisify(execFile)
const ffmpeg = await findFfmpeg(process.env.PATH ?? '')
/** A test that makes pictures needs an encoder of VP8, which a machine without ffmpeg does not have. */
const withFfmpeg = describe.skipIf(ffmpeg === undefined)
const { path: program } = ffmpeg ?? { path: '' }
const APART_MS_MAX = 80
const FLASH_MS = 5_000
const END_MS = 6_000
const SAMPLES_PER_MS = 48
const FRAME_MS = 20

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grid-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Encodes what a filter of ffmpeg shows. @returns pictures of VP8 */
async function pictures(filter: string): Promise<Buffer[]> {
  const args = ['-v', 'error', '-f', 'lavfi', '-i', filter, '-c:v', 'libvpx', '-deadline', 'realtime']
  const encoding = [...args, '-b:v', '300k', '-g', '1000', '-f', 'ivf', 'pipe:1']
  const { stdout } = await run(program, encoding, { encoding: 'buffer', maxBuffer: 2 ** 26 })
  const found: Buffer[] = []
  for (let at = 32; at + 12 <= stdout.length; at += 12 + stdout.readUInt32LE(at))
    found.push(stdout.subarray(at + 12, at + 12 + stdout.readUInt32LE(at)))
  return found
}

interface Shown {
  file: string
  kind: 'picture' | 'aside'
  track: string
  isScreen?: boolean
  atMs: number
  everyMs: number
  pictures: readonly Buffer[]
}

/** As a recorder writes it, in pieces as small as packets. */
async function writePictures({ file, kind, track, isScreen = false, ...shown }: Shown): Promise<Note> {
  const PIECE = 1_000
  let number = 0
  const packets = shown.pictures.flatMap((picture, index) => {
    const at = shown.atMs + index * shown.everyMs
    return Array.from({ length: Math.ceil(picture.length / PIECE) }, (_, piece) => {
      const part = picture.subarray(piece * PIECE, (piece + 1) * PIECE)
      const marker = (piece + 1) * PIECE >= picture.length
      const payload = Buffer.concat([Buffer.from([piece === 0 ? 0x10 : 0]), part])
      number += 1
      return encodePacket({ at, number, rtp: at * 90, marker, payload })
    })
  })
  await writeFile(join(folder, file), Buffer.concat(packets))
  const [at, rtp] = [shown.atMs, shown.atMs * 90]
  return { note: 'file', at, file, kind, person: track, source: 1, rtp, track: { sid: track, isScreen } }
}

/** Silence, but for a beep with the flash. */
async function writeSound(): Promise<Note> {
  const encoder = new OpusScript(48_000, 1, OpusScript.Application.AUDIO)
  const count = FRAME_MS * SAMPLES_PER_MS
  const packets = Array.from({ length: END_MS / FRAME_MS }, (_, number) => {
    const at = number * FRAME_MS
    const samples = Buffer.alloc(count * 2)
    if (at >= FLASH_MS)
      for (let one = 0; one < count; one += 1)
        samples.writeInt16LE(Math.round(12_000 * Math.sin(one * 0.13)), one * 2)
    const payload = encoder.encode(samples, count)
    return encodePacket({ at, number, rtp: at * SAMPLES_PER_MS, marker: false, payload })
  })
  encoder.delete()
  await writeFile(join(folder, '1.sound'), Buffer.concat(packets))
  return { note: 'file', at: 0, file: '1.sound', kind: 'sound', person: 'a', source: 2, rtp: 0 }
}

const writeNotes = (notes: readonly Note[]) =>
  writeFile(join(folder, NOTES_FILE), notes.map((note) => `${JSON.stringify(note)}\n`).join(''))

/** Ada's camera all the time, Grace's from 1 to 4 s, and a screen at rest from 2 to 3.5 s. Ada changes her size. */
async function record(): Promise<void> {
  const flash = "drawbox=t=fill:c=white:enable='gte(t,3)'"
  const notes = [
    await writeSound(),
    await writePictures({
      ...{ file: '2.picture', kind: 'picture', track: 'ada', atMs: 0, everyMs: 50 },
      pictures: await pictures('color=red:s=320x180:r=20:d=2'),
    }),
    await writePictures({
      ...{ file: '3.aside', kind: 'aside', track: 'grace', atMs: 1_000, everyMs: 50 },
      pictures: await pictures('color=blue:s=640x360:r=20:d=3'),
    }),
    await writePictures({
      ...{ file: '4.picture', kind: 'picture', track: 'screen', isScreen: true, atMs: 2_000, everyMs: 50 },
      pictures: await pictures('color=lime:s=800x450:r=20:d=0.05'),
    }),
    await writePictures({
      ...{ file: '5.aside', kind: 'aside', track: 'ada', atMs: 2_000, everyMs: 50 },
      pictures: await pictures(`color=red:s=640x360:r=20:d=4,${flash}`),
    }),
    { note: 'dark', at: 3_500, track: 'screen' } as const,
    { note: 'dark', at: 4_000, track: 'grace' } as const,
    { note: 'end', at: END_MS } as const,
  ]
  await writeNotes(notes)
}

const make = (given: Ffmpeg | undefined, faults: unknown[] = []) =>
  makeFilmApart(folder, {
    ...{ withSpeech: false, ffmpeg: given, signal: new AbortController().signal },
    onFault: (error) => void faults.push(error),
  })

/** Names of colours at places of a picture of a film. */
async function coloursAt(path: string, seconds: number, places: [x: number, y: number][]): Promise<string[]> {
  const args = ['-v', 'error', '-ss', String(seconds), '-i', path, '-frames:v', '1']
  const raw = [...args, '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1']
  const { stdout } = await run(program, raw, { encoding: 'buffer', maxBuffer: 2 ** 26 })
  return places.map(([x, y]) => {
    const [red = 0, green = 0, blue = 0] = stdout.subarray((y * 1_280 + x) * 3)
    const high = [red > 128 && 'red', green > 128 && 'green', blue > 128 && 'blue'].filter(Boolean)
    return high.length === 0 ? 'black' : high.length === 3 ? 'white' : high.join('+')
  })
}

/** When the middle of the picture turned white, and when something was heard. */
async function flashAndBeep(path: string): Promise<{ flashMs: number; beepMs: number }> {
  const options = { encoding: 'buffer', maxBuffer: 2 ** 26 } as const
  const middle = ['-vf', 'crop=2:2:640:360', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
  const grey = await run(program, ['-v', 'error', '-i', path, ...middle], options)
  const sound = await run(program, ['-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', 'pipe:1'], options)
  const flash = Array.from({ length: grey.stdout.length / 4 }, (_, at) => grey.stdout[at * 4] ?? 0)
  const beep = Array.from({ length: sound.stdout.length / 2 }, (_, at) => sound.stdout.readInt16LE(at * 2))
  return {
    flashMs: flash.findIndex((one) => one > 200) * 40,
    beepMs: beep.findIndex((one) => Math.abs(one) > 3_000) / SAMPLES_PER_MS,
  }
}

withFfmpeg('a film with ffmpeg', () => {
  it('shows everybody who has a camera on, and a shared screen with the cameras beside it', async () => {
    await record()
    const faults: unknown[] = []
    const film = await make(ffmpeg, faults)
    expect(faults).toEqual([])
    expect(film).toMatchObject({ ending: 'mp4', durationSeconds: END_MS / 1_000, hasPictures: true })
    const path = film?.path ?? ''
    const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
    expect(await input.getMimeType()).toContain('video/mp4')
    const [picture, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
    expect([picture?.codec, picture?.codedWidth, sound?.codec]).toEqual(['avc', 1_280, 'aac'])
    expect(Math.abs((await input.computeDuration()) - END_MS / 1_000)).toBeLessThan(0.1)
    // alone; two side by side; a screen and two beside it, without a picture for a second; two; alone
    expect(await coloursAt(path, 0.5, [[640, 360]])).toEqual(['red'])
    const halves: [number, number][] = [
      [320, 360],
      [960, 360],
      [640, 40],
    ]
    expect(await coloursAt(path, 1.5, halves)).toEqual(['red', 'blue', 'black'])
    const beside: [number, number][] = [
      [512, 360],
      [1_152, 288],
      [1_152, 432],
    ]
    expect(await coloursAt(path, 3.2, beside)).toEqual(['green', 'red', 'blue'])
    expect(await coloursAt(path, 3.8, halves)).toEqual(['red', 'blue', 'black'])
    expect(await coloursAt(path, 4.5, [[640, 360]])).toEqual(['red'])
    const { flashMs, beepMs } = await flashAndBeep(path)
    expect(Math.abs(flashMs - FLASH_MS)).toBeLessThanOrEqual(APART_MS_MAX)
    expect(Math.abs(flashMs - beepMs)).toBeLessThanOrEqual(APART_MS_MAX)
  })

  it('is of one picture at a time where an earlier life kept no more', async () => {
    await record()
    const file = await writePictures({
      ...{ file: '2.picture', kind: 'picture', track: 'ada', atMs: 0, everyMs: 50 },
      pictures: await pictures('color=red:s=320x180:r=20:d=1'),
    })
    const { track: _, ...before } = file as Extract<Note, { note: 'file' }>
    await writeNotes([before, { note: 'end', at: 1_000 }])
    expect(await make(ffmpeg)).toMatchObject({ ending: 'webm', durationSeconds: 1 })
  })

  it('passes over pictures that say they are as large as a house, and shows the others', async () => {
    const huge = Buffer.concat(await pictures('color=red:s=64x64:r=1:d=1'))
    huge.writeUInt16LE(16_383, 6)
    huge.writeUInt16LE(16_383, 8)
    await writeNotes([
      await writePictures({
        ...{ file: '2.aside', kind: 'aside', track: 'huge', atMs: 0, everyMs: 50, pictures: [huge] },
      }),
      await writePictures({
        ...{ file: '3.picture', kind: 'picture', track: 'grace', atMs: 0, everyMs: 50 },
        pictures: await pictures('color=blue:s=640x360:r=20:d=1'),
      }),
      { note: 'end', at: 1_000 },
    ])
    const film = await make(ffmpeg)
    expect(film).toMatchObject({ ending: 'mp4' })
    expect(await coloursAt(film?.path ?? '', 0.5, [[640, 360]])).toEqual(['blue'])
  })

  it('is of one picture at a time where ffmpeg fails in the middle, and says why', async () => {
    await record()
    const path = join(folder, 'broken')
    // joins, and breaks off with the second scene
    const script = `case "$*" in *pipe:1*) echo "no codec today" >&2; exit 3;; esac; exec ${program} "$@"`
    await writeFile(path, `#!/bin/sh\n${script}\n`)
    await chmod(path, 0o755)
    const faults: Error[] = []
    const film = await make({ path, encoder: 'libx264' }, faults)
    expect(film).toMatchObject({ ending: 'webm', durationSeconds: END_MS / 1_000 })
    expect(faults.map(({ message }) => message)).toEqual(['ffmpeg ended with 3: no codec today'])
  })
})

it('is of one picture at a time where the program that was found has gone', async () => {
  const key = Buffer.from('1000009d012a4001f00000000000', 'hex')
  await writeNotes([
    await writePictures({
      ...{ file: '2.picture', kind: 'picture', track: 'ada', atMs: 0, everyMs: 50, pictures: [key] },
    }),
    { note: 'end', at: 100 },
  ])
  const faults: Error[] = []
  const film = await make({ path: join(folder, 'gone'), encoder: 'libx264' }, faults)
  expect(film).toMatchObject({ ending: 'webm' })
  expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/ENOENT/)])
})

it('finds no ffmpeg where there is none, where it is no program, and where it lacks what is needed', async () => {
  const places = await mkdtemp(join(tmpdir(), 'places-'))
  try {
    expect(await findFfmpeg(places)).toBeUndefined()
    expect(await findFfmpeg('')).toBeUndefined()
    const path = join(places, 'ffmpeg')
    await writeFile(path, '#!/bin/sh\necho " V....D libx264  A..... aac  vp9"\n', { mode: 0o644 })
    expect(await findFfmpeg(places)).toBeUndefined()
    await chmod(path, 0o755)
    expect(await findFfmpeg(places)).toBeUndefined()
    await writeFile(path, '#!/bin/sh\necho " V....D libopenh264  A..... aac  vp8"\n')
    expect(await findFfmpeg(`relative:${places}`)).toEqual({ path, encoder: 'libopenh264' })
    expect(await readdir(places)).toEqual(['ffmpeg'])
  } finally {
    await rm(places, { recursive: true, force: true })
  }
})
