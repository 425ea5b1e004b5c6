import { expect, it } from 'vitest'
import { fakeOffice } from '../tests/fake-office.ts'
import { createDeviceStore } from './device-store.ts'
import { createKeyWatch, publishOwnDevice } from './devices.ts'

const entrant = (identity: string, publicKey: string) => ({ identity, publicKey, visit: 'v' })

it('a browser is one device of a person, and another of the next, also where the disk refuses', async () => {
  const refusing = {
    open() {
      throw new Error('private window')
    },
  } as unknown as IDBFactory
  for (const factory of [undefined, refusing]) {
    const store = createDeviceStore(factory)
    const [one, again] = await Promise.all([store.device('1'), store.device('1')])
    expect(again).toEqual(one)
    expect((await store.device('2')).publicKey).not.toBe(one.publicKey)
    expect(one.pair.privateKey.extractable).toBe(false)
  }
})

it('is published, and made anew where the office has its id for another person', async () => {
  const published: unknown[] = []
  const { client } = fakeOffice({
    '/user/devices/publish': ({ body }) => {
      published.push(body.deviceId)
      return published.length === 1
        ? { status: 409, body: { code: 409, message: 'No', error: 'device-taken' } }
        : { status: 204 }
    },
  })
  const store = createDeviceStore()
  const device = await publishOwnDevice(client, store, { userId: '1', name: 'Test' })
  expect(published[1]).toBe(device.deviceId)
  expect(published[0]).not.toBe(device.deviceId)
  expect((await store.device('1')).deviceId).toBe(device.deviceId)
  expect(published).toHaveLength(2)
})

it('another key of a colleague is told until it is accepted; the first one, and those of guests, are not', async () => {
  const watch = createKeyWatch(createDeviceStore())
  expect(await watch.isChanged(entrant('1', 'A'))).toBe(false)
  expect(await watch.isChanged(entrant('1#2', 'A'))).toBe(false)
  expect(await watch.isChanged(entrant('1', 'B'))).toBe(true)
  expect(await watch.isChanged(entrant('1#2', 'B'))).toBe(true)
  await watch.accept(entrant('1', 'B'))
  for (const key of ['A', 'B']) expect(await watch.isChanged(entrant('1', key))).toBe(false)
  for (const key of ['A', 'B']) expect(await watch.isChanged(entrant('guest:1', key))).toBe(false)
})
