import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { missingChromium } from '../browser/chromium.ts'
import { run } from '../commands.ts'
import { installPackage } from '../debian-packages.ts'
import { record } from '../embedded-media/films.ts'
import { openBrowsers, openFrontEnd } from '../embedded-media/pages.ts'
import { bring, openScene, type Scene } from '../embedded-media/scene.ts'
import type { Check, Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { beepsOf, type Colour, flashesAt, pictureAt, probe } from './frames.ts'

/** Lips and voice further apart than this are seen to be. */
const APART_MAX_SECONDS = 0.08
/** Ada alone, with Grace, with the screen that Grace shares, with Grace, alone. */
const TAKES_MS = { alone: 4_000, together: 6_000, shared: 6_000, after: 4_000 }

/** Recordings of `npm start` where ffmpeg is on PATH. */
export const film: Engine = {
  name: 'film',
  about:
    'a recording of the embedded media server by Debian’s ffmpeg: both faces in one MP4, a shared screen large',
  async install() {
    const hasFfmpeg = await run('ffprobe', ['-version']).then(
      () => true,
      () => false,
    )
    return (hasFfmpeg ? undefined : await installPackage('ffmpeg')) ?? (await missingChromium())
  },
  async try(check) {
    const ends: Ends = []
    try {
      const frontEnd = await openFrontEnd(ends)
      const url = await openFreshOffice(
        { ALLOWED_ORIGINS: frontEnd, EMBEDDED_MEDIA_RECORDING_GRID: 'true' },
        ends,
      )
      const folder = await mkdtemp(join(tmpdir(), 'atrium-film-'))
      ends.push(() => rm(folder, { recursive: true, force: true }))
      const path = join(folder, 'film.mp4')
      await tryGrid(await openScene(url), { path, visitor: await openBrowsers(frontEnd, ends) }, check)
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

interface Given {
  path: string
  visitor: Awaited<ReturnType<typeof openBrowsers>>
}

async function tryGrid(scene: Scene, { path, visitor }: Given, check: Check): Promise<void> {
  const { ada, grace, roomId } = scene
  const [adas, graces] = [await visitor('first'), await visitor('second')]
  await check('two cameras and a screen are an MP4, of the length that ffprobe reads', async () => {
    await bring(adas, ada, roomId, 'Ada')
    await adas.publishBeacon()
    const bytes = await record(scene, 'mp4', async () => {
      await pause(TAKES_MS.alone)
      await bring(graces, grace, roomId, 'Grace')
      await graces.publish('camera')
      await pause(TAKES_MS.together)
      await graces.publish('screen')
      await pause(TAKES_MS.shared)
      await graces.publish('screen', false)
      await graces.publish('camera', false)
      await pause(TAKES_MS.after)
    })
    await writeFile(path, bytes)
    const { streams, format } = await probe(path)
    const tracks = streams.map(({ codec_name, width, height }) => [codec_name, width, height])
    assert.deepEqual(tracks, [
      ['h264', 1_280, 720],
      ['aac', undefined, undefined],
    ])
    const [picture, sound] = streams.map(({ duration }) => Number(duration))
    const all = Object.values(TAKES_MS).reduce((sum, one) => sum + one, 0) / 1_000
    assert.ok(Number(format.duration) > all, `it has ${format.duration} s`)
    assert.ok(Math.abs((picture ?? 0) - (sound ?? 0)) < 0.1, `pictures ${picture} s, sound ${sound} s`)
    console.log(`    ${format.duration} s, ${bytes.length} bytes`)
  })
  await check('both faces stand side by side, and a screen large with the faces beside it', async () => {
    const seen = await timesOf(path)
    console.log(`    alone at ${seen.alone} s, together at ${seen.together} s, shared at ${seen.shared} s`)
    assert.ok(seen.alone !== undefined && seen.together !== undefined && seen.shared !== undefined)
    assert.ok(seen.alone < seen.together && seen.together < seen.shared)
  })
  await check('a flash and its beep stand together', async () => {
    // Ada alone fills the picture; in the left half, and above the middle, she is there with Grace too
    const [flashes, beeps] = [await flashesAt(path, 320, 360), await beepsOf(path)]
    const apart = flashes.flatMap((flash) => {
      const [nearest = 1] = beeps.map((beep) => beep - flash).sort((a, b) => Math.abs(a) - Math.abs(b))
      return Math.abs(nearest) < 0.5 ? [nearest] : []
    })
    console.log(`    beeps after flashes by ${apart.map((one) => Math.round(one * 1_000)).join(', ')} ms`)
    assert.ok(apart.length >= 4, `there are ${apart.length} flashes with a beep`)
    const late = apart.filter((one) => Math.abs(one) > APART_MAX_SECONDS)
    assert.ok(late.length <= 1, `they are apart: ${apart}`)
  })
  for (const page of [adas, graces]) await page.leave()
}

/** Seconds at which each arrangement is seen first. */
async function timesOf(path: string): Promise<Record<keyof typeof ARRANGEMENTS, number | undefined>> {
  const seen = { alone: undefined, together: undefined, shared: undefined } as Record<
    keyof typeof ARRANGEMENTS,
    number | undefined
  >
  const seconds = Math.floor(Number((await probe(path)).format.duration))
  for (let at = 0; at < seconds; at += 0.5) {
    const colour = await pictureAt(path, at)
    for (const [name, is] of Object.entries(ARRANGEMENTS))
      if (is(colour)) seen[name as keyof typeof ARRANGEMENTS] ??= at
  }
  return seen
}

/** Ada is black or white, and nothing else; Chromium's camera and screen are of colours. Outside of pictures it is black. */
const ARRANGEMENTS = {
  alone: (colour: (x: number, y: number) => Colour) => isGrey(colour(320, 100)) && isGrey(colour(960, 360)),
  together: (colour: (x: number, y: number) => Colour) =>
    isGrey(colour(320, 360)) && !isGrey(colour(960, 300)) && isBlack(colour(640, 60)),
  shared: (colour: (x: number, y: number) => Colour) =>
    !isGrey(colour(1_152, 432)) && isGrey(colour(1_152, 288)) && !isBlack(colour(512, 360)),
}

function isGrey([red, green, blue]: Colour): boolean {
  return Math.max(red, green, blue) - Math.min(red, green, blue) < 40
}

function isBlack(colour: Colour): boolean {
  return Math.max(...colour) < 12
}
