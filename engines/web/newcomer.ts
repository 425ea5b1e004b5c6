import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson } from './people.ts'
import { faceOnPlan, pointAt, roomOnPlan } from './plan.ts'
import { enterRoom } from './room-media.ts'
import { newVisitor, type Visitor, type WebOffice } from './visitor.ts'

/** What one wants of an office on the first day, by pressing what is in sight: how many presses each takes. */
const PRESSES_MOST = { who: 0, talk: 2, guest: 5, screen: 2, recording: 3 }

/** Somebody who has seen nothing of it: presses are counted, from the floor on. */
export async function tryNewcomer(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Newcomers' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const { room } = await ada.client.call('createRoom', { name: 'Kitchen' })
  const recording = { roomName: room.id, zoneId: '', conferenceTopic: 'Review', participants: 'Grace Hopper' }
  const { egressId } = await ada.client.call('startRecording', recording)
  const isIt = async (state: string) => {
    const { data } = await ada.client.call('listRecordings', { roomName: room.id })
    return data[0]?.state === state
  }
  await eventually('the recording runs', () => isIt('active'))
  await ada.client.call('stopRecording', { roomName: room.id, zoneId: '', egressId })
  await eventually('the recording is there', () => isIt('completed'))
  const permitted = { permissions: ['camera', 'microphone'] }
  const [atAda, atGrace] = [await newVisitor(office, permitted), await newVisitor(office, permitted)]
  try {
    await ada.enter(atAda)
    await grace.enter(atGrace)
    for (const { page } of [atAda, atGrace]) await beenInRoom(page, room.id)
    await atGrace.page.goto('/')
    await check(
      'newcomer: who is in, a talk, a guest, a screen and a recording, in few presses',
      async () => {
        const took = await walk(atAda, atGrace)
        console.log(`    presses: ${JSON.stringify(took)}`)
        for (const [task, most] of Object.entries(PRESSES_MOST))
          assert.ok((took[task] ?? 99) <= most, `${task}: ${took[task]} presses, more than ${most}`)
      },
    )
  } finally {
    await atAda.page.screenshot({ path: `${office.pictures}/newcomer.png` }).catch(() => {})
    for (const { context } of [atAda, atGrace]) await context.close()
  }
}

/** Devices are looked at the first time: that is not counted. */
async function beenInRoom(page: Page, roomId: string): Promise<void> {
  await page.goto(`/room/${roomId}`)
  await enterRoom(page)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
}

async function walk({ page }: Visitor, atGrace: Visitor): Promise<Record<string, number>> {
  const took: Record<string, number> = {}
  const task = async (
    name: string,
    work: (press: (role: 'button' | 'link', label: string | RegExp) => Promise<void>) => Promise<void>,
  ) => {
    let presses = 0
    await page.goto('/')
    await roomOnPlan(page, 'Kitchen').waitFor()
    await work(async (role, label) => {
      presses += 1
      await page
        .getByRole(role, { name: label, exact: typeof label === 'string' })
        .first()
        .click()
    })
    took[name] = presses
  }
  await task('who', async () => {
    await page.getByText('2 in').waitFor()
    await faceOnPlan(page, /^Grace Hopper/).waitFor()
  })
  await task('talk', async (press) => {
    await press('button', /^Grace Hopper/)
    await press('button', 'Talk')
    await atGrace.page.getByRole('button', { name: 'Talk', exact: true }).click()
    await page.locator('.tile', { hasText: 'Grace Hopper' }).waitFor()
    await atGrace.page.goto('/')
  })
  await task('guest', async (press) => {
    await press('button', 'Kitchen')
    await page.getByRole('toolbar', { name: 'Controls' }).waitFor()
    await press('button', 'More')
    await press('button', 'Invite a guest')
    await press('button', 'Create a link')
    assert.match(await page.getByLabel('Guest link').inputValue(), /\/guest\?/)
  })
  await task('screen', async (press) => {
    await press('button', 'Kitchen')
    await press('button', 'Share screen')
    await page.getByText('You are sharing your screen').waitFor()
  })
  await task('recording', async (press) => {
    await pointAt(roomOnPlan(page, 'Kitchen'))
    await press('button', 'Recordings')
    await press('button', /^Download/)
  })
  return took
}
