import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../browser/chromium.ts'
import { serveFrontEnd } from '../front-end.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { type Watched, watchFilm } from './film-player.ts'
import type { Figures } from './room-media.ts'
import type { RoomPage, RoomState } from './room-page.ts'

declare const roomPage: RoomPage

const SOURCE = fileURLToPath(new URL('room-page.ts', import.meta.url))
/** All in view: the client pauses pictures that are not. */
const STYLE = 'body { margin: 0 } video { float: left; width: 320px; height: 180px }'
const HTML = `<!doctype html><meta charset="utf-8"><title>Room</title><style>${STYLE}</style><script type="module" src="/page.js"></script>`

/** Cameras and microphones that need no machine, and no question. */
const DEVICES = [
  '--use-fake-device-for-media-stream=fps=20',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
]

/**
 * Two browsers: pages of one share its made-up camera, which brings no more pictures to any of them where two open it
 * again at the same moment, as they do after the media server went.
 * @returns opens a visitor, in the one or the other
 */
export async function openBrowsers(frontEnd: string, ends: Ends, ...more: string[]): Promise<OpenVisitor> {
  const open = async () => {
    const running = await launchChromium(...DEVICES, ...more)
    ends.push(() => running.close())
    return running
  }
  const browsers = { first: await open(), second: await open() }
  return (which = 'second', prepare) => openVisitor(browsers[which], frontEnd, prepare)
}

/** A front end with an origin of its own. */
export const openFrontEnd = (ends: Ends) => serveFrontEnd(ends, { source: SOURCE, html: HTML })

/** @param prepare the page, before anything of it is loaded */
export type OpenVisitor = (
  which?: 'first' | 'second',
  prepare?: (page: Page) => Promise<void>,
) => Promise<Visitor>

/** A participant in a browser with the official client. */
export interface Visitor {
  /** @throws in the client's words */
  enter(url: string, token: string): Promise<void>
  publish(what: 'camera' | 'microphone' | 'screen', on?: boolean): Promise<void>
  /** @throws in the client's words, after it has waited */
  publishAnotherCamera(): Promise<void>
  publishBeacon(): Promise<void>
  /** What a film shows and says, played from its beginning to its end in this page. */
  watch(film: Uint8Array): Promise<Watched>
  rename(name: string): Promise<void>
  say(text: string): Promise<void>
  look(on: boolean): Promise<void>
  cut(): Promise<void>
  leave(): Promise<void>
  state(): Promise<RoomState>
  figures(): Promise<Figures[]>
  /** Waits until the state is as asked; what it was at last is said where it never is. */
  until(what: string, is: (state: RoomState) => boolean): Promise<RoomState>
  /** Waits until more has been decoded of something than there was when it was asked. */
  receives(media: string): Promise<void>
}

async function openVisitor(
  running: Browser,
  frontEnd: string,
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<Visitor> {
  const context = await running.newContext({ permissions: ['camera', 'microphone'] })
  const page = await context.newPage()
  await prepare(page)
  await page.goto(frontEnd)
  await page.waitForFunction(() => 'roomPage' in globalThis)
  return visitorOn(page)
}

function visitorOn(page: Page): Visitor {
  const state = () => page.evaluate(() => roomPage.state())
  const until: Visitor['until'] = async (what, is) => {
    let last: RoomState | undefined
    try {
      return await eventually(
        what,
        async () => {
          last = await state()
          return is(last) && last
        },
        { everyMs: 100 },
      )
    } catch (error) {
      throw new Error(`${(error as Error).message}; at last: ${JSON.stringify(last)}`)
    }
  }
  const amount = (now: RoomState, media: string) =>
    (now.media[media]?.frames ?? 0) + (now.media[media]?.samples ?? 0)
  return {
    enter: (url, token) => page.evaluate((to) => roomPage.enter(to.url, to.token), { url, token }),
    publish: (what, on = true) => page.evaluate((one) => roomPage.publish(one.what, one.on), { what, on }),
    say: (text) => page.evaluate((words) => roomPage.say(words), text),
    publishAnotherCamera: () => page.evaluate(() => roomPage.publishAnotherCamera()),
    publishBeacon: () => page.evaluate(() => roomPage.publishBeacon()),
    watch: (film) => watchFilm(page, film),
    rename: (name) => page.evaluate((to) => roomPage.rename(to), name),
    look: (on) => page.evaluate((does) => roomPage.look(does), on),
    figures: () => page.evaluate(() => roomPage.figures()),
    cut: () => page.evaluate(() => roomPage.cut()),
    leave: () => page.evaluate(() => roomPage.leave()),
    state,
    until,
    async receives(media) {
      const before = amount(await state(), media)
      await until(
        `${media} arrives`,
        (now) => amount(now, media) > before + (media.endsWith('microphone') ? 4_800 : 5),
      )
    },
  }
}
