import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { newPerson, type WebPerson } from './people.ts'
import { asVisitor, expectAccessible, expectNoSidewaysScroll, PHONE, type WebOffice } from './visitor.ts'

/** An administrator who looks after recordings: what is under legal hold cannot be deleted, by nobody. */
export async function tryRecordings(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Records' })
  const { room } = await ada.client.call('createRoom', { name: 'Kitchen' })
  await check(
    'recordings: legal hold is switched on and off, and takes deleting away meanwhile',
    async () => {
      const recordingId = await record(ada, room.id)
      await asVisitor(
        office,
        'recordings-phone',
        async (visitor) => {
          const { page } = visitor
          await ada.enter(visitor)
          await page.goto('/administration?part=rooms')
          const hold = page.getByRole('switch', { name: 'Legal hold' })
          const remove = page.getByRole('button', { name: 'Delete the recording Kitchen' })
          await remove.waitFor()
          assert.equal(await hold.isChecked(), false)
          await hold.press('Space')
          await remove.waitFor({ state: 'detached' })
          assert.equal(await hold.isChecked(), true)
          const refused = await ada.client.request('deleteRecording', { recordingId })
          assert.equal(refused.status, 409)
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
          await page.getByRole('tab', { name: 'Trail and limits' }).click()
          await page.getByRole('cell', { name: 'Recording put under legal hold' }).first().waitFor()
          // another page knows of it too
          await page.goto('/administration?part=rooms')
          await hold.waitFor()
          assert.equal(await hold.isChecked(), true)
          assert.equal(await remove.count(), 0)
          await hold.press('Space')
          await remove.click()
          await page.getByText('No recordings yet.').waitFor()
        },
        { viewport: PHONE },
      )
    },
  )
}

/** @returns the id of a recording that can be watched */
async function record({ client }: WebPerson, roomId: string): Promise<string> {
  const place = { roomName: roomId, zoneId: '' }
  await client.call('startRecording', { ...place, conferenceTopic: 'Kitchen', participants: '' })
  const newest = async () => (await client.call('listRecordings', { roomName: roomId })).data[0]
  await eventually('it runs', async () => (await newest())?.state === 'active')
  await client.call('stopRecording', { ...place, egressId: (await newest())?.egressId ?? '' })
  await eventually('it is ready', async () => (await newest())?.state === 'completed')
  return (await newest())?.id ?? ''
}
