import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { serveFrontEnd } from '../front-end.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import type { RoomPage, RoomState } from './room-page.ts'

declare const roomPage: RoomPage

const SOURCE = fileURLToPath(new URL('room-page.ts', import.meta.url))
const HTML =
  '<!doctype html><meta charset="utf-8"><title>Room</title><script type="module" src="/page.js"></script>'

/** A front end with an origin of its own. */
export const openFrontEnd = (ends: Ends) => serveFrontEnd(ends, { source: SOURCE, html: HTML })

/** Somebody in a browser with the official client. */
export interface Visitor {
  /** @throws in the client's words */
  enter(url: string, token: string): Promise<void>
  publish(what: 'camera' | 'microphone' | 'screen', on?: boolean): Promise<void>
  say(text: string): Promise<void>
  cut(): Promise<void>
  leave(): Promise<void>
  state(): Promise<RoomState>
  /** Waits until the state is as asked; what it was at last is said where it never is. */
  until(what: string, is: (state: RoomState) => boolean): Promise<RoomState>
  /** Waits until more has been decoded of something than there was when it was asked. */
  receives(media: string): Promise<void>
}

export async function openVisitor(running: Browser, frontEnd: string): Promise<Visitor> {
  const context = await running.newContext({ permissions: ['camera', 'microphone'] })
  const page = await context.newPage()
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
