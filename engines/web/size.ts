import assert from 'node:assert/strict'
import pg from 'pg'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { openOperatedOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import { asVisitor, type Visitor, type WebOffice } from './visitor.ts'

const PEOPLE = 1_000
const ROOMS = 60
const CHANGES = 30
const MANY_CHANGES = 100

/** A large organization on the floor. That it works is held; how fast it is, is told: a busy machine is no defect. */
export async function trySize(office: WebOffice, check: Check): Promise<void> {
  const ends: Ends = []
  try {
    const { ada, grace, large } = await openLarge(office, ends)
    await check(`size: ${PEOPLE} colleagues who are online, and ${ROOMS} rooms`, () =>
      asVisitor(large, 'size', async (visitor) => {
        const { page } = visitor
        await page.addInitScript(watchFloor)
        await ada.enter(visitor)
        const times: number[] = []
        for (let turn = 0; turn < 4; turn += 1) times.push(await openFloor(page))
        console.log(
          `    floor: ${times.map((time) => `${Math.round(time)} ms`).join(', ')} (the first one loads all)`,
        )
        // all are online but the one who has never been there
        await page.getByText(`Show ${PEOPLE - 2 - 60} more`).waitFor()
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
    await check('size: what is seen first of the sign-in', () =>
      asVisitor(large, 'size-sign-in', async ({ page }) => {
        await page.addInitScript(watchVitals)
        await page.goto('/sign-in')
        await page.getByRole('button', { name: 'Create an account' }).waitFor()
        const { lcp, cls } = await page.evaluate(() => (globalThis as unknown as Vitals).vitals)
        console.log(`    sign-in: LCP ${Math.round(lcp)} ms, CLS ${cls.toFixed(3)}`)
        assert.ok(cls < 0.1, `CLS ${cls}`)
      }),
    )
  } finally {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
}

async function tryChanges(visitor: Visitor, ada: WebPerson, grace: WebPerson): Promise<void> {
  const { page } = visitor
  await page.addInitScript(watchFloor)
  await ada.enter(visitor)
  await openFloor(page)
  const painted: number[] = []
  for (let turn = 0; turn < CHANGES; turn += 1) painted.push(await changeOf(grace, page, turn))
  painted.sort((a, b) => a - b)
  const at = (part: number) => Math.round(painted[Math.floor(painted.length * part)] ?? 0)
  console.log(`    a status, from its arrival until it is painted: median ${at(0.5)} ms, most ${at(0.99)} ms`)
  const before = await heapOf(visitor)
  for (let turn = 0; turn < MANY_CHANGES; turn += 1) await changeOf(grace, page, turn)
  const after = await heapOf(visitor)
  console.log(`    memory over ${MANY_CHANGES} changes: ${before.toFixed(1)} MB, then ${after.toFixed(1)} MB`)
  assert.ok(after < before * 1.5 + 5, `${after} MB`)
}

/** An office of its own, whose database is filled past its interface. */
async function openLarge(
  office: WebOffice,
  ends: Ends,
): Promise<{ ada: WebPerson; grace: WebPerson; large: WebOffice }> {
  const settings = { RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0', RATE_LIMIT_PER_USER: '0' }
  const large = { ...office, ...(await openOperatedOffice(settings, ends)) }
  const ada = await newPerson(large, 'Ada Lovelace', { found: 'Large' })
  // by name she is among those who are shown
  const grace = await newPerson(large, 'Aagje Hopper', { inviteToken: await inviteTokenOf(ada) })
  for (let number = 1; number <= ROOMS; number += 1)
    await ada.client.call('createRoom', { name: `Room ${number}` })
  await fill((await large.atrium('database-url')).trim())
  return { ada, grace, large }
}

/** Colleagues who are online for as long as nobody asks the broker. */
async function fill(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query(`update presence_poll set quiet_until = now() + interval '1 day'`)
    await client.query(
      `with people as (
        insert into users (identity_user_id, email, display_name, created_at, updated_at)
        select 'user_large' || n, 'colleague-' || n || '@large.example', 'Colleague ' || n, now(), now()
        from generate_series(1, $1::int) n returning id),
      joined as (
        insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
        select o.id, p.id, 'member', 'active', now(), now() from people p, organizations o where o.name = 'Large')
      insert into presence (organization_id, user_id, status, confirmed_at)
      select o.id, p.id, 'online', now() from people p, organizations o where o.name = 'Large'`,
      [PEOPLE - 2],
    )
  } finally {
    await client.end()
  }
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
    if (watched.interactiveAt === 0 && rooms >= 60 && rows.length >= 60)
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

/** @returns milliseconds between the arrival of a change and its paint */
async function changeOf(grace: WebPerson, page: Page, turn: number): Promise<number> {
  const note = `Turn ${turn} of ${Math.random()}`
  await page.evaluate((awaited) => {
    const { watched } = globalThis as unknown as { watched: Watched }
    Object.assign(watched, { note: awaited, messageAt: 0, paintedAt: 0 })
  }, note)
  await grace.client.call('setPresenceStatus', { status: 'online', note })
  await page.getByText(note).waitFor()
  return await eventually('the paint', () =>
    page.evaluate(() => {
      const { messageAt, paintedAt } = (globalThis as unknown as { watched: Watched }).watched
      return messageAt > 0 && paintedAt > messageAt ? paintedAt - messageAt : undefined
    }),
  )
}

/** Megabytes of the page's scripts, without what is let go already. */
async function heapOf({ context, page }: Visitor): Promise<number> {
  const session = await context.newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1_000_000
}

interface Vitals {
  vitals: { lcp: number; cls: number }
}

function watchVitals(): void {
  const vitals = { lcp: 0, cls: 0 }
  Object.assign(globalThis, { vitals })
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) vitals.lcp = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) vitals.cls += (entry as unknown as { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
}
