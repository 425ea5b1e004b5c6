import type { Page } from 'playwright-core'
import { type OpenVisitor, openBrowsers, openFrontEnd } from '../embedded-media/pages.ts'
import type { Ends } from '../processes.ts'
import type { WebPerson } from '../web/people.ts'

/** A client with a token of the room and without its key: it gets every packet that the media server passes on. */
export interface Tap {
  /** Waits for so many pictures, as a decoder makes them of what arrives. */
  pictures(count: number): Promise<Picture[]>
  /** For which part of five seconds something is heard, 0 to 1: a made-up microphone beeps once a second. */
  shareOfSound(): Promise<number>
  leave(): Promise<void>
}

/** Means of the colours of a picture, 0 to 255. */
export interface Picture {
  red: number
  green: number
  blue: number
}

export async function openTaps(ends: Ends): Promise<(person: WebPerson, roomId: string) => Promise<Tap>> {
  const visitor = await openBrowsers(await openFrontEnd(ends), ends)
  return (person, roomId) => openTap(visitor, person, roomId)
}

async function openTap(visitor: OpenVisitor, { client }: WebPerson, roomId: string): Promise<Tap> {
  const opened: { page?: Page } = {}
  const visit = await visitor('first', async (page) => {
    opened.page = page
  })
  const { page } = opened
  if (!page) throw new Error('no page was opened')
  const { url = '', token } = await client.call('authorizeRoom', { roomId, username: 'Tap' })
  await visit.enter(url, token)
  return {
    pictures: (count) => page.evaluate(picturesOf, count),
    shareOfSound: () => page.evaluate(shareOfSound),
    leave: () => visit.leave(),
  }
}

async function picturesOf(count: number): Promise<Picture[]> {
  const canvas = new OffscreenCanvas(64, 36)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const found: Picture[] = []
  const until = performance.now() + 10_000
  while (found.length < count && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const video of document.querySelectorAll('video')) {
      if (video.videoWidth === 0) continue
      context?.drawImage(video, 0, 0, 64, 36)
      const { data } = context?.getImageData(0, 0, 64, 36) ?? { data: new Uint8ClampedArray() }
      const mean = (at: number) =>
        data.filter((_, index) => index % 4 === at).reduce((sum, one) => sum + one, 0) / (64 * 36)
      found.push({ red: Math.round(mean(0)), green: Math.round(mean(1)), blue: Math.round(mean(2)) })
    }
  }
  return found
}

async function shareOfSound(): Promise<number> {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  for (const { srcObject } of document.querySelectorAll('audio'))
    if (srcObject instanceof MediaStream) context.createMediaStreamSource(srcObject).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const until = performance.now() + 5_000
  const heard: boolean[] = []
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    analyser.getFloatTimeDomainData(samples)
    heard.push(samples.some((one) => Math.abs(one) > 0.01))
  }
  await context.close()
  return heard.filter(Boolean).length / heard.length
}
