import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devicesOf, newDevice } from '../../../tests/chapters/devices.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, newPerson, type Person } from '../../../tests/people.ts'

describe('publishDevice', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const publish = ({ browser }: Pick<Person, 'browser'>, device: object) =>
    browser.request('publishDevice', device as never)

  it('publishes the key of a device, again under another name, and never another key or for another person', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const device = newDevice()
    expect((await publish(member, device)).status).toBe(204)
    expect((await publish(member, { ...device, name: '  Renamed ' })).status).toBe(204)
    const taken = { status: 409, body: { error: 'device-taken' } }
    expect(await publish(member, { ...newDevice(), deviceId: device.deviceId })).toMatchObject(taken)
    expect(await publish(founder, device)).toMatchObject(taken)
    expect(await devicesOf(member, member)).toMatchObject([{ ...device, name: 'Renamed' }])
    expect(await devicesOf(founder, founder)).toEqual([])
  })

  it('keeps 20 of a person: the one published longest ago goes', async () => {
    const founder = await newFounder(office)
    const devices = Array.from({ length: 22 }, () => newDevice())
    for (const device of devices) {
      await publish(founder, device)
      office.clock.advance(1)
    }
    await publish(founder, devices[2] as object)
    await publish(founder, newDevice())
    const ids = (await devicesOf(founder, founder)).map(({ deviceId }) => deviceId)
    expect(ids).toHaveLength(20)
    expect(ids[0]).toBe(devices[2]?.deviceId)
    expect(ids[1]).toBe(devices[4]?.deviceId)
  })

  it.each([
    { publicKey: 'A'.repeat(42) },
    { publicKey: `${'A'.repeat(42)}B` },
    { publicKey: `${'A'.repeat(42)}=` },
    // points of low order
    { publicKey: 'A'.repeat(43) },
    { publicKey: `AQ${'A'.repeat(41)}` },
    { publicKey: '4Ot6fDtBuK4WVuP68Z_EatoJjeucMrH9hmIFFl9JuAA' },
    { deviceId: 'phone' },
    { name: '' },
    { name: 'x'.repeat(101) },
  ])('refuses what is none: %j', async (wrong) => {
    const person = await newPerson(office)
    expect((await publish(person, { ...newDevice(), ...wrong })).status).toBe(400)
  })
})
