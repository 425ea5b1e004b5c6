import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { addRooms, type Large, openLarge, PEOPLE, ROOMS, ROOMS_OF_LIST } from './large-office.ts'
import { tryLongLists } from './long-lists.ts'
import type { WebPerson } from './people.ts'
import { joinUnseen, leaveUnseen, preferList, watchPlan } from './plan.ts'
import {
  asVisitor,
  expectAccessible,
  heapOf,
  scriptClockOf,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

const CHANGES = 30
/** Over which memory is held flat; 3600 are an hour with a change each second, by hand. */
const MANY_CHANGES = Number(process.env.SIZE_CHANGES ?? 100)
/** What follows from one change is over before the next. */
const BETWEEN_MS = 300

/** A large organization on the floor. That it works is held; how fast it is, is told: a busy machine is no defect. */
export async function trySize(office: WebOffice, check: Check): Promise<void> {
  const ends: Ends = []
  try {
    const scene = await openLarge(office, ends)
    const { ada, grace, large } = scene
    await check(`size: a plan of ${ROOMS} rooms, on which a move touches two places`, () =>
      asVisitor(large, 'size-plan', (visitor) => tryPlan(visitor, scene), {
        viewport: { width: 1920, height: 1200 },
      }),
    )
    await tryLongLists(scene, check)
    await addRooms(ada, ROOMS + 1, ROOMS_OF_LIST)
    await check(`size: ${PEOPLE} colleagues who are online, and ${ROOMS_OF_LIST} rooms`, () =>
      asVisitor(large, 'size', async (visitor) => {
        const { page } = visitor
        await preferList(page)
        await page.addInitScript(watchFloor)
        await ada.enter(visitor)
        const times: number[] = []
        for (let turn = 0; turn < 4; turn += 1) times.push(await openFloor(page))
        console.log(
          `    floor: ${times.map((time) => `${Math.round(time)} ms`).join(', ')} (the first one loads all)`,
        )
        await page
          .locator(`.list-row[aria-setsize="${PEOPLE - 1}"]`)
          .first()
          .waitFor()
        await page.getByRole('searchbox').fill('colleague 777')
        await page.getByRole('button', { name: 'Colleague 777', exact: true }).waitFor()
        assert.equal(await page.locator('.list-row').count(), 1)
        await page.getByRole('searchbox').fill('')
      }),
    )
    await check('size: a change of one status is painted, and nothing grows', () =>
      // she is there: whoever is not connected would be offline soon
      asVisitor(large, 'size-other', async (other) => {
        await grace.enter(other)
        await asVisitor(large, 'size-changes', (visitor) => tryChanges(visitor, ada, grace))
      }),
    )
  } finally {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
}

async function tryChanges(visitor: Visitor, ada: WebPerson, grace: WebPerson): Promise<void> {
  const { page } = visitor
  await preferList(page)
  await page.addInitScript(watchFloor)
  await ada.enter(visitor)
  await openFloor(page)
  await eventually('a change is heard', () => isHeard(grace, page))
  const painted: number[] = []
  const scriptSince = await scriptClockOf(visitor)
  for (let turn = 0; turn < CHANGES; turn += 1) painted.push(await changeOf(grace, page, turn))
  console.log(`    a status takes ${((await scriptSince()) / CHANGES).toFixed(1)} ms of script in the list`)
  painted.sort((a, b) => a - b)
  const at = (part: number) => Math.round(painted[Math.floor(painted.length * part)] ?? 0)
  console.log(`    a status, from its arrival until it is painted: median ${at(0.5)} ms, most ${at(0.99)} ms`)
  await expectFlat(visitor, 'changes in the list', (turn) => changeOf(grace, page, turn))
}

/** What one change leaves is taken by another; what all leave would grow. */
async function expectFlat(
  visitor: Visitor,
  what: string,
  change: (turn: number) => Promise<unknown>,
): Promise<void> {
  const heaps = [await heapOf(visitor)]
  for (let quarter = 0; quarter < 4; quarter += 1) {
    for (let turn = 0; turn < MANY_CHANGES / 4; turn += 1) await change(quarter * (MANY_CHANGES / 4) + turn)
    heaps.push(await heapOf(visitor))
  }
  const told = heaps.map((heap) => `${heap.toFixed(1)} MB`)
  console.log(`    memory over ${MANY_CHANGES} ${what}: ${told.join(', ')}`)
  const [before = 0] = heaps
  assert.ok((heaps.at(-1) ?? 0) < before * 1.2 + 3, told.join(', '))
}

/** Of a page with as many rooms and people as there may be. */
const PLAN_NODES_MAX = 3_000

/** Rooms, walls and faces are bounded by seats. Whoever goes into a room changes that room, and where they were. */
async function tryPlan(visitor: Visitor, { ada, grace, large }: Large): Promise<void> {
  const { page } = visitor
  await ada.enter(visitor)
  await page.goto('/')
  await page
    .locator('.plan .room')
    .nth(ROOMS - 1)
    .waitFor()
  const more = page.locator('[data-zone="atrium"] .more')
  await more.waitFor()
  const nodes = await page.evaluate(() => document.getElementsByTagName('*').length)
  console.log(`    a plan of ${ROOMS} rooms and ${PEOPLE} people: ${nodes} nodes`)
  assert.ok(nodes <= PLAN_NODES_MAX, `${nodes} nodes`)
  await expectAccessible(page)
  const { rooms } = await ada.client.call('listRooms')
  const room = rooms[5]
  assert.ok(room)
  // one is inside already: the light is on
  await joinUnseen(large, ada, room.id)
  const section = page.locator(`[data-room="${room.id}"]`)
  await section.locator('.face').waitFor()
  const touched = await watchPlan(page)
  await joinUnseen(large, grace, room.id)
  await section.locator('.face').nth(1).waitFor()
  const { rooms: changed, added, removed, elsewhere } = await touched()
  assert.deepEqual([changed, added, removed, elsewhere], [[room.id], 1, 0, []])
  await tellCost(visitor, 'a move', async (turn) => {
    const move = turn % 2 === 0 ? leaveUnseen : joinUnseen
    await move(large, grace, room.id)
  })
  await tellCost(visitor, 'a status', async (turn) => {
    await grace.client.call('setPresenceStatus', { status: turn % 2 === 0 ? 'busy' : 'online' })
  })
  await expectFlat(visitor, 'moves on the plan', async (turn) => {
    const move = turn % 2 === 0 ? leaveUnseen : joinUnseen
    await move(large, grace, room.id)
    await section
      .locator('.face')
      .nth(1)
      .waitFor({ state: turn % 2 === 0 ? 'detached' : 'attached' })
  })
}

/** Says how much script a change on the plan takes: more on a busy machine, and after a pause, as here. */
async function tellCost(
  visitor: Visitor,
  what: string,
  change: (turn: number) => Promise<void>,
): Promise<void> {
  const scriptSince = await scriptClockOf(visitor)
  for (let turn = 0; turn < CHANGES; turn += 1) {
    await change(turn)
    await pause(BETWEEN_MS)
  }
  console.log(`    ${what} takes ${((await scriptSince()) / CHANGES).toFixed(1)} ms of script on the plan`)
}

interface Watched {
  /** When all of the floor was there first. */
  interactiveAt: number
  /** What is waited for; when the message that says it came in, and when it was painted. */
  note: string
  messageAt: number
  paintedAt: number
}

/** In the page: notes when the floor is there, when messages come, and when a row has changed. */
function watchFloor(): void {
  const watched: Watched = { interactiveAt: 0, note: '', messageAt: 0, paintedAt: 0 }
  Object.assign(globalThis, { watched })
  const Original = globalThis.WebSocket
  globalThis.WebSocket = class extends Original {
    constructor(...given: ConstructorParameters<typeof Original>) {
      super(...given)
      this.addEventListener('message', ({ data }) => {
        if (watched.note !== '' && String(data).includes(watched.note)) watched.messageAt = performance.now()
      })
    }
  }
  let painted = ''
  new MutationObserver(() => {
    const rooms = document.querySelectorAll('.room-card').length
    const rows = [...document.querySelectorAll('.list-row')]
    if (watched.interactiveAt === 0 && rooms >= 200 && rows.length >= 20)
      watched.interactiveAt = performance.now()
    const { note } = watched
    if (note === painted || !rows.some(({ textContent }) => textContent?.includes(note))) return
    painted = note
    // after the frame in which it is drawn
    requestAnimationFrame(() => setTimeout(() => (watched.paintedAt = performance.now())))
  }).observe(document, { childList: true, subtree: true, characterData: true })
}

/** @returns milliseconds from the beginning of the navigation until the floor can be used */
async function openFloor(page: Page): Promise<number> {
  await page.goto('/')
  return await eventually('the floor', () =>
    page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched.interactiveAt || undefined),
  )
}

/** @returns whether a change came in by the socket: a page that has just loaded reads it with the list, before it listens */
async function isHeard(grace: WebPerson, page: Page): Promise<boolean> {
  await change(grace, page, 'Hello')
  const heard = () => (globalThis as unknown as { watched: Watched }).watched.messageAt > 0
  return await page.waitForFunction(heard, undefined, { timeout: 2_000 }).then(
    () => true,
    () => false,
  )
}

/** @returns the note that she has now, which the page waits for */
async function change(grace: WebPerson, page: Page, what: string): Promise<string> {
  const note = `${what} of ${Math.random()}`
  await page.evaluate((awaited) => {
    const { watched } = globalThis as unknown as { watched: Watched }
    Object.assign(watched, { note: awaited, messageAt: 0, paintedAt: 0 })
  }, note)
  await grace.client.call('setPresenceStatus', { status: 'online', note })
  return note
}

/** @returns milliseconds between the arrival of a change and its paint */
async function changeOf(grace: WebPerson, page: Page, turn: number): Promise<number> {
  const note = await change(grace, page, `Turn ${turn}`)
  await page.getByText(note).waitFor()
  return await eventually('the paint', () =>
    page.evaluate(() => {
      const { messageAt, paintedAt } = (globalThis as unknown as { watched: Watched }).watched
      return messageAt > 0 && paintedAt > messageAt ? paintedAt - messageAt : undefined
    }),
  )
}
