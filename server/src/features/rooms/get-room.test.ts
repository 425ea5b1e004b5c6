import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joinRoom, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('getRoom', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('reads one room as the list shows it, without who is in another', async () => {
    const founder = await newFounder(office)
    const [here, there] = [await newRoom(founder), await newRoom(founder)]
    const { token } = await founder.browser.call('authorizeRoom', { username: 'Ada', roomId: there.id })
    await joinRoom(office, token)
    const read = async (roomId: string) => (await founder.browser.call('getRoom', { roomId })).room
    await until(async () => (await read(there.id)).people.length === 1)
    const { rooms } = await founder.browser.call('listRooms')
    expect([await read(here.id), await read(there.id)]).toEqual(
      [here, there].map(({ id }) => rooms.find((room) => room.id === id)),
    )
    expect((await read(here.id)).people).toEqual([])
    // ids are taken in capitals too
    expect((await read(here.id.toUpperCase())).id).toBe(here.id)
  })

  it('knows no room of another organization, and none that is not there', async () => {
    const founder = await newFounder(office)
    const { id: foreign } = await newRoom(await newFounder(office))
    for (const roomId of [foreign, '00000000-0000-4000-8000-000000000000', 'kitchen'])
      expect(await founder.browser.request('getRoom', { roomId })).toMatchObject({
        status: 404,
        body: { error: 'room-not-found' },
      })
  })
})
