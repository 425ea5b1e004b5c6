import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { mailedCode } from '../mailbox.ts'
import { eventually } from '../waiting.ts'
import { newPerson, type WebPerson } from './people.ts'
import {
  asVisitor,
  expectAccessible,
  expectNoSidewaysScroll,
  newVisitor,
  PHONE,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

/** A picture of 400 by 200 pixels, made by the browser: its left half is red, its right half blue. */
const DRAW = `(async () => {
  const canvas = new OffscreenCanvas(400, 200)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f00'
  context.fillRect(0, 0, 200, 200)
  context.fillStyle = '#00f'
  context.fillRect(200, 0, 200, 200)
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
  return btoa(String.fromCharCode(...bytes))
})()`

const NO_PICTURE = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }

/** Up to the question which part of it is shown. */
export async function choosePicture(page: Page): Promise<void> {
  const buffer = Buffer.from((await page.evaluate(DRAW)) as string, 'base64')
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await page.getByRole('dialog', { name: 'Choose what is shown' }).getByRole('slider').first().waitFor()
}

/** One's own picture as the page shows it, with the colours at its left and at its right. */
async function shownPicture(page: Page): Promise<{ src: string; width: number; corners: string[] }> {
  const picture = page.locator('.own-picture img')
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.own-picture img')?.complete)
  return await picture.evaluate((element) => {
    const image = element as HTMLImageElement
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
    context.drawImage(image, 0, 0)
    const middle = Math.floor(image.naturalHeight / 2)
    const colourAt = (x: number) => {
      const [red = 0, , blue = 0] = context.getImageData(x, middle, 1, 1).data
      return red > blue ? 'red' : 'blue'
    }
    return {
      ...{ src: image.src, width: image.naturalWidth },
      corners: [colourAt(10), colourAt(image.naturalWidth - 10)],
    }
  })
}

/** In a browser that has been here before, on a network that brings no module. */
async function expectChosenAtOnce({ page }: Visitor): Promise<void> {
  await page.addInitScript(() =>
    localStorage.setItem('atrium-preferences', JSON.stringify({ theme: 'dark', language: 'de' })),
  )
  await page.route('**/assets/index-*.js', (route) => route.abort())
  await page.goto('/sign-in')
  const shown = await page.evaluate(() => {
    const colors = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
    return [
      document.documentElement.lang,
      getComputedStyle(document.documentElement).colorScheme,
      ...colors.filter(({ media }) => matchMedia(media).matches).map(({ content }) => content),
    ]
  })
  assert.deepEqual(shown, ['de', 'dark', '#0e1115'])
}

async function zoneOf({ client }: WebPerson): Promise<string | undefined> {
  return (await client.call('getCurrentUser')).timeZone
}

/** One's own name, picture, language and sessions. */
export async function trySettings(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  await check('settings: another name and a picture are seen at once', () =>
    asVisitor(office, 'settings', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/settings')
      await page.getByLabel('Name').fill('Ada, Countess of Lovelace')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('banner').getByText('Ada, Countess of Lovelace').waitFor()
      await choosePicture(page)
      await page.getByRole('slider', { name: 'Left and right' }).press('Home')
      await expectAccessible(page)
      await page.screenshot({ path: `${office.pictures}/settings-crop.png` })
      await page.getByRole('button', { name: 'Use this picture' }).press('Enter')
      await page.getByRole('button', { name: 'Remove it' }).waitFor()
      const first = await shownPicture(page)
      assert.deepEqual([first.width, first.corners], [200, ['red', 'red']])
      await expectAccessible(page)
    }),
  )
  await check('settings: quiet hours are kept for every device', () =>
    asVisitor(office, 'settings-quiet', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/settings')
      await page.getByRole('switch', { name: /^Quiet hours/ }).press('Space')
      await page.getByLabel('From', { exact: true }).fill('20:30')
      await page.getByLabel('To', { exact: true }).press('Tab')
      await eventually('the office has them', async () => {
        const { quietHours } = await ada.client.call('getNotificationSettings')
        return quietHours?.from === '20:30' && quietHours.to === '08:00'
      })
      await expectAccessible(page)
      await page.reload()
      assert.equal(await page.getByLabel('From', { exact: true }).inputValue(), '20:30')
      await page.getByRole('switch', { name: /^Quiet hours/ }).press('Space')
      await page.getByLabel('From', { exact: true }).waitFor({ state: 'detached' })
    }),
  )
  await check('settings: the clock that colleagues see is that of the device in use', async () => {
    await asVisitor(office, 'settings-clock', async (visitor) => {
      await ada.enter(visitor)
      await visitor.page.goto('/settings')
      await visitor.page.getByRole('switch', { name: /^Show my local time/ }).press('Space')
      await eventually('it is shown', async () => (await zoneOf(ada)) === 'UTC')
    })
    const inTokyo = { timezoneId: 'Asia/Tokyo' }
    await asVisitor(
      office,
      'settings-clock-elsewhere',
      async (visitor) => {
        await ada.enter(visitor)
        await visitor.page.goto('/settings')
        await eventually('it has moved along', async () => (await zoneOf(ada)) === inTokyo.timezoneId)
        await visitor.page.getByRole('switch', { name: /^Show my local time/ }).press('Space')
        await eventually('it is shown no more', async () => (await zoneOf(ada)) === undefined)
      },
      inTokyo,
    )
  })
  await check('settings: a picture is dragged to where it shall be', () =>
    asVisitor(office, 'settings-drag', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/settings')
      const before = await shownPicture(page)
      await choosePicture(page)
      const stage = page.locator('.crop-stage canvas')
      const { x, y, width, height } = (await stage.boundingBox()) ?? assert.fail('no stage')
      await page.mouse.move(x + width - 10, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + 5, y + height / 2, { steps: 8 })
      await page.mouse.up()
      assert.equal(await page.getByRole('slider', { name: 'Left and right' }).inputValue(), '1')
      await page.getByRole('button', { name: 'Use this picture' }).click()
      await page.waitForFunction(
        (src) => document.querySelector<HTMLImageElement>('.own-picture img')?.src !== src,
        before.src,
      )
      assert.deepEqual((await shownPicture(page)).corners, ['blue', 'blue'])
      await page.locator('input[type=file]').setInputFiles(NO_PICTURE)
      await page.getByText('This file is no picture that can be shown.').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }),
  )
  await check('settings: language and appearance hold on this device', () =>
    asVisitor(
      office,
      'settings-phone',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/settings')
        await page.getByRole('button', { name: /Language/ }).click()
        await page.getByRole('option', { name: 'Deutsch' }).click()
        await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor()
        await page.getByRole('button', { name: /Aussehen/ }).click()
        await page.getByRole('option', { name: 'Dunkel' }).click()
        await page.reload()
        await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor()
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
        assert.equal(await page.evaluate(() => document.documentElement.lang), 'de')
        await page.getByRole('list', { name: 'Wo du angemeldet bist' }).waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      },
      { viewport: PHONE },
    ),
  )
  await check('settings: language and appearance hold before the modules of the page have come', async () => {
    const visitor = await newVisitor(office, { serviceWorkers: 'block' })
    try {
      await expectChosenAtOnce(visitor)
    } finally {
      await visitor.context.close()
    }
  })
  await check('settings: what ends a session elsewhere ends its page', async () => {
    const [here, there] = [await newVisitor(office), await newVisitor(office)]
    try {
      const again = await ada.signInAgain()
      await ada.enter(here)
      await again.enter(there)
      await there.page.goto('/')
      await there.page.getByRole('heading', { name: 'Floor' }).waitFor()
      await here.page.goto('/settings')
      await here.page.getByRole('button', { name: 'Sign out everywhere else' }).click()
      await there.page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await there.page.getByText('You have been signed out: your session ended').waitFor()
      await expectAccessible(there.page)
      await here.page.getByText('This session').waitFor()
    } finally {
      await here.context.close()
      await there.context.close()
    }
  })
  await check('settings: an archive of one’s own data is made, and can be fetched', () =>
    asVisitor(
      office,
      'settings-export',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/settings')
        const card = page.locator('.card', {
          has: page.getByRole('heading', { name: 'Export of your data' }),
        })
        await card.getByRole('button', { name: 'Create an archive' }).click()
        await card.getByText('ready, for a day').waitFor()
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          card.getByRole('button', { name: 'Download' }).click(),
        ])
        assert.match(download.suggestedFilename(), /\.tar/)
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      },
      { viewport: PHONE },
    ),
  )
  await check('settings: another address is proven by both, and the account ends by its own', () =>
    asVisitor(office, 'settings-account', async (visitor) => {
      const { page } = visitor
      const ben = await newPerson(office, 'Ben Example', { found: 'For a while' })
      const wanted = `changed-${ben.email}`
      await ben.enter(visitor)
      await page.goto('/settings')
      await page.getByLabel('New address').fill(wanted)
      await page.getByRole('button', { name: 'Send the confirmation codes' }).click()
      await page.getByLabel(`Code that was mailed to ${ben.email}`).fill('nonsense')
      await page.getByLabel(`Code that was mailed to ${wanted}`).fill('nonsense')
      await page.getByRole('button', { name: 'Change the address' }).click()
      await page.getByText('This code is wrong or has expired.').waitFor()
      await expectAccessible(page)
      await page
        .getByLabel(`Code that was mailed to ${ben.email}`)
        .fill(await mailedCode(office.url, ben.email, 'change your address'))
      await page
        .getByLabel(`Code that was mailed to ${wanted}`)
        .fill(await mailedCode(office.url, wanted, 'your new address'))
      await page.keyboard.press('Enter')
      await page.getByText(`You sign in as ${wanted}.`, { exact: true }).waitFor()

      await page.getByRole('button', { name: 'Delete your account' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByRole('button', { name: 'Mail me a code', disabled: true }).waitFor()
      await expectAccessible(page)
      await dialog.getByLabel(`Type ${wanted} to continue`).fill(wanted)
      await dialog.getByRole('button', { name: 'Mail me a code' }).click()
      await dialog
        .getByLabel('Code from the mail')
        .fill(await mailedCode(office.url, wanted, 'delete your account'))
      await dialog.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    }),
  )
}
