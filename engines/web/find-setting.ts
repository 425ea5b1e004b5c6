import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { newPerson } from './people.ts'
import { asVisitor, expectAccessible, expectNoSidewaysScroll, PHONE, type WebOffice } from './visitor.ts'

/** The least that there is to find: less, and something has lost its entry. */
const SETTINGS_MIN = 25

interface Said {
  locale: string
  label: string
  none: string
  /** What is typed, what is found first for it, and the part that it is in. */
  typed: readonly (readonly [text: string, label: string, part: string])[]
}

const ENGLISH: Said = {
  locale: 'en-GB',
  label: 'Find a setting',
  none: 'No setting is called that.',
  typed: [
    ['guests', 'How this office works', 'Office'],
    ['lets guests', 'Who lets guests in', 'Office'],
    ['scim', 'Directories', 'People and access'],
    ['recordings', 'Recordings', 'Rooms and recordings'],
    ['sign-ins', 'Sign-ins', 'Rooms and recordings'],
    ['webhook', 'Webhooks', 'Connections'],
    ['quota', 'Limits', 'Trail and limits'],
  ],
}

const GERMAN: Said = {
  locale: 'de-DE',
  label: 'Einstellung finden',
  none: 'So heißt keine Einstellung.',
  typed: [
    ['gäste', 'Wie dieses Büro arbeitet', 'Büro'],
    ['dsgvo lösch', 'Wie lange etwas aufbewahrt wird', 'Räume und Aufzeichnungen'],
  ],
}

/** From whichever part, by keyboard alone: the field, the words, Enter. The setting has the focus then. */
export async function tryFindSetting(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Settings' })
  for (const said of [ENGLISH, GERMAN]) {
    await check(`administration: a setting is found by its words, and has the focus (${said.locale})`, () =>
      asVisitor(
        office,
        `find-setting-${said.locale}`,
        async (visitor) => {
          const { page } = visitor
          await ada.enter(visitor)
          await page.goto('/administration')
          const field = page.getByRole('combobox', { name: said.label })
          await field.waitFor()
          for (const [text, label, part] of said.typed) {
            await page.keyboard.press('Control+k')
            await page.keyboard.type(text)
            await page.getByRole('option').first().filter({ hasText: label }).waitFor()
            await page.keyboard.press('Enter')
            await page.getByRole('tab', { name: part, selected: true }).waitFor()
            await eventually(`${label} has the focus`, async () => (await focused(page)).includes(label))
          }
          await tryEach(page)
          await page.keyboard.press('/')
          await page.keyboard.type('nothing like it')
          await page.getByText(said.none).waitFor()
          await page.keyboard.press('Escape')
          await expectAccessible(page)
        },
        { locale: said.locale },
      ),
    )
  }
  await check('administration: on a phone a setting is found by touch', () =>
    asVisitor(
      office,
      'find-setting-phone',
      async (visitor) => {
        const { page } = visitor
        await ada.enter(visitor)
        await page.goto('/administration')
        await page.getByRole('combobox', { name: 'Find a setting' }).fill('token')
        await expectNoSidewaysScroll(page)
        const options = page.getByRole('option')
        const isShown = () =>
          page.locator('.popover').evaluate((list) => getComputedStyle(list).opacity === '1')
        await eventually('the list is shown', async () => (await options.count()) === 2 && (await isShown()))
        await options.nth(1).tap()
        await eventually('it has the focus', async () => (await focused(page)).includes('New token'))
        await expectAccessible(page)
      },
      { viewport: PHONE, hasTouch: true },
    ),
  )
}

/** All that the field offers, in turn. */
async function tryEach(page: Page): Promise<void> {
  const options = page.getByRole('option')
  const open = async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.press('ArrowDown')
    await options.first().waitFor()
  }
  await open()
  const labels = await options.evaluateAll((all) =>
    all.map((one) => one.querySelector('.menu-item-text')?.firstChild?.textContent ?? ''),
  )
  assert.ok(labels.length >= SETTINGS_MIN, `${labels.length} settings`)
  await page.keyboard.press('Escape')
  for (const [at, label] of labels.entries()) {
    await open()
    await options.nth(at).click()
    await eventually(`${label} has the focus`, async () => (await focused(page)).includes(label), {
      withinMs: 10_000,
    })
  }
}

/** What the element with the focus is called: nothing while it is the field itself. */
async function focused(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null
    if (!element?.closest('.administration')) return []
    const labels = [...(element.labels ?? [])].flatMap((one) => [
      one.textContent,
      one.innerText.split('\n')[0],
    ])
    const by = (element.getAttribute('aria-labelledby') ?? '').split(' ')
    const named = by.map((id) => document.getElementById(id)?.textContent)
    return [element.ariaLabel, element.textContent, ...labels, ...named].flatMap((text) => text?.trim() || [])
  })
}
