import type { Browser, Page } from 'playwright-core'

interface Frame {
  jpeg: string
  /** From the begin of the film, in milliseconds. */
  at: number
}

/** What a page shows, in takes: what happens between them is not in the film. */
export interface Recorder {
  take(work: () => Promise<void>): Promise<void>
  frames(): readonly Frame[]
}

export async function openRecorder(page: Page): Promise<Recorder> {
  const session = await page.context().newCDPSession(page)
  const frames: Frame[] = []
  let [begun, before] = [0, 0]
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push({ jpeg: data, at: before + performance.now() - begun })
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  return {
    async take(work) {
      begun = performance.now()
      await session.send('Page.startScreencast', { format: 'jpeg', quality: 85, everyNthFrame: 2 })
      await work()
      await session.send('Page.stopScreencast')
      before += performance.now() - begun
    },
    frames: () => frames,
  }
}

export interface FilmShape {
  width: number
  height: number
  seconds: number
  bytesMax: number
}

/** Makes a film of the frames that lasts as long as is wanted, by the browser's own encoder. */
export async function developFilm(
  browser: Browser,
  frames: readonly Frame[],
  { width, height, seconds, bytesMax }: FilmShape,
): Promise<Buffer> {
  const page = await browser.newPage()
  try {
    const last = frames.at(-1)?.at ?? 0
    const inTime = frames.map(({ jpeg, at }) => ({ jpeg, at: (at / last) * seconds * 1_000 }))
    const bitsPerSecond = Math.floor((bytesMax * 8 * 0.85) / seconds)
    const base64 = await page.evaluate(encode, { frames: inTime, width, height, bitsPerSecond })
    return Buffer.from(base64, 'base64')
  } finally {
    await page.close()
  }
}

/** In a page. @returns WebM, as base64 */
async function encode(film: {
  frames: Frame[]
  width: number
  height: number
  bitsPerSecond: number
}): Promise<string> {
  const { frames, width, height, bitsPerSecond } = film
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const on = canvas.getContext('2d')
  const bitmaps = await Promise.all(
    frames.map(
      async ({ jpeg }) =>
        await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${jpeg}`)).blob()),
    ),
  )
  const recorder = new MediaRecorder(canvas.captureStream(15), {
    mimeType: 'video/webm;codecs=vp9',
    videoBitsPerSecond: bitsPerSecond,
  })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const over = new Promise((resolve) => {
    recorder.onstop = resolve
  })
  recorder.start(1_000)
  const begun = performance.now()
  for (const [index, { at }] of frames.entries()) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + at - performance.now())))
    const bitmap = bitmaps[index]
    if (bitmap) on?.drawImage(bitmap, 0, 0, width, height)
  }
  recorder.stop()
  await over
  const url = await new Promise<string>((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsDataURL(new Blob(parts))
  })
  return url.slice(url.indexOf(',') + 1)
}
