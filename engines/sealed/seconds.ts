import { isBuilt } from '@atrium/web/built-folder.ts'
import type { Page } from 'playwright-core'
import { launchChromium, missingChromium } from '../browser/chromium.ts'
import type { Check, Engine } from '../engine.ts'
import { openOperatedOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson, type WebPerson } from '../web/people.ts'
import { expectPictures, tileOf } from '../web/room-media.ts'
import { newVisitor, type Visitor, type WebOffice } from '../web/visitor.ts'
import { type Attendant, attend } from './attendant.ts'
import { NO_RATES } from './sealed.ts'

/** People and cameras that the embedded media server takes here: more than by default. */
const LIMITS = { EMBEDDED_MEDIA_PEOPLE: '60', EMBEDDED_MEDIA_CAMERAS: '10' }
const CROWDS = (process.env.SEALED_CROWDS ?? '2,8,40').split(',').map(Number)
/** Of a larger crowd the others take part in the keys alone. */
const BROWSERS_ALONE_UP_TO = 8
const BROWSERS_OF_MANY = 3
/** Trials of two, for the one in the middle. */
const TIMES_OF_TWO = 5
/** One camera, of few pictures: a machine of two cores cannot encode eight. */
const DEVICES = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream=fps=10']
const PATIENCE = { withinMs: 120_000, everyMs: 20 }

/** Seconds to the first picture in a sealed room of two, eight and forty, and to another key when one of forty leaves. */
export const sealedSeconds: Engine = {
  name: 'sealed-seconds',
  about: 'how long pictures and keys of a sealed room take, of 2, 8 and 40 people (SEALED_CROWDS)',
  install: missingChromium,
  async try(check) {
    const ends: Ends = []
    try {
      const operated = await openOperatedOffice({ ...NO_RATES, ...LIMITS }, ends)
      await eventually('the web office is built', isBuilt, { withinMs: 180_000, everyMs: 500 })
      const browser = await launchChromium(...DEVICES)
      ends.push(() => browser.close())
      const office = { ...operated, browser, pictures: '' }
      const ada = await newPerson(office, 'Ada Lovelace', { found: 'Sealed Seconds' })
      for (const people of CROWDS)
        for (const sealed of people > BROWSERS_ALONE_UP_TO ? [true] : [false, true])
          for (let time = 0; time < (people === 2 ? TIMES_OF_TWO : 1); time += 1)
            await tryOf(office, ada, { people, sealed }, check)
      tellTable()
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

interface Crowd {
  people: number
  /** False: the same in a room that is open, to compare with. */
  sealed: boolean
}

/** Seconds to the first picture, by the crowd. */
const measured = new Map<string, number[]>()

function tellTable(): void {
  for (const [of, all] of measured) {
    const sorted = all.toSorted((one, other) => one - other)
    const [least, middle, most] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)].map((one) =>
      (one ?? 0).toFixed(2),
    )
    tell(`${of}: ${all.length} entered; the first picture after ${middle} s (${least} to ${most} s)`)
  }
}

let rooms = 1

async function tryOf(
  office: WebOffice,
  ada: WebPerson,
  { people, sealed }: Crowd,
  check: Check,
): Promise<void> {
  const browsers = people > BROWSERS_ALONE_UP_TO ? BROWSERS_OF_MANY : people
  const of = `${sealed ? 'sealed' : 'open'}, of ${people}`
  const { room } = await ada.client.call('createRoom', { name: `Room ${rooms++}`, sealed })
  const inviteToken = await inviteTokenOf(ada)
  const others: WebPerson[] = []
  for (let count = 1; count < people; count += 1)
    others.push(await newPerson(office, `Person ${rooms} ${count}`, { inviteToken }))
  const [quiet, seen] = [others.slice(browsers - 1), [ada, ...others.slice(0, browsers - 1)]]
  const attendants: Attendant[] = []
  const visitors: Visitor[] = []
  try {
    if (quiet.length > 0)
      await check(`${of}: ${quiet.length} come without a browser`, async () => {
        // one after the other: each opens two connections of native code, and these are two cores
        for (const person of quiet) attendants.push(await attend(person, room.id))
        const since = Date.now()
        await agreed(attendants, undefined)
        tell(`one key ${seconds(since, Date.now())} after the last one`)
        tellCosts(attendants)
      })
    for (const [place, person] of seen.entries())
      await check(`${of}: browser ${place + 1} of ${browsers} enters`, async () => {
        forgetCosts(attendants)
        const visitor = await newVisitor(office)
        visitors.push(visitor)
        const { took, requests } = await enterTimed(visitor, person, {
          roomId: room.id,
          sees: place === 0 ? undefined : ada.name,
        })
        if (place > 0) measured.set(of, [...(measured.get(of) ?? []), took])
        tell(`${place === 0 ? 'inside' : 'the first picture'} after ${took.toFixed(2)} s`)
        tell(`requests of the page: ${requests.join(', ')}`)
        if (attendants.length > 0) tellCosts(attendants)
      })
    for (const { page } of visitors.slice(1)) await expectPictures(page, ada.name)
    if (attendants.length > 1) await tryDeparture(attendants, visitors, of, check)
    else if (sealed) await tryBrowserLeaves(visitors, seen, of, check)
  } finally {
    for (const { context } of visitors) await context.close()
    for (const attendant of attendants) await attendant.leave()
  }
}

async function tryDeparture(
  attendants: Attendant[],
  visitors: readonly Visitor[],
  of: string,
  check: Check,
): Promise<void> {
  await check(`${of}: one leaves, and all others have another key`, async () => {
    const before = await agreed(attendants, undefined)
    const words = await Promise.all(visitors.map(({ page }) => wordsOn(page)))
    forgetCosts(attendants)
    const [gone] = attendants.splice(0, 1)
    const since = Date.now()
    await gone?.leave()
    await agreed(attendants, before)
    const taken = attendants
      .map(({ used }) => (used.at(-1)?.at ?? 0) - since)
      .sort((one, other) => one - other)
    for (const [place, { page }] of visitors.entries())
      await eventually('other words', async () => (await wordsOn(page)) !== words[place], PATIENCE)
    tell(
      `another key after ${(taken[0] ?? 0) / 1_000} s (the first), ${(taken[taken.length >> 1] ?? 0) / 1_000} s (half of them), ${(taken.at(-1) ?? 0) / 1_000} s (all)`,
    )
    tellCosts(attendants)
  })
}

async function tryBrowserLeaves(
  visitors: readonly Visitor[],
  seen: readonly WebPerson[],
  of: string,
  check: Check,
): Promise<void> {
  await check(`${of}: one leaves, and the others have other words`, async () => {
    const [first, last] = [visitors[0] as Visitor, visitors.at(-1) as Visitor]
    const before = await eventually('words', () => wordsOn(first.page), PATIENCE)
    const since = Date.now()
    await last.page.getByRole('button', { name: 'Leave' }).click()
    await tileOf(first.page, seen.at(-1)?.name ?? '').waitFor({ state: 'detached' })
    await eventually('other words', async () => (await wordsOn(first.page)) !== before, PATIENCE)
    tell(`another key after ${seconds(since, Date.now())}`)
  })
}

/** All have the same key, another one than before. @returns it */
async function agreed(attendants: readonly Attendant[], before: string | undefined): Promise<string> {
  return await eventually(
    'one key everywhere',
    () => {
      const keys = new Set(attendants.map(({ used }) => used.at(-1)?.key))
      const isWhole = attendants.every(({ sealed }) => sealed.get().unsealed.length === 0)
      const [key] = keys
      return isWhole && keys.size === 1 && key !== before && key
    },
    PATIENCE,
  )
}

/** From the press of the button to the first picture of another, or to the controls. */
async function enterTimed(
  visitor: Visitor,
  person: WebPerson,
  { roomId, sees }: { roomId: string; sees: string | undefined },
): Promise<{ took: number; requests: string[] }> {
  const { page } = visitor
  await person.enter(visitor)
  await page.goto(`/room/${roomId}`)
  const enter = page.getByRole('button', { name: 'Enter the room' })
  await enter.waitFor()
  // only the first one is seen
  if (sees !== undefined) await page.getByRole('switch', { name: 'Join with camera on' }).press('Space')
  await page.waitForLoadState('networkidle')
  await page.evaluate(watchForPicture, sees)
  await enter.click()
  const { took, requests } = await page.evaluate(
    () => (globalThis as unknown as { picture: Promise<{ took: number; requests: string[] }> }).picture,
  )
  return { took, requests }
}

/** In the page: notes the press, and the first decoded picture in the tile of that person. */
function watchForPicture(sees: string | undefined): void {
  let pressed = 0
  addEventListener('click', () => (pressed ||= performance.now()), true)
  const isThere = () => {
    if (sees === undefined) return document.querySelector('[role=toolbar][aria-label=Controls]') !== null
    const tile = [...document.querySelectorAll('.tile')].find((one) => one.textContent?.includes(sees))
    return [...(tile?.querySelectorAll('video') ?? [])].some(
      (video) => video.getVideoPlaybackQuality().totalVideoFrames > 0,
    )
  }
  const picture = new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!pressed || !isThere()) return
      clearInterval(timer)
      const now = performance.now()
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const requests = entries
        .filter(({ startTime }) => startTime > pressed)
        .map(({ name, startTime, responseEnd }) => {
          const path = new URL(name).pathname.split('/').slice(-2).join('/')
          return `${path} ${Math.round(startTime - pressed)}–${Math.round(responseEnd - pressed)} ms`
        })
      resolve({ took: (now - pressed) / 1_000, requests })
    }, 10)
  })
  Object.assign(globalThis, { picture })
}

async function wordsOn(page: Page): Promise<string | undefined> {
  const shown = page.locator('.sealed-words')
  return (await shown.count()) === 0 ? undefined : ((await shown.first().textContent()) ?? undefined)
}

function forgetCosts(attendants: readonly Attendant[]): void {
  for (const attendant of attendants) {
    attendant.asked.clear()
    attendant.said = 0
    attendant.used.splice(0, attendant.used.length - 1)
  }
}

/** What it took of all attendants together, and of the busiest. */
function tellCosts(attendants: readonly Attendant[]): void {
  const all = new Map<string, number[]>()
  for (const { asked } of attendants)
    for (const [id, times] of asked) all.set(id, [...(all.get(id) ?? []), times])
  const requests = [...all].map(
    ([id, times]) =>
      `${id} ${times.reduce((sum, one) => sum + one, 0)} (the most of one: ${Math.max(...times)})`,
  )
  const said = attendants.reduce((sum, one) => sum + one.said, 0)
  const keys = Math.max(...attendants.map(({ used }) => used.length))
  tell(`keys used by one: ${keys}; packets: ${said}; requests: ${requests.join(', ') || 'none'}`)
}

function tell(text: string): void {
  console.log(`    ${text}`)
}

function seconds(from: number, to: number): string {
  return `${((to - from) / 1_000).toFixed(2)} s`
}
