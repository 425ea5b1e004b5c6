import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import type { Fragile } from './fragile.ts'
import type { WebPerson } from './people.ts'
import { userIdOf, write } from './scene.ts'
import { asVisitor, type Visitor } from './visitor.ts'

const AWAY = 'The office does not answer'

/** The page without a network: it comes up, sends what was written when the office is back, and is never an old one. */
export async function tryOffline(fragile: Fragile, check: Check): Promise<void> {
  const { office, gate, scene } = fragile
  const { ada, grace } = scene
  await check('offline: a page that is loaded again comes up, and sends what was written meanwhile', () =>
    asVisitor(office, 'offline', async (visitor) => {
      const { page } = visitor
      const conversationId = await write(ada, await userIdOf(grace), 'Before')
      await ada.enter(visitor)
      await page.goto(`/chat/${conversationId}`)
      await page.getByText('Before').first().waitFor()
      await shellIsKept(page)
      try {
        gate.cut()
        await compose(page, 'Written without a network')
        await page.reload()
        await page.getByRole('heading', { name: AWAY }).waitFor()
        await page.getByText('what you wrote waits here').waitFor()
        await page.goto('/people')
        await page.getByRole('heading', { name: AWAY }).waitFor()
      } finally {
        gate.mend()
      }
      await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
      await expectSent(grace, conversationId, 'Written without a network')
      // what the network said meanwhile is in the console
      visitor.complaints.splice(0)
    }),
  )
  await check('offline: a private window sends what was written before it loads itself again', () =>
    asVisitor(office, 'offline-private', (visitor) => writeAndGo(fragile, visitor), {
      serviceWorkers: 'block',
    }),
  )
  await check(
    'offline: nothing that the office says is kept, and no old page is shown while it answers',
    () =>
      asVisitor(office, 'offline-next', async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/people')
        await shellIsKept(page)
        const kept = await keptPaths(page)
        assert.ok(kept.length > 20, kept.join())
        assert.deepEqual(
          kept.filter(
            (path) => !/^\/(assets\/[^/]+\.(js|css)|favicon\.svg|manifest\.webmanifest)?$/.test(path),
          ),
          [],
        )
        // as an earlier build would have left it
        await page.evaluate(
          `caches.keys().then(async ([name]) => (await caches.open(name)).put('/', new Response('an old page')))`,
        )
        await page.reload()
        await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
      }),
  )
}

/** A private window: neither scripts nor messages are kept, and loading the page again would lose them. */
async function writeAndGo({ gate, scene }: Fragile, { page, context, complaints }: Visitor): Promise<void> {
  const { ada, grace } = scene
  const conversationId = await write(ada, await userIdOf(grace), 'Before')
  await context.addInitScript(`Object.defineProperty(globalThis, 'indexedDB', { value: undefined })`)
  await ada.enter({ context })
  await page.goto(`/chat/${conversationId}`)
  await page.getByText('Before').first().waitFor()
  try {
    gate.cut()
    await compose(page, 'Kept nowhere')
    await page.getByRole('link', { name: 'People', exact: true }).click()
    // longer than it takes to find out that the office does not answer
    await pause(3_000)
  } finally {
    gate.mend()
  }
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  await expectSent(grace, conversationId, 'Kept nowhere')
  complaints.splice(0)
}

async function compose(page: Page, text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /^Write to/ })
  await composer.fill(text)
  await composer.press('Enter')
  await page.getByText(text).first().waitFor()
}

async function expectSent(by: WebPerson, conversationId: number, text: string): Promise<void> {
  await eventually('the message is sent', async () => {
    const { messages } = await by.client.call('listMessages', { conversationId })
    return messages.some(({ content }) => content === text)
  })
}

/** There is a worker that runs, and it has its files. */
async function shellIsKept(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await eventually('the shell is kept', async () => (await keptPaths(page)).includes('/'))
}

async function keptPaths(page: Page): Promise<string[]> {
  return (await page.evaluate(
    `caches.keys().then(async (names) => (await Promise.all(names.map(async (name) =>
      (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())`,
  )) as string[]
}
