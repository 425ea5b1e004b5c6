import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { newPerson } from './people.ts'
import { joinUnseen, leaveUnseen } from './plan.ts'
import {
  asVisitor,
  expectAccessible,
  expectFocus,
  expectNoSidewaysScroll,
  expectWithin,
  PHONE,
  type WebOffice,
} from './visitor.ts'

/** One of the five that the screen is divided into. */
async function openPart(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
  await page.getByRole('tab', { name, selected: true }).waitFor()
}

async function inMenu(page: Page, room: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `More about ${room}` }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Says yes to what is asked. */
async function answer(page: Page, name: string): Promise<void> {
  await page.getByRole('alertdialog').getByRole('button', { name }).press('Enter')
}

/** An administrator with the organization, its rooms, tokens, webhooks and audit trail. */
export async function tryAdministration(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  await ada.client.call('createRoom', { name: 'Kitchen' })
  await check('administration: name and rooms change for everybody', () =>
    asVisitor(office, 'administration', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/administration')
      await page.getByLabel('Name').fill('Difference Engines')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('banner').getByText('Difference Engines').waitFor()
      await openPart(page, 'Trail and limits')
      const limits = page.getByRole('list', { name: 'Limits' })
      await limits.getByRole('listitem').filter({ hasText: 'Rooms' }).getByText('1 / 1,000').waitFor()
      await limits.getByText('Invitations per day').waitFor()
      await openPart(page, 'Rooms and recordings')
      await page.getByRole('button', { name: 'More about Kitchen' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Settings' }).press('Enter')
      const settings = page.getByRole('dialog', { name: 'Settings of Kitchen' })
      await settings.getByLabel('Name').fill('Canteen')
      await settings.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('row', { name: /^Canteen/ }).waitFor()
      await inMenu(page, 'Canteen', 'Settings')
      const renamedSettings = page.getByRole('dialog', { name: 'Settings of Canteen' })
      await renamedSettings.getByRole('button', { name: /Seats$/ }).click()
      await page.getByRole('option', { name: '12' }).click()
      await expectAccessible(page)
      await renamedSettings.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('row', { name: 'Canteen Meeting room 12 Open Off More about Canteen' }).waitFor()
      await inMenu(page, 'Canteen', 'Delete')
      await expectAccessible(page)
      await answer(page, 'Delete')
      await page.getByText('There are no rooms yet.').waitFor()
      await page.getByRole('button', { name: 'Add a room' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Attic')
      await page.keyboard.press('Enter')
      await inMenu(page, 'Attic', 'Delete')
      await answer(page, 'Delete')
      await page.getByText('There are no rooms yet.').waitFor()
      await openPart(page, 'Trail and limits')
      await limits.getByRole('listitem').filter({ hasText: 'Rooms' }).getByText('0 / 1,000').waitFor()
      const trail = page.getByRole('region', { name: 'Audit trail' })
      const renamed = trail.getByText('Organization renamed: Analytical Engines → Difference Engines').first()
      await renamed.waitFor()
      await page.getByRole('button', { name: /What$/ }).click()
      await page.getByRole('option', { name: 'Room deleted' }).click()
      await renamed.waitFor({ state: 'detached' })
      await trail.getByText('Room deleted').first().waitFor()
      await expectAccessible(page)
    }),
  )
  await check('administration: rooms are moved by the menu, and a locked door is opened', () =>
    asVisitor(
      office,
      'administration-rooms',
      async (visitor) => {
        const { page } = visitor
        for (const name of ['Kitchen', 'Library', 'Stage']) await ada.client.call('createRoom', { name })
        const order = async () => {
          const { rooms } = await ada.client.call('listRooms')
          return rooms.map(({ name }) => name).join()
        }
        await ada.enter(visitor)
        await page.goto('/administration?part=rooms')
        await page.getByRole('row', { name: /^Stage/ }).waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        const more = page.getByRole('button', { name: 'More about Stage' })
        await more.press('Enter')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.getByText('Stage is number 2 of 3').waitFor()
        assert.equal(await order(), 'Kitchen,Stage,Library')
        assert.equal(await more.evaluate((element) => element === document.activeElement), true)
        await page.getByRole('row').nth(2).filter({ hasText: 'Stage' }).waitFor()
        const { rooms } = await ada.client.call('listRooms')
        const roomId = rooms[0]?.id ?? ''
        await joinUnseen(office, ada, roomId)
        await page
          .getByRole('row', { name: /^Kitchen/ })
          .getByText('1 inside')
          .waitFor()
        await ada.client.call('lockRoom', { roomId, locked: true })
        await page
          .getByRole('row', { name: /^Kitchen/ })
          .getByText('Knock first')
          .waitFor()
        await expectAccessible(page)
        await inMenu(page, 'Kitchen', 'Open the door')
        await page.getByText('Knock first').waitFor({ state: 'detached' })
        await leaveUnseen(office, ada, roomId)
        for (const { id } of rooms) await ada.client.call('deleteRoom', { roomId: id })
      },
      { viewport: PHONE, colorScheme: 'dark' },
    ),
  )
  await check('administration: a token and a webhook are made, shown once, and end', () =>
    asVisitor(
      office,
      'administration-phone',
      async (visitor) => {
        const { page } = visitor
        const old = await ada.client.call('createServiceToken', {
          name: 'Old display',
          operations: ['listMembers'],
        })
        await ada.enter(visitor)
        await page.goto('/administration')
        await page.getByRole('tab', { name: 'Office' }).press('End')
        await page.keyboard.press('ArrowLeft')
        await page.getByRole('button', { name: 'New token' }).click()
        await page.getByRole('dialog').getByLabel('Name').fill('Door display')
        await page.getByRole('checkbox', { name: 'add rooms' }).press('Space')
        await page.getByRole('button', { name: 'Create', exact: true }).click()
        await page.getByText(/^atr_/).waitFor()
        // it is shown once: nothing but its button takes it away
        await page.keyboard.press('Escape')
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Done' }).click()
        await expectFocus(page)
        await page.getByText(/^add rooms · until .* · never used$/).waitFor()
        await page.getByRole('button', { name: 'Revoke Door display' }).press('Enter')
        await expectAccessible(page)
        await answer(page, 'Revoke')
        await page.locator('.list-title', { hasText: 'Door display' }).waitFor({ state: 'detached' })
        await expectFocus(page)
        // another administrator was faster: the row goes all the same
        await ada.client.call('revokeServiceToken', { id: old.id })
        await page.getByRole('button', { name: 'Revoke Old display' }).press('Enter')
        await answer(page, 'Revoke')
        await page.getByText('No program acts for this organization.').waitFor()
        await expectFocus(page)
        await page.getByRole('button', { name: 'New webhook' }).click()
        await page.getByLabel('Address').fill('http://127.0.0.1:9/events')
        // a press beside the form takes nothing away
        await page.mouse.click(2, 2)
        await page.getByRole('checkbox', { name: 'room.created' }).press('Space')
        await page.getByRole('button', { name: 'Create', exact: true }).click()
        await page.getByText(/^whsec_/).waitFor()
        await page.getByRole('button', { name: 'Done' }).click()
        const about = page.getByRole('button', { name: /More about http/ })
        await about.click()
        await page.getByRole('menuitem', { name: 'Deliveries' }).click()
        const deliveries = page.getByRole('dialog', { name: /^Deliveries to/ })
        // it has not agreed to anything: nothing but the test was sent
        await deliveries
          .getByText(/webhook.test|Nothing was sent/)
          .first()
          .waitFor()
        await expectAccessible(page)
        await deliveries.getByRole('button', { name: 'Done' }).click()
        await about.click()
        await page.getByRole('menuitem', { name: 'New secret' }).click()
        await answer(page, 'New secret')
        await page.getByText(/^whsec_/).waitFor()
        await page.getByRole('button', { name: 'Done' }).click()
        await about.click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await answer(page, 'Delete')
        await page.getByText('No webhooks yet: no other program is told what happens here.').waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      },
      { viewport: PHONE },
    ),
  )
  await check('administration: a domain is claimed, with its record to copy, looked for, and given up', () =>
    asVisitor(
      office,
      'administration-domains',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/administration?part=trail')
        const last = page.getByRole('tab', { name: 'Trail and limits', selected: true })
        await last.waitFor()
        await expectWithin(last, page.getByRole('tablist'))
        await openPart(page, 'People and access')
        const add = page.getByRole('button', { name: 'Add' })
        await page.getByLabel('Domain', { exact: true }).fill('gmail.com')
        await add.click()
        await page.getByText('Enter a domain that is your organization’s alone').waitFor()
        await page.getByLabel('Domain', { exact: true }).fill('engines.example')
        await add.press('Enter')
        const domain = page.getByRole('region', { name: 'engines.example' })
        await domain.getByText('_atrium.engines.example').waitFor()
        await domain.getByText(/^atrium-domain-verification=dns_/).waitFor()
        await domain.getByRole('button', { name: 'Check the record of engines.example' }).click()
        // nobody can publish it: there is no such domain, or this machine knows no DNS
        await domain.getByText(/was not found|does not answer/).waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await domain.getByRole('button', { name: 'Remove engines.example' }).click()
        await expectAccessible(page)
        await answer(page, 'Remove')
        await page.getByText('No domain yet.').waitFor()
      },
      { viewport: PHONE },
    ),
  )
  await check('administration: a directory is connected, its token shown once, and revoked', () =>
    asVisitor(office, 'administration-directory', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/')
      await page.getByRole('link', { name: 'Administration' }).click()
      await openPart(page, 'People and access')
      await page.getByRole('button', { name: 'Connect a directory' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Entra')
      await page.keyboard.press('Enter')
      await page.getByText(/^atrscim_/).waitFor()
      await backAndForth(page)
      await page.getByText(/^atrscim_/).waitFor()
      await page.getByText(`${office.url}/scim/v2`).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Revoke Entra' }).click()
      await answer(page, 'Revoke')
      await page.getByText('No directory is connected.').waitFor()
    }),
  )
  await check(
    'administration: how long things are kept is decided, refused beyond what the office keeps, and taken back',
    () =>
      asVisitor(
        office,
        'administration-retention',
        async (visitor) => {
          const { page } = visitor
          await ada.enter(visitor)
          await page.goto('/administration')
          await openPart(page, 'Rooms and recordings')
          const card = page.locator('.card', {
            has: page.getByRole('heading', { name: 'How long things are kept' }),
          })
          await card.getByText('90 days, as set for this office').waitFor()
          const decide = async (label: string, days: string) => {
            await card.getByRole('button', { name: 'Change' }).click()
            await page.getByRole('dialog').getByLabel(label).fill(days)
            await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
          }
          await decide('Recordings, in days', '91')
          await page.getByText('This office keeps it for at most 90 days').waitFor()
          await expectAccessible(page)
          await page.getByRole('dialog').getByLabel('Recordings, in days').fill('30')
          await page.keyboard.press('Enter')
          await card.getByText('30 days', { exact: true }).waitFor()
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
          await decide('Recordings, in days', '')
          await card.getByText('90 days, as set for this office').waitFor()
        },
        { viewport: PHONE },
      ),
  )
  await check('administration: an archive of the organization is made, and can be fetched', () =>
    asVisitor(office, 'administration-export', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      const settings = '**/organizations/settings/get'
      await page.route(settings, (route) =>
        route.fulfill({ status: 404, json: { code: 404, message: 'no' } }),
      )
      await page.goto('/administration')
      const again = page.getByRole('button', { name: 'Try again' })
      await again.waitFor()
      await page.unroute(settings)
      // unless it has been read again since the connection stands
      await again.press('Enter', { timeout: 2_000 }).catch(() => {})
      const programs = page.getByRole('switch', { name: 'Programs may come into rooms' })
      await programs.press('Space')
      await page.getByText('Saved').waitFor()
      assert.equal(await programs.evaluate((element) => element === document.activeElement), true)
      const card = page.locator('.card', {
        has: page.getByRole('heading', { name: 'Export of the organization' }),
      })
      await card.getByRole('button', { name: 'Create an archive' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        card.getByRole('button', { name: 'Download' }).click(),
      ])
      assert.match(download.suggestedFilename(), /\.tar/)
    }),
  )
}

/** Asks the browser to go back, and waits until it stands again where it was. */
async function backAndForth(page: Page): Promise<void> {
  const before = page.url()
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        let moves = 0
        addEventListener('popstate', () => ++moves === 2 && done())
        setTimeout(done, 5_000)
        history.back()
      }),
  )
  assert.equal(page.url(), before)
}
