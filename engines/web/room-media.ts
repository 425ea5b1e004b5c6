import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../waiting.ts'
import { expectAccessible, type Visitor } from './visitor.ts'

const PATIENCE = { withinMs: 45_000, everyMs: 250 }

/** The tile of somebody, as it is seen on a page. */
export function tileOf(page: Page, name: string) {
  return page.locator('.tile').filter({ hasText: name })
}

/** Pictures of somebody come in, one after the other. */
export async function expectPictures(page: Page, name: string): Promise<void> {
  const video = tileOf(page, name).locator('video').first()
  await video.waitFor()
  const frames = () =>
    video.evaluate((element: HTMLVideoElement) => element.getVideoPlaybackQuality().totalVideoFrames)
  let before = await frames()
  const move = async () => {
    const now = await frames()
    // a connection that is begun anew has another element, which counts from none on
    before = Math.min(before, now)
    return now > before + 3
  }
  await eventually(`pictures of ${name}`, move, PATIENCE)
}

/** Something is heard: made-up microphones beep. */
export async function expectSound(page: Page): Promise<void> {
  await eventually('sound', () => page.evaluate(hearsSomething), PATIENCE)
}

async function hearsSomething(): Promise<boolean> {
  // an element that nobody speaks by any more is kept for whoever comes next
  const streams = [...document.querySelectorAll('audio')].flatMap(({ srcObject }) =>
    srcObject instanceof MediaStream ? [srcObject] : [],
  )
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  for (const stream of streams) context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const until = performance.now() + 2_000
  let isHeard = false
  while (!isHeard && streams.length > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    analyser.getFloatTimeDomainData(samples)
    isHeard = samples.some((sample) => Math.abs(sample) > 0.01)
  }
  await context.close()
  return isHeard
}

/** Into a room: at once, or from the screen before it where there is something to choose. */
export async function enterRoom(page: Page): Promise<void> {
  const enter = page.getByRole('button', { name: 'Enter the room' })
  const controls = page.getByRole('toolbar', { name: 'Controls' })
  await enter.or(controls).first().waitFor()
  if (await enter.isVisible()) await enter.click()
  await controls.waitFor()
}

export async function record({ page }: Visitor, button: 'Start recording' | 'Stop recording'): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog', { name: 'More' }).getByRole('button', { name: button }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
}

/** Loads a page anew that is inside a room: it comes back, and says in place of which connection. */
export async function reloadInside(page: Page): Promise<void> {
  const asking = page.waitForRequest((request) => request.url().endsWith('/room-auth'))
  await page.reload()
  const { returning } = (await asking).postDataJSON() as { returning?: { participantSid?: string } }
  assert.match(returning?.participantSid ?? '', /^PA_/)
  await page.getByRole('toolbar', { name: 'Controls' }).waitFor()
}
