import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { type Large, MESSAGES, PEOPLE, ROOMS } from './large-office.ts'
import { preferList } from './plan.ts'
import { userIdOf, write } from './scene.ts'
import { asVisitor, expectAccessible, heapOf, type Visitor } from './visitor.ts'

/** Of a page with 60 rooms; a list that is drawn as a whole has ten times as many. */
const NODES_MAX = 1_500
const WALKS = 10
const AUDIT_TRAIL = '**/audit-log/list'
/** So many entries are read at a time. */
const AUDIT_PAGE = 50

/** Lists of a thousand, by keyboard from one end to the other: what is drawn stays little, and nothing grows. */
export async function tryLongLists(scene: Large, check: Check): Promise<void> {
  await check('long lists: colleagues on the floor', () =>
    inOffice(scene, 'long-floor', (visitor) => tryPeople(visitor, '/', PEOPLE - 1)),
  )
  await check('long lists: members', () =>
    inOffice(scene, 'long-members', (visitor) => tryPeople(visitor, '/people', PEOPLE)),
  )
  await check('long lists: the focus stays on its row, wherever one scrolls', () =>
    inOffice(scene, 'long-focus', tryFocus),
  )
  await check('long lists: messages, to the first one and back to the last', () =>
    inOffice(scene, 'long-chat', (visitor) => tryMessages(visitor, scene)),
  )
  await check('long lists: the audit trail', () =>
    inOffice(scene, 'long-audit', (visitor) => tryAudit(visitor, scene)),
  )
}

function inOffice(
  { ada, large }: Large,
  picture: string,
  work: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  return asVisitor(large, picture, async (visitor) => {
    await preferList(visitor.page)
    await ada.enter(visitor)
    await work(visitor)
  })
}

/** A row of a list of which only a part is drawn, as a reader hears of it. */
const place = (page: Page, number: number, of: number) =>
  page.locator(`.list-row[aria-posinset="${number}"][aria-setsize="${of}"]`)

async function tryPeople(visitor: Visitor, path: string, count: number): Promise<void> {
  const { page } = visitor
  await page.goto(path)
  await place(page, 1, count).waitFor()
  const drawn = [await expectFewNodes(page)]
  await page.keyboard.press('End')
  const last = place(page, count, count)
  // the other two come first
  await last.getByRole('button', { name: `Colleague ${PEOPLE - 2}`, exact: true }).waitFor()
  await expectEnd(page, count)
  drawn.push(await expectFewNodes(page))
  await expectAccessible(page)
  const before = await heapOf(visitor)
  for (let turn = 0; turn < WALKS; turn += 1) {
    await pressUntil(page, 'Home', place(page, 1, count))
    await pressUntil(page, 'End', last)
  }
  const after = await heapOf(visitor)
  console.log(
    `    ${path}: ${drawn.join(' and ')} nodes at its ends; memory over ${WALKS} walks: ${before.toFixed(1)} MB, then ${after.toFixed(1)} MB`,
  )
  assert.ok(after < before * 1.3 + 3, `${after} MB`)
}

/** Chromium scrolls to where the end was as the key came: rows that are measured on the way move it on. */
async function expectEnd(page: Page, count: number): Promise<void> {
  const isThere = async () => {
    if (await isInSight(page, count)) return true
    await page.keyboard.press('End')
    return false
  }
  await eventually('the end is in sight', isThere, { withinMs: 60_000, everyMs: 2_000 })
}

/** As a person would: Chromium passes over a key that comes just as the scrolling of the one before ends. */
async function pressUntil(page: Page, key: string, shown: Locator): Promise<void> {
  const isShown = async () => {
    await page.keyboard.press(key)
    return await shown.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    )
  }
  await eventually(`${key} shows what is there`, isShown, { withinMs: 30_000 })
}

async function tryFocus({ page }: Visitor): Promise<void> {
  await page.goto('/')
  await place(page, 5, PEOPLE - 1)
    .getByRole('button', { name: /^Colleague/ })
    .focus()
  const name = await focusedName(page)
  await page.mouse.move(600, 600)
  await page.mouse.wheel(0, 20_000)
  await place(page, 350, PEOPLE - 1).waitFor()
  assert.equal(await focusedName(page), name)
  // knock, write, and then the next colleague: whoever goes on by keyboard goes on from there
  for (let turn = 0; turn < 3; turn += 1) await page.keyboard.press('Tab')
  assert.equal(
    await place(page, 6, PEOPLE - 1)
      .getByRole('button')
      .first()
      .textContent(),
    await focusedName(page),
  )
  await eventually('it is in sight', () => isInSight(page, 6))
}

async function tryMessages({ page }: Visitor, { grace, ada, conversationId }: Large): Promise<void> {
  await page.goto(`/chat/${conversationId}`)
  const log = page.getByRole('log')
  await log.getByText('The last', { exact: true }).waitFor()
  await log.focus()
  const first = log.getByText('The first', { exact: true })
  let most = await expectFewNodes(page)
  let presses = 0
  await eventually(
    'the first message',
    async () => {
      await page.keyboard.press('Home')
      presses += 1
      most = Math.max(most, await expectFewNodes(page))
      return await first.isVisible()
    },
    { withinMs: 90_000, everyMs: 100 },
  )
  console.log(`    ${MESSAGES + 2} messages: at most ${most} nodes, ${presses} times Home`)
  await expectAccessible(page)
  // whoever reads what is old stays there
  await write(grace, await userIdOf(ada), 'News')
  await page.getByRole('link', { name: /Aagje Hopper.*News/ }).waitFor()
  assert.equal(await first.isVisible(), true)
  await log.focus()
  await page.keyboard.press('End')
  await log.getByText('News', { exact: true }).waitFor()
  await eventually('its end', () => log.evaluate(isAtEnd))
}

async function tryAudit({ page }: Visitor, { ada }: Large): Promise<void> {
  await page.goto('/administration?part=trail')
  const trail = page.getByRole('region', { name: 'Audit trail' })
  await trail.getByRole('row').nth(1).waitFor()
  await trail.focus()
  // whoever is at the end while all is read again gets what comes after it all the same
  const released = Promise.withResolvers<void>()
  await page.route(AUDIT_TRAIL, async (route) => {
    await released.promise
    await route.continue()
  })
  await Promise.all([page.waitForRequest(AUDIT_TRAIL), ada.client.call('createRoom', { name: 'One more' })])
  await page.keyboard.press('End')
  await trail.locator(`tr[aria-rowindex="${AUDIT_PAGE + 1}"]`).waitFor()
  released.resolve()
  await eventually(
    'the first entry',
    async () => {
      await page.keyboard.press('End')
      return await trail.getByText('Organization created').isVisible()
    },
    { everyMs: 100 },
  )
  assert.ok((await trail.getByRole('row').count()) < ROOMS)
  const entries = Number(await trail.getByRole('table').getAttribute('aria-rowcount'))
  assert.ok(entries > ROOMS, `${entries} entries`)
  assert.equal(await trail.getByRole('row').last().getAttribute('aria-rowindex'), String(entries))
  await expectAccessible(page)
}

async function expectFewNodes(page: Page): Promise<number> {
  const nodes = await page.evaluate(() => document.getElementsByTagName('*').length)
  assert.ok(nodes <= NODES_MAX, `${nodes} nodes`)
  return nodes
}

async function focusedName(page: Page): Promise<string | null> {
  return await page.evaluate(() => document.activeElement?.textContent ?? null)
}

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: Element): boolean {
  return scrollHeight - scrollTop - clientHeight < 2
}

async function isInSight(page: Page, number: number): Promise<boolean> {
  return await page.evaluate((position) => {
    const { top, bottom } =
      document.querySelector(`.list-row[aria-posinset="${position}"]`)?.getBoundingClientRect() ??
      new DOMRect()
    return bottom > top && top < innerHeight && bottom > 0
  }, number)
}
