import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import type { Check } from '../engine.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  newVisitor,
  PHONE,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

/** Two people who send each other a file and a screenshot, one of them on a phone. */
export async function tryChatFiles(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const [atAda, atGrace] = [await newVisitor(office), await newVisitor(office, { viewport: PHONE })]
  const [adas, graces] = [atAda.page, atGrace.page]
  const screenshot = await sharp({ create: { width: 1_600, height: 900, channels: 3, background: '#468' } })
    .png()
    .toBuffer()
  try {
    await ada.enter(atAda)
    await grace.enter(atGrace)
    await check('chat files: what is chosen is uploaded, taken back, and sent with a text', async () => {
      await adas.goto('/chat')
      await adas.getByRole('button', { name: 'New' }).click()
      await adas.getByRole('checkbox', { name: 'Grace Hopper' }).press('Space')
      await adas.getByRole('button', { name: 'Start' }).click()
      await adas.getByRole('button', { name: 'Attach files' }).waitFor()
      const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan') }
      const other = { ...plan, name: 'other.txt' }
      await adas.locator('.composer input[type=file]').first().setInputFiles([plan, other])
      const uploads = adas.getByRole('list', { name: 'Files of this message' })
      await uploads.getByText('plan.txt').waitFor()
      // they wait where they are, as the text does
      await adas.getByRole('link', { name: 'People' }).click()
      await uploads.waitFor({ state: 'detached' })
      await adas.goBack()
      await adas.getByRole('button', { name: 'Remove other.txt' }).click()
      await expectAccessible(adas)
      await adas.getByRole('textbox', { name: 'Write to Grace Hopper' }).fill('Here it is')
      await adas.keyboard.press('Enter')
      await adas.getByRole('log').getByRole('button', { name: 'Download plan.txt' }).waitFor()
      await uploads.waitFor({ state: 'detached' })
    })
    await check('chat files: a pasted screenshot is a picture, and has a larger view', async () => {
      await adas.getByRole('textbox', { name: 'Write to Grace Hopper' }).evaluate(
        (field, bytes) => {
          const data = new DataTransfer()
          data.items.add(new File([new Uint8Array(bytes)], 'screen.png', { type: 'image/png' }))
          field.dispatchEvent(
            new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
          )
        },
        [...screenshot],
      )
      await adas.getByText('screen.png').waitFor()
      await adas.getByRole('button', { name: 'Send' }).click()
      await graces.goto('/chat')
      await graces.getByRole('link', { name: /Ada Lovelace/ }).click()
      const picture = graces.getByRole('button', { name: 'Show screen.png larger' })
      await picture.locator('img').waitFor()
      const widthOf = () => picture.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)
      await graces.waitForFunction(() => document.querySelector<HTMLImageElement>('.picture img')?.complete)
      assert.equal(await widthOf(), 960)
      await expectNoSidewaysScroll(graces)
      await expectAccessible(graces)
      await picture.click()
      await graces.getByRole('dialog').locator('img').waitFor()
      await graces.screenshot({ path: `${office.pictures}/chat-picture.png` })
      await graces.getByRole('button', { name: 'Close' }).click()
    })
    await check('chat files: text that is pasted with a picture of it stays text', async () => {
      const isLeft = await adas.getByRole('textbox', { name: 'Write to Grace Hopper' }).evaluate((field) => {
        const data = new DataTransfer()
        data.setData('text/plain', 'A\tB')
        data.items.add(new File([new Uint8Array(8)], 'image.png', { type: 'image/png' }))
        const init = { clipboardData: data, bubbles: true, cancelable: true }
        return field.dispatchEvent(new ClipboardEvent('paste', init))
      })
      assert.equal(isLeft, true)
      assert.equal(await adas.getByRole('list', { name: 'Files of this message' }).count(), 0)
    })
    await check(
      'chat files: what is dropped on the messages is attached, elsewhere nothing comes of it',
      () => tryDrop(atAda),
    )
    await check('chat files: one that is chosen without a network goes on by itself, the first one too', () =>
      tryOffline(office, ada),
    )
    await check('chat files: a file is kept by whoever reads the message', async () => {
      const kept = graces.waitForEvent('download')
      await graces.getByRole('button', { name: 'Download plan.txt' }).click()
      const file = await kept
      assert.equal(file.suggestedFilename(), 'plan.txt')
      assert.equal(await readFile(await file.path(), 'utf8'), 'The plan')
      expectQuiet(atAda)
      expectQuiet(atGrace)
    })
  } finally {
    await atAda.context.close()
    await atGrace.context.close()
  }
}

/** What uploads is not loaded with the first file: there may be nothing to load it by. */
async function tryOffline(office: WebOffice, ada: WebPerson): Promise<void> {
  const { page, context } = await newVisitor(office)
  try {
    await ada.enter({ context })
    await page.goto('/chat')
    await page.getByRole('link', { name: /Grace Hopper/ }).click()
    await page.getByRole('button', { name: 'Attach files' }).waitFor()
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan') }
    await page.locator('.composer input[type=file]').first().setInputFiles(plan)
    const uploads = page.getByRole('list', { name: 'Files of this message' })
    await uploads.getByText('The network is gone').waitFor()
    await context.setOffline(false)
    await uploads.getByText('The network is gone').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send' }).click()
    await uploads.waitFor({ state: 'detached' })
  } finally {
    await context.close()
  }
}

async function tryDrop({ page, context }: Visitor): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-dropped-'))
  const session = await context.newCDPSession(page)
  const hold = async (over: Locator, ...types: ('dragEnter' | 'dragOver' | 'drop')[]) => {
    const { x, y, width, height } = (await over.boundingBox()) ?? assert.fail('it is not shown')
    const items = [{ mimeType: 'text/plain', data: '' }]
    const data = { items, files: [join(folder, 'dropped.txt')], dragOperationsMask: 1 }
    for (const type of types)
      await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
  }
  try {
    await writeFile(join(folder, 'dropped.txt'), 'The plan')
    await hold(page.getByRole('log'), 'dragEnter', 'dragOver')
    await page.locator('[data-drop="Attach files"]').waitFor()
    await hold(page.getByRole('log'), 'drop')
    await page.getByRole('list', { name: 'Files of this message' }).getByText('dropped.txt').waitFor()
    assert.equal(await page.locator('[data-drop]').count(), 0)
    await page.getByRole('button', { name: 'Remove dropped.txt' }).click()
    const address = page.url()
    await hold(page.getByRole('navigation').first(), 'dragEnter', 'dragOver', 'drop')
    await page.getByRole('textbox', { name: 'Write to Grace Hopper' }).waitFor()
    assert.deepEqual([page.url(), context.pages().length], [address, 1])
    assert.equal(await page.getByText('dropped.txt').count(), 0)
  } finally {
    await session.detach()
    await rm(folder, { recursive: true, force: true })
  }
}
