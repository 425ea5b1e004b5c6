import type { Page } from 'playwright-core'
import sharp from 'sharp'

interface Frame {
  png: Buffer
  /** From the begin of the film, in milliseconds. */
  at: number
}

/** What a page shows, in takes: what happens between them is not in the film. */
export interface Recorder {
  take(work: () => Promise<void>): Promise<void>
  frames(): readonly Frame[]
}

export interface FilmShape {
  width: number
  height: number
  seconds: number
  framesPerSecond: number
  /** 1 to 100, as WebP has it. */
  quality: number
}

export async function openRecorder(page: Page, { width, height }: FilmShape): Promise<Recorder> {
  const session = await page.context().newCDPSession(page)
  const frames: Frame[] = []
  let [begun, before] = [0, 0]
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push({ png: Buffer.from(data, 'base64'), at: before + performance.now() - begun })
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  return {
    async take(work) {
      begun = performance.now()
      // without loss: what has not changed is the same in the next frame, and costs nothing
      await session.send('Page.startScreencast', { format: 'png', maxWidth: width, maxHeight: height })
      await work()
      await session.send('Page.stopScreencast')
      before += performance.now() - begun
    },
    frames: () => frames,
  }
}

/** @returns an animated WebP of the frames that lasts as long as is wanted, and begins again: README shows it as it is */
export async function developFilm(
  frames: readonly Frame[],
  { width, height, seconds, framesPerSecond, quality }: FilmShape,
): Promise<Buffer> {
  const last = frames.at(-1)?.at ?? 0
  const moments = Array.from({ length: seconds * framesPerSecond }, (_, at) => at / framesPerSecond / seconds)
  const shown = moments.map((share) => frames.findLast(({ at }) => at <= share * last) ?? frames[0])
  const pictures = await Promise.all(
    shown.flatMap((frame) => (frame ? [sharp(frame.png).resize(width, height).png().toBuffer()] : [])),
  )
  return await sharp(pictures, { join: { animated: true } })
    .webp({ quality, delay: Math.round(1_000 / framesPerSecond), loop: 0, minSize: true })
    .toBuffer()
}
