import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  newVisitor,
  PHONE,
  type WebOffice,
} from './visitor.ts'

/** Two people who write to each other, one of them on a phone. */
export async function tryChat(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  const inviteToken = await inviteTokenOf(ada)
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken })
  const alan = await newPerson(office, 'Alan Turing', { inviteToken })
  const [atAda, atGrace] = [await newVisitor(office), await newVisitor(office, { viewport: PHONE })]
  const [adas, graces] = [atAda.page, atGrace.page]
  try {
    await ada.enter(atAda)
    await grace.enter(atGrace)
    await check('chat: a first message is begun by keyboard, and arrives', async () => {
      await graces.goto('/chat')
      await graces.getByText('No conversations yet').waitFor()
      await adas.goto('/chat')
      await adas.getByRole('button', { name: 'New' }).press('Enter')
      await adas.getByRole('searchbox', { name: 'Search people' }).fill('grace')
      await expectAccessible(adas)
      await adas.getByRole('checkbox', { name: 'Grace Hopper' }).press('Space')
      await adas.getByRole('button', { name: 'Start' }).press('Enter')
      const field = adas.getByRole('textbox', { name: 'Write to Grace Hopper' })
      await field.and(adas.locator(':focus')).waitFor()
      await adas.keyboard.type('Lunch? https://menu.example/today')
      await adas.keyboard.press('Enter')
      await adas.getByRole('log').getByText('Lunch?').waitFor()
      await graces.getByRole('link', { name: /Ada Lovelace.*1 unread message/ }).waitFor()
      await expectAccessible(graces)
    })
    await check('chat: reading takes the count away, and typing is seen', async () => {
      await graces.getByRole('link', { name: /Ada Lovelace/ }).click()
      await graces.getByRole('link', { name: 'https://menu.example/today' }).waitFor()
      await graces.getByRole('textbox', { name: 'Write to Ada Lovelace' }).pressSequentially('In a moment')
      await adas.getByText('Grace Hopper is writing …').waitFor()
      await graces.getByRole('button', { name: 'Send' }).click()
      await adas.getByRole('log').getByText('In a moment').waitFor()
      await expectNoSidewaysScroll(graces)
      await expectAccessible(graces)
      await graces.getByRole('link', { name: 'All conversations' }).click()
      await graces.getByRole('link', { name: /Ada Lovelace You: In a moment/ }).waitFor()
    })
    await check('chat: an answer stands in the thread of its message', async () => {
      await adas.getByRole('article', { name: 'Grace Hopper' }).filter({ hasText: 'In a moment' }).hover()
      await adas.getByRole('button', { name: 'Reply in thread' }).click()
      await adas.getByRole('textbox', { name: 'Reply in the thread' }).fill('No hurry')
      await adas.keyboard.press('Enter')
      await adas.getByRole('complementary', { name: 'Thread' }).getByText('No hurry').waitFor()
      await expectAccessible(adas)
      await adas.keyboard.press('Escape')
      await adas.getByRole('button', { name: '1 reply' }).waitFor()
      await adas.getByRole('log').getByText('No hurry').waitFor()
      // whoever has the conversation open sees it as well: read is what was shown
      await graces.getByRole('link', { name: /Ada Lovelace No hurry.*1 unread message/ }).click()
      await graces.getByRole('log').getByText('No hurry').waitFor()
      await graces.getByRole('button', { name: 'Reply to: In a moment' }).click()
      const thread = graces.getByRole('complementary', { name: 'Thread' })
      await thread.getByText('No hurry').waitFor()
      await expectNoSidewaysScroll(graces)
      await expectAccessible(graces)
      await graces.keyboard.press('Escape')
      await graces.getByRole('link', { name: 'All conversations' }).click()
      await graces.getByRole('link', { name: /Ada Lovelace No hurry/ }).waitFor()
      await graces.getByText('1 unread message').waitFor({ state: 'detached' })
    })
    await check('chat: what is typed survives another screen and a reload', async () => {
      await adas.getByRole('textbox', { name: 'Write to Grace Hopper' }).fill('Half a thought')
      await adas.getByRole('link', { name: 'Floor', exact: true }).click()
      await adas.goBack()
      await adas.reload()
      await adas.getByText('Half a thought').waitFor()
      await adas.getByRole('textbox', { name: 'Write to Grace Hopper' }).fill('')
    })
    await check('chat: what is written without a connection is sent when it is back', async () => {
      await atAda.context.setOffline(true)
      const field = adas.getByRole('textbox', { name: 'Write to Grace Hopper' })
      await field.fill('From the train')
      await field.press('Enter')
      await adas.getByText('Not sent yet').waitFor()
      await atAda.context.setOffline(false)
      await graces.getByRole('link', { name: /Ada Lovelace From the train/ }).waitFor()
      await adas.getByText('Not sent yet').waitFor({ state: 'detached' })
      // a request without a network is told of by the console
      atAda.complaints.length = 0
    })
    await check('chat: what could not be sent survives a reload, and is sent once and in order', async () => {
      const messages = '**/rest/v1/messages'
      await adas.route(messages, (route) => route.abort())
      const field = adas.getByRole('textbox', { name: 'Write to Grace Hopper' })
      for (const text of ['First of the tunnel', 'Second of the tunnel']) {
        await field.fill(text)
        await field.press('Enter')
      }
      await adas.getByText('Not sent yet').first().waitFor()
      await adas.reload()
      await adas.getByText('Second of the tunnel').waitFor()
      await adas.getByText('Not sent yet').first().waitFor()
      await expectAccessible(adas)
      await adas.goto('/settings')
      await adas.getByRole('button', { name: 'Sign out here' }).click()
      const question = adas.getByRole('alertdialog', { name: '2 messages are not sent yet' })
      await question.waitFor()
      await expectAccessible(adas)
      await question.getByRole('button', { name: 'Stay signed in' }).click()
      await adas.unroute(messages)
      await graces.getByRole('link', { name: /Ada Lovelace Second of the tunnel/ }).click()
      const arrived = graces.getByRole('log').getByText('of the tunnel')
      await arrived.nth(1).waitFor()
      assert.deepEqual(await arrived.allInnerTexts(), ['First of the tunnel', 'Second of the tunnel'])
      await adas.goto('/chat')
      await adas.getByRole('link', { name: /Grace Hopper/ }).click()
      await adas.getByText('Not sent yet').waitFor({ state: 'detached' })
      atAda.complaints.length = 0
    })
    await check('chat: who reads further up is told of new ones below, which stay unread', async () => {
      const field = adas.getByRole('textbox', { name: 'Write to Grace Hopper' })
      await field.fill(Array.from({ length: 80 }, (_, line) => `line ${line}`).join('\n'))
      await field.press('Enter')
      const log = graces.getByRole('log')
      await log.getByText('line 79').waitFor()
      await eventually('it is read', async () => (await unreadOf(grace)) === 0)
      await log.evaluate((place) => place.scrollTo({ top: 0 }))
      await field.fill('Far below')
      await field.press('Enter')
      const button = graces.getByRole('button', { name: '1 new message' })
      await button.waitFor()
      await expectAccessible(graces)
      await graces.getByRole('link', { name: 'All conversations' }).click()
      await graces.getByRole('link', { name: /Ada Lovelace Far below.*1 unread message/ }).click()
      await graces.getByRole('log').getByText('Far below').waitFor()
      await eventually('it is read', async () => (await unreadOf(grace)) === 0)
      await graces.getByRole('link', { name: 'All conversations' }).click()
      const unread = graces.getByRole('link', { name: /Ada Lovelace Far below.*1 unread message/ })
      await unread.waitFor({ state: 'detached' })
    })
    await check('chat: one that is not there says so, and one that was just begun is there', async () => {
      for (const address of ['/chat/999999', '/chat/nonsense']) {
        await adas.goto(address)
        await adas.getByText('Conversation not found').waitFor()
        await expectAccessible(adas)
      }
      await adas.getByRole('button', { name: 'New' }).click()
      await adas.getByRole('checkbox', { name: 'Alan Turing' }).press('Space')
      await adas.getByRole('button', { name: 'Start' }).click()
      await adas.getByRole('textbox', { name: 'Write to Alan Turing' }).waitFor()
      await adas.getByRole('button', { name: 'Alan Turing', exact: true }).click()
      await adas.getByRole('dialog', { name: 'Alan Turing' }).getByText('Offline').waitFor()
      await adas.keyboard.press('Escape')
    })
    await check('chat: a group of three', async () => {
      await adas.getByRole('button', { name: 'New' }).click()
      await adas.getByRole('checkbox', { name: 'Grace Hopper' }).click()
      await adas.getByRole('checkbox', { name: 'Alan Turing' }).click()
      await adas.getByLabel('Group name').fill('Release')
      await adas.getByRole('button', { name: 'Start with 2 people' }).click()
      await adas.getByRole('textbox', { name: 'Write to Release' }).fill('Shall we?')
      await adas.keyboard.press('Enter')
      await graces.getByRole('link', { name: /Release/ }).waitFor()
      expectQuiet(atAda)
      expectQuiet(atGrace)
    })
    await check(
      'chat: a colleague who is removed is written to no more, and what was typed stays in sight',
      async () => {
        await adas.getByRole('link', { name: /Alan Turing/ }).click()
        const field = adas.getByRole('textbox', { name: 'Write to Alan Turing' })
        await field.fill('Where is the machine?')
        await field.press('Enter')
        const own = adas.getByRole('article').filter({ hasText: 'Where is the machine?' })
        await own.hover()
        await adas.getByRole('button', { name: 'Edit' }).waitFor()
        await field.fill('It stands')
        const { id } = await alan.client.call('getCurrentUser')
        await ada.client.call('removeMember', { id })
        await adas.getByText('Alan Turing is no longer in this organization.').waitFor()
        assert.equal(await adas.getByRole('textbox', { name: 'Not sent' }).inputValue(), 'It stands')
        assert.equal(await field.count(), 0)
        await own.hover()
        await adas.getByRole('button', { name: 'Delete' }).waitFor()
        for (const name of ['Edit', 'React'])
          assert.equal(await adas.getByRole('button', { name }).count(), 0)
        await expectAccessible(adas)
        await adas.screenshot({ path: `${office.pictures}/chat-closed.png` })
        expectQuiet(atAda)
      },
    )
  } finally {
    await adas.screenshot({ path: `${office.pictures}/chat.png` }).catch(() => {})
    await graces.screenshot({ path: `${office.pictures}/chat-phone.png` }).catch(() => {})
    await atAda.context.close()
    await atGrace.context.close()
  }
}

async function unreadOf({ client }: WebPerson): Promise<number> {
  const { conversations } = await client.call('listConversations', { limit: 100 })
  return conversations.reduce((sum, { unread }) => sum + unread, 0)
}
