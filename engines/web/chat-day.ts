import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson } from './people.ts'
import { userIdOf, write } from './scene.ts'
import {
  expectAccessible,
  expectApart,
  expectQuiet,
  newVisitor,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

/** A day of two people who stay in the chat: what they wrote is changed, answered, found and taken back. */
export async function tryChatDay(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Day' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const id = await write(ada, await userIdOf(grace), 'The carry lever is redrawn')
  const [atAda, atGrace] = [await newVisitor(office), await newVisitor(office)]
  try {
    await ada.enter(atAda)
    await grace.enter(atGrace)
    for (const { page } of [atAda, atGrace]) await page.goto(`/chat/${id}`)
    await tryMessages(check, atAda, atGrace)
    await tryTexts(check, atAda, atGrace)
    await tryMentions(check, atAda, atGrace)
    await trySearch(check, atAda)
    await tryThread(check, atAda, atGrace)
    await tryNoticed(check, atAda, atGrace)
    expectQuiet(atAda)
    expectQuiet(atGrace)
  } finally {
    await atAda.page.screenshot({ path: `${office.pictures}/chat-day.png` }).catch(() => {})
    await atGrace.page.screenshot({ path: `${office.pictures}/chat-day-other.png` }).catch(() => {})
    await atAda.context.close()
    await atGrace.context.close()
  }
}

/** A message by some of its text. */
function messageOf(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text })
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Write to/ }).fill(text)
  await page.keyboard.press('Enter')
}

/** Reacting, changing, deleting. */
async function tryMessages(check: Check, { page: adas }: Visitor, { page: graces }: Visitor): Promise<void> {
  await check('chat day: a reaction is added by mouse and by keyboard, and says whose it is', async () => {
    await messageOf(graces, 'carry lever').hover()
    await graces.getByRole('button', { name: 'React with 👍' }).click()
    await adas.getByRole('button', { name: '👍 1 Grace Hopper', pressed: false }).click()
    await adas.getByRole('button', { name: '👍 2 Grace Hopper and You', pressed: true }).waitFor()
    await graces.getByRole('button', { name: '👍 2 You and Ada Lovelace', pressed: true }).waitFor()
    await messageOf(adas, 'carry lever').focus()
    // behind the name and the reaction
    for (let turn = 0; turn < 3; turn += 1) await adas.keyboard.press('Tab')
    await adas.getByRole('button', { name: 'React with 👍' }).and(adas.locator(':focus')).waitFor()
    await adas.keyboard.press('ArrowRight')
    await adas.keyboard.press('ArrowRight')
    await adas.getByRole('button', { name: 'React', exact: true }).press('Enter')
    const search = adas.getByRole('searchbox', { name: 'Search emoji, or paste one' })
    await search.fill('part')
    await adas.getByRole('button', { name: 'party celebrate hooray' }).waitFor()
    await expectAccessible(adas)
    await search.press('Enter')
    await graces.getByRole('button', { name: '🎉 1 Ada Lovelace' }).waitFor()
    await expectAccessible(graces)
  })
  await check('chat day: the arrow up changes the last message, which says so', async () => {
    await send(adas, 'It clears by one tooth')
    await messageOf(graces, 'one tooth').waitFor()
    await adas.getByText('Sending …').waitFor({ state: 'detached' })
    await adas.keyboard.press('ArrowUp')
    const field = adas.getByRole('textbox', { name: 'Change the message' })
    await field.and(adas.locator(':focus')).waitFor()
    assert.equal(await field.inputValue(), 'It clears by one tooth')
    await expectAccessible(adas)
    await field.fill('It clears by two teeth')
    await adas.keyboard.press('Enter')
    await messageOf(graces, 'It clears by two teeth').getByText('(edited)').waitFor()
    await adas.getByRole('textbox', { name: 'Write to Grace Hopper' }).and(adas.locator(':focus')).waitFor()
    await adas.keyboard.press('ArrowUp')
    await field.fill('Something else')
    await adas.keyboard.press('Escape')
    await messageOf(adas, 'It clears by two teeth').waitFor()
  })
  await check('chat day: a half-written change is there again after another screen', async () => {
    const write = adas.getByRole('textbox', { name: 'Write to Grace Hopper' })
    const field = adas.getByRole('textbox', { name: 'Change the message' })
    await write.press('ArrowUp')
    await field.fill('It clears by three')
    await adas.getByRole('link', { name: 'Floor' }).click()
    await field.waitFor({ state: 'detached' })
    await adas.goBack()
    await messageOf(adas, 'It clears by two teeth').waitFor()
    await write.press('ArrowUp')
    assert.equal(await field.inputValue(), 'It clears by three')
    await field.press('Escape')
    await messageOf(adas, 'It clears by two teeth').waitFor()
    await write.press('ArrowUp')
    assert.equal(await field.inputValue(), 'It clears by two teeth')
    await field.press('Escape')
  })
  await check('chat day: deleting asks, and leaves one quiet line', async () => {
    await send(adas, 'Said too early')
    await messageOf(graces, 'Said too early').hover()
    assert.equal(await graces.getByRole('button', { name: 'Delete' }).count(), 0)
    await messageOf(adas, 'Said too early').hover()
    await adas.getByRole('button', { name: 'Delete' }).click()
    const question = adas.getByRole('alertdialog', { name: 'Delete this message?' })
    await question.getByText('Said too early').waitFor()
    await expectAccessible(adas)
    await question.getByRole('button', { name: 'Delete' }).click()
    await graces.getByText('This message was deleted.').waitFor()
    await graces.getByText('Said too early').waitFor({ state: 'detached' })
    await adas.getByText('Said too early').waitFor({ state: 'detached' })
  })
  await check(
    'chat day: marked unread from a message on, until the conversation is opened again',
    async () => {
      await messageOf(graces, 'two teeth').hover()
      await graces.getByRole('button', { name: 'More' }).click()
      await graces.getByRole('menuitem', { name: 'Mark unread from here' }).click()
      await graces.getByRole('log').getByText('New', { exact: true }).waitFor()
      await graces.getByRole('link', { name: /Ada Lovelace.*unread message/ }).waitFor()
      await expectAccessible(graces)
      await graces.getByRole('link', { name: 'Floor', exact: true }).click()
      await graces.getByRole('link', { name: /^Chat.*unread/ }).click()
      await graces.getByRole('link', { name: /Ada Lovelace.*unread message/ }).click()
      await graces.getByRole('log').getByText('New', { exact: true }).waitFor()
      await graces
        .getByText(/unread message/)
        .first()
        .waitFor({ state: 'detached' })
    },
  )
}

/** What is formed, and what is made to hurt. */
async function tryTexts(check: Check, { page: adas }: Visitor, { page: graces }: Visitor): Promise<void> {
  await check('chat day: a text is formed as it was meant, and never as markup', async () => {
    const field = adas.getByRole('textbox', { name: /^Write to/ })
    const lines = [
      '**Check** it like `this`:',
      '',
      '```',
      'let carry = 0',
      '```',
      '',
      '- [wheel](https://wheel.example)',
    ]
    await field.fill(
      [
        ...lines,
        '- [trap](javascript:alert)',
        '',
        '<img src=x onerror=alert(1)> &amp; [a](https://a.example/?b&amp;c)',
      ].join('\n'),
    )
    await field.press('Enter')
    const message = messageOf(graces, 'Check it like')
    await message.getByText('let carry = 0').waitFor()
    assert.equal(await message.locator('strong', { hasText: /^Check$/ }).count(), 1)
    assert.equal(await message.getByRole('listitem').count(), 2)
    const link = message.getByRole('link', { name: 'wheel' })
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
    assert.equal(await message.getByRole('link', { name: 'trap' }).count(), 0)
    await message.getByText('<img src=x onerror=alert(1)> &amp;').waitFor()
    await expectAccessible(graces)
  })
  await check('chat day: a text of 4,000 quotes is shown like any other', async () => {
    await send(adas, '>'.repeat(4_000))
    await messageOf(graces, '>'.repeat(4_000)).waitFor()
    await send(adas, 'After that')
    await messageOf(graces, 'After that').waitFor()
  })
}

/** Mentions, drafts, and what is announced. */
async function tryMentions(check: Check, { page: adas }: Visitor, { page: graces }: Visitor): Promise<void> {
  await check(
    'chat day: a mention is chosen by keyboard, stands out, and is counted in the list',
    async () => {
      await graces.getByRole('link', { name: 'Floor', exact: true }).click()
      const field = adas.getByRole('textbox', { name: /^Write to/ })
      await field.pressSequentially('Is it you, @gra')
      await adas.getByRole('option', { name: '@Grace Hopper', selected: true }).waitFor()
      await expectAccessible(adas)
      await adas.keyboard.press('Enter')
      await adas.keyboard.type('?')
      assert.equal(await field.inputValue(), 'Is it you, @Grace Hopper ?')
      await adas.keyboard.press('Enter')
      await messageOf(adas, 'Is it you, @Grace Hopper').waitFor()
      await graces.getByRole('link', { name: /^Chat/ }).click()
      const row = graces.getByRole('link', {
        name: /Ada Lovelace Is it you, @Grace Hopper.*1 mention of you/,
      })
      await row.waitFor()
      await expectAccessible(graces)
      await row.click()
      await messageOf(graces, 'Is it you').locator('.mention-me').waitFor()
      await graces.getByText('1 mention of you').waitFor({ state: 'detached' })
      await expectAccessible(graces)
    },
  )
  await check('chat day: a draft waits in the list, and on every device', async () => {
    const field = graces.getByRole('textbox', { name: /^Write to/ })
    await field.fill('Yes, @Ada Lovelace')
    await graces.getByRole('link', { name: 'Chat', exact: true }).click()
    await graces.getByRole('link', { name: /Ada Lovelace Draft: Yes, @Ada Lovelace/ }).waitFor()
    const other = await graces.context().newPage()
    await other.goto('/chat')
    await other.getByRole('link', { name: /Draft: Yes/ }).click()
    await untilSays(other.getByRole('textbox', { name: /^Write to/ }), 'Yes, @Ada Lovelace')
    await other.keyboard.press('Escape')
    await other.getByRole('textbox', { name: /^Write to/ }).fill('')
    await graces.getByRole('link', { name: /Draft: Yes/ }).waitFor({ state: 'detached' })
    await other.close()
    await graces.getByRole('link', { name: /Ada Lovelace/ }).click()
  })
  await check('chat day: a conversation is made quiet', async () => {
    await graces.getByRole('button', { name: 'All messages are announced' }).click()
    await graces.getByRole('menuitem', { name: 'Nothing' }).click()
    await graces.getByRole('button', { name: 'Nothing is announced' }).waitFor()
    await graces.getByRole('link', { name: /Ada Lovelace.*Nothing is announced/ }).waitFor()
    await expectAccessible(graces)
  })
}

/** Finding a message again. */
async function trySearch(check: Check, { page: adas }: Visitor): Promise<void> {
  await check('chat day: a message is found by its words, and a hit leads to it', async () => {
    await adas.getByRole('log').focus()
    await adas.keyboard.press('/')
    const field = adas.getByRole('searchbox', { name: 'Search messages' })
    await field.and(adas.locator(':focus')).waitFor()
    await field.fill('carry lever')
    const hit = adas
      .getByRole('region', { name: 'Messages found' })
      .getByRole('link', { name: /carry lever/ })
    await hit.locator('mark').first().waitFor()
    await expectAccessible(adas)
    await expectApart(adas.locator('.search-filters .select-button'))
    await adas.getByRole('button', { name: /Any time/ }).click()
    await adas.getByRole('option', { name: 'Last 7 days' }).click()
    await hit.click()
    await adas.locator('.message-target', { hasText: 'carry lever' }).waitFor()
    await field.fill('nothing of that kind')
    await adas.getByText('No message has these words').waitFor()
    await field.press('Escape')
    await adas.getByRole('link', { name: /Grace Hopper/ }).waitFor()
  })
}

/** What is answered to one message. */
async function tryThread(check: Check, { page: adas }: Visitor, { page: graces }: Visitor): Promise<void> {
  await check('chat day: a thread stands beside its conversation, and is followed', async () => {
    await messageOf(adas, 'carry lever').hover()
    await adas.getByRole('button', { name: 'Reply in thread' }).click()
    const thread = adas.getByRole('complementary', { name: 'Thread' })
    await adas.getByRole('textbox', { name: 'Reply in the thread' }).fill('And it *holds*')
    await adas.keyboard.press('Enter')
    await thread.locator('em', { hasText: 'holds' }).waitFor()
    const [conversation, beside] = [
      await adas.getByRole('log').first().boundingBox(),
      await thread.boundingBox(),
    ]
    assert.ok(
      (conversation?.x ?? 0) + (conversation?.width ?? 0) <= (beside?.x ?? 0) + 1,
      'it covers the conversation',
    )
    await expectAccessible(adas)
    // she has replied in it
    const follows = (pressed: boolean) => thread.getByRole('button', { name: 'Follow', exact: true, pressed })
    await follows(true).click()
    await follows(false).click()
    await follows(true).waitFor()
    await thread.getByRole('button', { name: 'Close the thread' }).click()
    await graces.getByRole('button', { name: '1 reply' }).click()
    await graces.getByRole('complementary', { name: 'Thread' }).locator('em', { hasText: 'holds' }).waitFor()
    await graces.keyboard.press('Escape')
    // it is among the threads of who has taken part
    await adas.getByRole('button', { name: /^Threads/ }).click()
    await adas.getByRole('link', { name: /carry lever.*1 reply/ }).click()
    await thread.locator('em', { hasText: 'holds' }).waitFor()
    await adas.keyboard.press('Escape')
    await adas.getByRole('button', { name: /^Threads/ }).click()
    await graces.getByRole('button', { name: 'Go to a day' }).click()
    await graces.getByLabel('Day', { exact: true }).fill('2020-01-01')
    await graces.keyboard.press('Enter')
    await graces.locator('.message-target').first().waitFor()
  })
}

/** What is written while another screen is looked at. */
async function tryNoticed(check: Check, { page: adas }: Visitor, { page: graces }: Visitor): Promise<void> {
  await check(
    'chat day: a message is told of on another screen, where its conversation is not quiet',
    async () => {
      await graces.getByRole('link', { name: 'Settings', exact: true }).click()
      await adas.getByRole('link', { name: 'Settings', exact: true }).click()
      await graces.getByRole('link', { name: /^Chat/ }).click()
      await graces.getByRole('link', { name: /Ada Lovelace/ }).click()
      await send(graces, 'Are you there?')
      const notice = adas.getByRole('region', { name: 'Notices' })
      await notice.getByText('Are you there?').waitFor()
      await eventually('the title counts it', async () => (await adas.title()).startsWith('(1)'))
      await expectAccessible(adas)
      await notice.getByRole('button', { name: 'Reply' }).click()
      await adas.getByRole('textbox', { name: 'Write to Grace Hopper' }).and(adas.locator(':focus')).waitFor()
      await graces.getByRole('link', { name: 'Settings', exact: true }).click()
      await send(adas, 'Always')
      await graces.getByRole('link', { name: /^Chat.*1 unread/ }).waitFor()
      assert.equal(await graces.getByRole('region', { name: 'Notices' }).getByText('Always').count(), 0)
    },
  )
}

/** Waits until a field says it. */
async function untilSays(field: Locator, value: string): Promise<void> {
  await eventually(`the field says ${value}`, async () => (await field.inputValue()) === value)
}
