import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NOTES_FILE, type Note } from '../recording/notes.ts'
import { encodePacket } from '../recording/packet-file.ts'
import { makeFilmApart } from './make-film.ts'

const FRAME_MS = 20
/** Told once for each stretch: together more than the memory of the process. */
const LONG_NAME = 'x'.repeat(20_000_000)
const STRETCHES = 20

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'film-apart-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What is left of a room where one person spoke now and then. */
async function recordSpeech(name: string): Promise<void> {
  const bursts = Array.from({ length: STRETCHES }, (_, index) => index * 1_300)
  const times = bursts.flatMap((from) => Array.from({ length: 8 }, (_, index) => from + index * FRAME_MS))
  const packets = times.map((at, number) =>
    encodePacket({ at, number, rtp: at * 48, marker: false, payload: Buffer.alloc(80, 0xf8) }),
  )
  const speaker = { identity: '7', name }
  const notes: Note[] = [
    { note: 'file', at: 0, file: '1.rtp', kind: 'sound', person: 'a', speaker, source: 1, rtp: 0 },
    { note: 'end', at: STRETCHES * 1_300 },
  ]
  await writeFile(join(folder, '1.rtp'), Buffer.concat(packets))
  await writeFile(join(folder, NOTES_FILE), notes.map((note) => `${JSON.stringify(note)}\n`).join(''))
}

const make = () =>
  makeFilmApart(folder, {
    ...{ withSpeech: true, ffmpeg: undefined, signal: new AbortController().signal },
    onFault(error) {
      throw error
    },
  })

it('is made with what was said in it', async () => {
  await recordSpeech('Ada')
  const film = await make()
  expect(film).toMatchObject({ durationSeconds: 26, hasPictures: false })
  expect(film?.speech).toHaveLength(STRETCHES)
  expect(film?.speech?.[1]).toMatchObject({ from: 1.3, to: 1.46, identity: '7', name: 'Ada' })
})

it('is kept where what was said takes more memory than there is', async () => {
  await recordSpeech(LONG_NAME)
  const film = await make()
  expect(film).toMatchObject({ durationSeconds: 26 })
  expect(film?.speech).toBeUndefined()
  expect((await stat(join(folder, 'film.webm'))).size).toBeGreaterThan(1_000)
})
