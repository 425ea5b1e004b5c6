import type { Page } from 'playwright-core'

/** What came of a film in a browser. Times in seconds. */
export interface Watched {
  duration: number
  /** Where the player stood after it was sent to the middle. */
  middle: number
  /** Sizes of pictures, in the order in which they came. */
  sizes: string[]
  /** When the picture turned white, and when the sound began. */
  flashes: number[]
  beeps: number[]
}

/** Plays a film in a page, picture by picture, and decodes its sound. */
export async function watchFilm(page: Page, film: Uint8Array): Promise<Watched> {
  const address = `data:video/webm;base64,${Buffer.from(film).toString('base64')}`
  return await page.evaluate(async (url) => {
    const bytes = await (await fetch(url)).arrayBuffer()
    const video = document.createElement('video')
    video.muted = true
    video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }))
    const happens = (what: string) =>
      new Promise<void>((resolve, reject) => {
        video.addEventListener(what, () => resolve(), { once: true })
        video.addEventListener('error', () => reject(new Error(`the film: ${video.error?.message}`)), {
          once: true,
        })
      })
    document.body.append(video)
    await happens('loadedmetadata')
    video.currentTime = video.duration / 2
    await happens('seeked')
    const middle = video.currentTime
    video.currentTime = 0
    await happens('seeked')

    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    const painter = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
    const sizes: string[] = []
    const flashes: number[] = []
    let wasLight = true
    const look = (_now: number, { mediaTime, width, height }: VideoFrameCallbackMetadata) => {
      const size = `${width}x${height}`
      if (sizes.at(-1) !== size) sizes.push(size)
      painter.drawImage(video, width / 2 - 8, height / 2 - 8, 16, 16, 0, 0, 1, 1)
      const isLight = (painter.getImageData(0, 0, 1, 1).data[0] ?? 0) > 150
      if (isLight && !wasLight) flashes.push(mediaTime)
      wasLight = isLight
      video.requestVideoFrameCallback(look)
    }
    video.requestVideoFrameCallback(look)
    const ended = happens('ended')
    await video.play()
    await ended

    const sound = await new AudioContext().decodeAudioData(bytes)
    const samples = sound.getChannelData(0)
    const beeps: number[] = []
    const quiet = sound.sampleRate / 4
    let loudAt = -quiet
    for (let at = 0; at < samples.length; at += 1) {
      if (Math.abs(samples[at] ?? 0) < 0.1) continue
      if (at - loudAt > quiet) beeps.push(at / sound.sampleRate)
      loudAt = at
    }
    return { duration: video.duration, middle, sizes, flashes, beeps }
  }, address)
}
