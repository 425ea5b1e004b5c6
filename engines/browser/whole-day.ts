import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { serveFrontEnd } from '../front-end.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { launchChromium } from './chromium.ts'
import type { DayPage, Seen } from './whole-day-page.ts'

declare const day: DayPage

const SOURCE = fileURLToPath(new URL('whole-day-page.ts', import.meta.url))
const HTML =
  '<!doctype html><meta charset="utf-8"><title>A day</title><script type="module" src="/page.js"></script>'
/** Cameras and microphones are made up, and used without a question. */
const DEVICES = [
  '--use-fake-device-for-media-stream=fps=20',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
]

export interface WholeDayContext {
  url: string
  /** The code that was mailed to an address. */
  codeFor(email: string): Promise<string>
}

/** A front end of the helpers, with an origin of its own. */
export const openDay = (ends: Ends) => serveFrontEnd(ends, { source: SOURCE, html: HTML })

interface Scene {
  ada: Somebody
  grace: Somebody
  guest: Somebody
  roomId: string
}

/** Two people and a guest in two browsers, by the helpers of `@atrium/client` alone: they come, knock, meet, write and leave. */
export async function tryWholeDay(
  context: WholeDayContext & { frontEnd: string },
  check: Check,
): Promise<void> {
  const browsers: Browser[] = []
  const open = async () => {
    const browser = await launchChromium(...DEVICES)
    browsers.push(browser)
    return browser
  }
  try {
    const [first, second] = [await open(), await open()]
    const address = `${context.frontEnd}/?office=${encodeURIComponent(context.url)}`
    const people = {
      ada: await visit(first, address),
      grace: await visit(second, address),
      guest: await visit(second, address),
    }
    let scene: Scene | undefined
    const on = (work: (scene: Scene) => Promise<void>) => () => {
      assert.ok(scene, 'nobody has come')
      return work(scene)
    }
    await check('a day: two come, and each sees the other', async () => {
      scene = { ...people, roomId: await come(people, context) }
    })
    await check('a day: one knocks, and the other has a moment', on(knock))
    await check('a day: they meet in a room, see and hear each other, and everybody sees that', on(meet))
    await check('a day: a guest asks, is let in, and is seen', on(bringGuest))
    await check('a day: they write in the room, and read it', on(write))
    await check('a day: all leave, and go home', on(leave))
  } finally {
    for (const browser of browsers) await browser.close()
  }
}

async function come({ ada, grace }: Pick<Scene, 'ada' | 'grace'>, context: WholeDayContext): Promise<string> {
  const arrive = async (page: Page, name: string, way: { found: string } | { inviteToken: string }) => {
    const email = `${name.toLowerCase()}@day.example`
    await page.evaluate((to) => day.askForCode(to, true), email)
    const coming = { email, name, code: await context.codeFor(email), ...way }
    return await page.evaluate((who) => day.come(who), coming)
  }
  const inviteToken = await arrive(ada.page, 'Ada', { found: 'A whole day' })
  const roomId = await ada.page.evaluate(() => day.addRoom('Kitchen'))
  await arrive(grace.page, 'Grace', { inviteToken })
  for (const { sees } of [ada, grace])
    await sees(
      'both, and the room',
      ({ people, rooms }) => same(people, ['Ada: online', 'Grace: online']) && same(rooms, ['Kitchen: ']),
    )
  return roomId
}

async function knock({ ada, grace, roomId }: Scene): Promise<void> {
  await ada.page.evaluate((id) => day.knock({ at: 'Grace', roomId: id, message: 'Two minutes?' }), roomId)
  await grace.sees('the knock', ({ knockSays }) => knockSays === 'Two minutes?')
  await grace.page.evaluate(() => day.answer('accept'))
  await ada.sees('the answer', ({ answers }) => same(answers, ['accept']))
  await grace.sees('no knock any more', ({ knockSays }) => knockSays === undefined)
}

async function meet({ ada, grace, roomId }: Scene): Promise<void> {
  for (const { page } of [ada, grace]) await page.evaluate((id) => day.enter(id), roomId)
  for (const { sees } of [ada, grace]) {
    await sees(
      'both in the room',
      ({ rooms, people }) =>
        same(rooms, ['Kitchen: Ada with camera, Grace with camera']) &&
        same(people, ['Ada: online, in-room', 'Grace: online, in-room']),
    )
    await sees(
      'pictures and sound',
      ({ media }) => receives(media, 'camera', 1) && receives(media, 'microphone', 1),
    )
  }
}

async function bringGuest({ ada, grace, guest, roomId }: Scene): Promise<void> {
  const token = await ada.page.evaluate((id) => day.invite(id), roomId)
  await guest.page.evaluate((invite) => day.ask(invite, 'Linus'), token)
  await ada.sees('the guest at the door', ({ waiting }) => same(waiting, ['Linus']))
  await grace.sees('no guest inside', ({ rooms }) => !rooms.join().includes('guest'))
  await ada.page.evaluate(() => day.admit('Linus'))
  await guest.sees('that they are let in', (now) => now.visit === 'admitted')
  await guest.sees('pictures of both', ({ media }) => receives(media, 'camera', 2))
  for (const { sees } of [ada, grace]) {
    await sees('a guest inside', ({ rooms }) =>
      same(rooms, ['Kitchen: Ada with camera, Grace with camera, 1 guest']),
    )
    await sees('the sound of the guest', ({ media }) => receives(media, 'microphone', 2))
  }
}

async function write({ ada, grace }: Scene): Promise<void> {
  await grace.page.evaluate(() => day.write('Shall we?'))
  await ada.sees(
    'what Grace wrote, unread',
    ({ messages, unread }) => same(messages, ['Shall we?']) && unread === 1,
  )
  await ada.page.evaluate(() => day.write('At once'))
  for (const { sees } of [ada, grace])
    await sees('both messages', ({ messages }) => same(messages, ['Shall we?', 'At once']))
}

async function leave({ ada, grace, guest }: Scene): Promise<void> {
  await guest.page.evaluate(() => day.leave())
  await ada.sees('the guest gone', ({ rooms }) =>
    same(rooms, ['Kitchen: Ada with camera, Grace with camera']),
  )
  await grace.page.evaluate(() => day.leave())
  await ada.sees(
    'Grace out of the room',
    ({ rooms, people }) =>
      same(rooms, ['Kitchen: Ada with camera']) && same(people, ['Ada: online, in-room', 'Grace: online']),
  )
  await ada.page.evaluate(() => day.leave())
  await grace.sees('nobody in the room', ({ rooms }) => same(rooms, ['Kitchen: ']))
  await grace.page.evaluate(() => day.goHome())
  await ada.sees('Grace gone home', ({ people }) => same(people, ['Ada: online', 'Grace: offline']))
  await grace.sees('nothing any more', (now) => now.session === 'signed-out' && now.people.length === 0)
  for (const { complaints } of [ada, grace, guest]) assert.deepEqual(complaints, [])
}

interface Somebody {
  page: Page
  complaints: string[]
  /** Waits until they have that before them. @throws Error with what they saw at last */
  sees(what: string, is: (seen: Seen) => boolean): Promise<void>
}

async function visit(browser: Browser, address: string): Promise<Somebody> {
  const page = await (await browser.newContext({ permissions: ['camera', 'microphone'] })).newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(address)
  await page.waitForFunction(() => 'day' in globalThis)
  return {
    page,
    complaints,
    async sees(what, is) {
      let last: Seen | undefined
      const find = async () => {
        last = await page.evaluate(() => day.sees())
        return is(last)
      }
      await eventually(what, find, { everyMs: 100 }).catch((error: Error) => {
        throw new Error(`${error.message}; at last: ${JSON.stringify(last)}`)
      })
    },
  }
}

/** From so many others. */
function receives(media: Seen['media'], source: string, count: number): boolean {
  const arriving = Object.entries(media).filter(
    ([name, { frames, samples }]) => name.endsWith(` ${source}`) && frames + samples > 0,
  )
  return arriving.length === count
}

function same(found: readonly string[], wanted: readonly string[]): boolean {
  return JSON.stringify(found) === JSON.stringify(wanted)
}
