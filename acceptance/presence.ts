import assert from 'node:assert/strict'
import type { Realtime } from '@atrium/client/realtime'
import { expectRefusal, expectStatus } from './expect.ts'
import { waitFor } from './patience.ts'
import { fresh, listening, type Person, signedUp } from './person.ts'
import type { Steps } from './steps.ts'
import type { Office, Walk } from './walk.ts'

const SOON_MS = 10_000
/** Two rounds of the poll, and as much again for a busy machine. */
const GRACE_MS = 60_000
const RETURN_MS = 60_000

/** A member with several devices comes, chooses, hides, goes and returns; and the office is killed under them. */
export const presence: Walk = {
  name: 'presence',
  async run(office, steps) {
    const devices: Realtime[] = []
    try {
      const ada = await inOrganization(office, steps)
      const [desk, phone] = await connectTwice(steps, ada, devices)
      await choose(steps, ada, desk, phone)
      await refusals(office, steps, ada, desk.userId)
      await goAndReturn(office, steps, ada, devices)
    } finally {
      // an open connection would keep the run from ending
      for (const device of devices) device.close()
    }
  },
}

/** A connected device of a member; the member is not offline by then. */
async function connected(ada: Person, devices: Realtime[]): Promise<Realtime> {
  const { device } = await listening(ada)
  devices.push(device)
  return device
}

async function inOrganization(office: Office, { step }: Steps): Promise<Person> {
  return await step('somebody founds an organization', async () => {
    const ada = await signedUp(office, 'ada')
    await ada.client.call('createOrganization', { name: fresh('Observatory') })
    return ada
  })
}

async function connectTwice(
  { step, check }: Steps,
  ada: Person,
  devices: Realtime[],
): Promise<[Realtime, Realtime]> {
  const desk = await step('a device connects with the token of the office: online', () =>
    connected(ada, devices),
  )
  const phone = await step('a second device connects', () => connected(ada, devices))
  await check('the snapshot says so, for either kind of id, once', async () => {
    const { id } = await ada.client.call('getCurrentUser')
    const userIds = [desk.userId, id, desk.userId]
    const { statuses } = await ada.client.call('getPresenceSnapshot', { userIds })
    assert.deepEqual(statuses, [{ userId: desk.userId, status: 'online' }])
  })
  return [desk, phone]
}

async function choose({ check }: Steps, ada: Person, desk: Realtime, phone: Realtime): Promise<void> {
  for (const [status, manual] of [
    ['busy', 'busy'],
    ['away', 'away'],
    ['appear_offline', 'offline'],
  ] as const) {
    await check(`${status}, chosen on one device, is shown on the other`, async () => {
      assert.deepEqual(await desk.setStatus(status), { userId: desk.userId, status })
      await shows(phone, status)
      const user = await ada.client.call('getCurrentUser')
      assert.equal(user.manualStatus, manual)
    })
    await check(`a new connection does not override ${status}`, async () => {
      const { body } = expectStatus(await ada.client.request('confirmPresence'), 200)
      assert.deepEqual(body, { userId: desk.userId, status })
    })
  }
}

async function refusals(office: Office, { check }: Steps, { client }: Person, userId: string): Promise<void> {
  await check('a snapshot takes 1 to 100 ids, and leaves out whom it does not know', async () => {
    const many = Array.from({ length: 101 }, (_, at) => String(at))
    for (const userIds of [[], many])
      expectRefusal(await client.request('getPresenceSnapshot', { userIds }), 400)
    const { statuses } = await client.call('getPresenceSnapshot', { userIds: [fresh('user_'), '0', userId] })
    assert.deepEqual(statuses, [{ userId, status: 'appear_offline' }])
  })
  await check('offline cannot be chosen', async () => {
    expectRefusal(await client.request('setPresenceStatus', { status: 'offline' as never }), 400)
  })
  await check('without an active organization there is no presence', async () => {
    const nobody = await signedUp(office, 'nobody')
    expectRefusal(await nobody.client.request('setPresenceStatus', { status: 'busy' }), 403)
    expectRefusal(await nobody.client.request('confirmPresence'), 403)
    expectRefusal(await nobody.client.request('mintConnectionToken'), 403)
  })
}

async function goAndReturn(
  office: Office,
  { step, check }: Steps,
  ada: Person,
  devices: Realtime[],
): Promise<void> {
  const own = devices[0]?.userId ?? ''
  const stored = async () => {
    const { statuses } = await ada.client.call('getPresenceSnapshot', { userIds: [own] })
    return statuses[0]?.status
  }
  await step('who has no connection any more is offline', async () => {
    for (const device of devices) device.close()
    await waitFor('offline', GRACE_MS, async () => (await stored()) === 'offline' || undefined)
    assert.equal((await ada.client.call('getCurrentUser')).manualStatus, null)
  })
  const back = await step('who returns is online', () => connected(ada, devices))
  const { own: ownOffice } = office
  if (ownOffice) {
    await check('an office that is killed comes back with everybody as they were', async () => {
      await back.setStatus('busy')
      // listened for from now on: the device may be quicker than our own questions
      const again = new Promise<void>((resolve) => {
        back.on('state', ({ state }) => state === 'connected' && resolve())
      })
      await ownOffice.kill()
      await ownOffice.start()
      assert.equal(await stored(), 'busy')
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('the device did not come back')), RETURN_MS).unref()
      })
      await Promise.race([again, late])
      assert.equal(await stored(), 'busy')
      await back.setStatus('away')
      await shows(back, 'away')
    })
  }
}

async function shows(device: Realtime, status: string): Promise<void> {
  await waitFor(
    `${status} on the device`,
    SOON_MS,
    async () => device.statusOf(device.userId) === status || undefined,
  )
}
