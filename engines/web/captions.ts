import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import { inviteTokenOf, newPerson } from './people.ts'
import { enterRoom } from './room-media.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  newVisitor,
  PERMITTED,
  PHONE,
  type WebOffice,
} from './visitor.ts'

const PATIENCE = { timeout: 60_000 }

/** Two in a room: one reads captions, the other is told of it before, and reads none. */
export async function tryCaptions(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Captions' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const { room } = await ada.client.call('createRoom', { name: 'Kitchen' })
  const [atAda, atGrace] = [
    await newVisitor(office, PERMITTED),
    await newVisitor(office, { viewport: PHONE, ...PERMITTED }),
  ]
  const choose = async (label: string) => {
    await atGrace.page.getByRole('button', { name: 'More', exact: true }).click()
    await atGrace.page.getByRole('button', { name: label }).click()
  }
  try {
    await check('captions: who asks for them reads who says what; the others are told', async () => {
      for (const [person, visitor] of [
        [ada, atAda],
        [grace, atGrace],
      ] as const) {
        await person.enter(visitor)
        await visitor.page.goto(`/room/${room.id}`)
        await enterRoom(visitor.page)
      }
      const made = atAda.page.getByRole('img', { name: 'Captions are made of what is said' })
      assert.equal(await made.count(), 0)
      await choose('Show captions')
      await atAda.page.getByText('Someone here reads captions').waitFor(PATIENCE)
      await made.waitFor()
      const captions = atGrace.page.getByRole('log', { name: 'Captions' })
      // what a transcriber answers is text
      const line = captions.getByText('The budget of May is good. We begin with <b>it</b>.').first()
      await line.waitFor(PATIENCE)
      assert.equal(await atAda.page.getByRole('log', { name: 'Captions' }).count(), 0)
      await expectAccessible(atAda.page)
      await expectAccessible(atGrace.page)
      await expectNoSidewaysScroll(atGrace.page)
      await atGrace.page.screenshot({ path: `${office.pictures}/captions.png` })
    })
    await check('captions: they end with the last one who reads them', async () => {
      await choose('Hide captions')
      await atGrace.page.getByRole('log', { name: 'Captions' }).waitFor({ state: 'detached' })
      const made = atAda.page.getByRole('img', { name: 'Captions are made of what is said' })
      await made.waitFor({ state: 'detached' })
      for (const visitor of [atAda, atGrace]) expectQuiet(visitor)
    })
  } finally {
    for (const { context } of [atAda, atGrace]) await context.close()
  }
}
