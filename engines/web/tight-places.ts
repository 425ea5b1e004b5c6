import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import {
  asVisitor,
  expectApart,
  expectNoSidewaysScroll,
  expectWithin,
  PERMITTED,
  PHONE,
  type WebOffice,
} from './visitor.ts'

const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenträger'
const LONG_OFFICE = 'Gesellschaft für außerordentlich lange Organisationsnamen und Co. KG'
const PHONE_ON_ITS_SIDE = { width: 844, height: 390 }
/** A laptop's window at 200 %. */
const LARGE_PRINT = { width: 640, height: 400 }
const TABLET = { width: 768, height: 1024 }

/** Long names and small windows: what is pressed or filled in stays in sight, within what it belongs to. */
export async function tryTightPlaces(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Places' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  await grace.client.call('updateProfile', { displayName: LONG_NAME })
  const other = await newPerson(office, 'Alan Turing', { found: LONG_OFFICE })
  await ada.client.call('joinOrganization', { inviteToken: await inviteTokenOf(other) })
  await tryLongNames(office, ada, check)
  await trySmallWindows(office, ada, check)
  await tryChat(office, ada, check)
  // in the conversation that stands by now
  await tryLongOnPhone(office, { ada, grace }, check)
  await tryControls(office, ada, check)
  await tryTrail(office, ada, check)
  await tryGuest(office, ada, check)
}

async function tryLongNames(office: WebOffice, ada: WebPerson, check: Check): Promise<void> {
  await check('tight places: a long name leaves its dialog as wide as it is', () =>
    asVisitor(office, 'tight-conversation', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/chat')
      await page.getByRole('button', { name: 'New' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(LONG_NAME).waitFor()
      await expectWithin(dialog.getByText(LONG_NAME), dialog)
      await expectWithin(dialog.getByRole('button', { name: 'Start' }), dialog)
    }),
  )
  await check('tight places: a long organization leaves the menu of oneself as wide as it is', () =>
    asVisitor(office, 'tight-status', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/settings')
      await page.getByRole('button', { name: /Change your status/ }).click()
      const menu = page.getByRole('dialog')
      await expectWithin(menu.getByRole('button', { name: `Switch to ${LONG_OFFICE}` }), menu)
      await expectWithin(menu.getByRole('button', { name: 'Save' }), menu)
    }),
  )
}

async function tryLongOnPhone(
  office: WebOffice,
  { ada, grace }: { ada: WebPerson; grace: WebPerson },
  check: Check,
): Promise<void> {
  await check('tight places: a question about a long name keeps its buttons within, on a phone', () =>
    asVisitor(
      office,
      'tight-question',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/people')
        await page
          .getByRole('button', { name: new RegExp(LONG_NAME) })
          .last()
          .click()
        await page.getByRole('menuitem', { name: /Remove/ }).click()
        const question = page.getByRole('alertdialog')
        for (const button of await question.getByRole('button').all()) await expectWithin(button, question)
        await expectNoSidewaysScroll(page)
      },
      { viewport: PHONE },
    ),
  )
  await check('tight places: a conversation on a phone says with whom it is, also where they can talk', () =>
    asVisitor(office, 'tight-free', async (free) => {
      await grace.enter(free)
      await free.page.goto('/')
      await asVisitor(
        office,
        'tight-head',
        async (visitor) => {
          const { page } = visitor
          await ada.enter(visitor)
          await page.goto('/chat')
          await page.getByRole('link', { name: LONG_NAME }).click()
          await page.getByRole('button', { name: 'Sprechen' }).waitFor()
          const { width = 0 } = (await page.locator('.chat-pane-head .chat-title').boundingBox()) ?? {}
          assert.ok(width >= 80, `the name has ${width}`)
        },
        { viewport: PHONE, locale: 'de-DE' },
      )
    }),
  )
  await check('tight places: the status of colleagues is a word as well', () =>
    asVisitor(office, 'tight-status-word', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/chat')
      await page.getByRole('link', { name: new RegExp(`${LONG_NAME}.*(Offline|Available)$`) }).waitFor()
    }),
  )
}

async function trySmallWindows(office: WebOffice, ada: WebPerson, check: Check): Promise<void> {
  await check('tight places: oneself is in sight on a phone held sideways', () =>
    asVisitor(
      office,
      'tight-rail',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/settings')
        const { y = 0, height = 0 } =
          (await page.getByRole('button', { name: /Change your status/ }).boundingBox()) ?? {}
        assert.ok(y > 0 && y + height <= PHONE_ON_ITS_SIDE.height, `oneself is at ${y} to ${y + height}`)
      },
      { viewport: PHONE_ON_ITS_SIDE },
    ),
  )
  await check('tight places: on a tablet the list of conversations has the window, or one of them', () =>
    asVisitor(
      office,
      'tight-chat',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/chat')
        await page.getByRole('button', { name: 'New' }).click()
        await page.getByRole('checkbox', { name: LONG_NAME }).check()
        await page.getByRole('button', { name: 'Start' }).click()
        await page.getByRole('textbox', { name: `Write to ${LONG_NAME}` }).waitFor()
        assert.ok(((await page.locator('.chat-pane').boundingBox())?.width ?? 0) > TABLET.width * 0.75)
        await page.getByRole('link', { name: 'All conversations' }).click()
        await page.getByRole('button', { name: 'New' }).waitFor()
      },
      { viewport: TABLET },
    ),
  )
}

async function tryChat(office: WebOffice, ada: WebPerson, check: Check): Promise<void> {
  for (const [name, viewport] of Object.entries({ LARGE_PRINT, PHONE_ON_ITS_SIDE })) {
    const picture = `tight-${name.toLowerCase().replaceAll('_', '-')}`
    const { width, height } = viewport
    await check(`tight places: half of a window of ${width} by ${height} shows messages`, () =>
      asVisitor(
        office,
        picture,
        async (visitor) => {
          const { page } = visitor
          await ada.enter(visitor)
          await page.goto('/chat')
          await page.getByRole('link', { name: LONG_NAME }).click()
          await page.getByRole('textbox', { name: `Write to ${LONG_NAME}` }).waitFor()
          const log = await page.getByRole('log').boundingBox()
          assert.ok((log?.height ?? 0) >= height / 2, `messages have ${log?.height} of ${height}`)
          await expectNoSidewaysScroll(page)
        },
        { viewport },
      ),
    )
  }
  await check('tight places: a phone says that a conversation is not there, and leads on', () =>
    asVisitor(
      office,
      'tight-nothing',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        for (const address of ['/chat/99999999', '/chat/nothing']) {
          await page.goto(address)
          await page.getByText('Conversation not found').waitFor()
          await page.getByRole('link', { name: 'All conversations' }).click()
          await page.getByRole('button', { name: 'New' }).waitFor()
        }
      },
      { viewport: PHONE },
    ),
  )
}

async function tryControls(office: WebOffice, ada: WebPerson, check: Check): Promise<void> {
  await check('tight places: German words of the controls are whole on a small phone', () =>
    asVisitor(
      office,
      'tight-controls',
      async (visitor) => {
        const { page } = visitor
        const { room } = await ada.client.call('createRoom', { name: 'Küche' })
        await ada.enter(visitor)
        await page.goto(`/room/${room.id}`)
        await page.getByRole('button', { name: 'Raum betreten' }).click()
        const controls = page.getByRole('toolbar', { name: 'Bedienung' })
        await controls.waitFor()
        const cut = await controls
          .locator('.control-label, .control-word')
          .evaluateAll((words) =>
            words
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
              .map((word) => word.textContent),
          )
        assert.deepEqual(cut, [])
        for (const button of await controls.getByRole('button').all()) await expectWithin(button, controls)
      },
      { ...PERMITTED, viewport: { width: 320, height: 640 }, locale: 'de-DE' },
    ),
  )
}

async function tryTrail(office: WebOffice, ada: WebPerson, check: Check): Promise<void> {
  await check('tight places: what was done, and to what, is read on a phone', () =>
    asVisitor(
      office,
      'tight-trail',
      async (visitor) => {
        const { page } = visitor
        await ada.client.call('createRoom', { name: LONG_NAME })
        await ada.enter(visitor)
        await page.goto('/administration?part=trail')
        const trail = page.getByRole('region', { name: 'Audit trail' })
        const row = trail.getByRole('row').filter({ hasText: LONG_NAME }).filter({ hasText: 'Room created' })
        await row.waitFor()
        for (const cell of await row.getByRole('cell').all()) {
          await expectWithin(cell, trail)
          assert.ok(await cell.evaluate((element) => element.scrollWidth <= element.clientWidth))
        }
      },
      { viewport: PHONE },
    ),
  )
}

async function tryGuest(office: WebOffice, ada: WebPerson, check: Check): Promise<void> {
  await check(
    'tight places: the name of a guest is not under the button, whatever stands above it',
    async () => {
      const { room } = await ada.client.call('createRoom', { name: 'Parlour' })
      const { currentOrganizationId: orgId } = await ada.client.call('getCurrentUser')
      const invitation = { orgId, roomId: room.id, durationSeconds: 3_600, allowAll: true }
      const { inviteUrl } = await ada.client.call('inviteGuest', invitation)
      await asVisitor(
        office,
        'tight-guest',
        async ({ page }) => {
          await page.addInitScript(() => {
            navigator.mediaDevices.getUserMedia = () =>
              Promise.reject(new DOMException('denied', 'NotAllowedError'))
          })
          await page.goto(inviteUrl)
          await page.getByText('Microphone and camera: your browser does not allow it.').waitFor()
          const [field, press] = [
            page.getByLabel('Your name'),
            page.getByRole('button', { name: 'Ask to join' }),
          ]
          await field.and(page.locator(':focus')).waitFor()
          await expectApart(field.or(press))
        },
        { viewport: PHONE, locale: 'en-GB' },
      )
    },
  )
}
