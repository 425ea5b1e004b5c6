import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DisconnectReason } from '@livekit/rtc-node'
import type { Check } from '../engine.ts'
import { colleague, metricLinesOf, type Office } from './office.ts'
import { enter, until } from './people.ts'
import {
  CAMERAS,
  decide,
  knock,
  linkTo,
  MICROPHONES,
  rightsOf,
  setScene,
  tokenOf,
  untilCounted,
} from './scene.ts'
import type { LivekitServer } from './server.ts'

const CLIENT = fileURLToPath(new URL('client.ts', import.meta.url))
/** Longer than the media server repeats a webhook (15 s) and keeps one that waits (30 s). */
const OUTAGE_MS = 40_000
/** Of eleven: those that were repeated in vain, and those that meanwhile became too old. */
const LOST_MIN = 6

/** A client that is killed while it speaks: the media server notices after some twenty seconds. */
export async function tryKilledClient(): Promise<() => Promise<void>> {
  const { ada, roomId } = await setScene()
  const client = fork(CLIENT, [await tokenOf(ada, roomId)], { stdio: 'ignore' })
  await once(client, 'message')
  await untilCounted(ada, { rtc_participants_active: 1, [MICROPHONES]: 1 })
  client.kill('SIGKILL')
  return async () => {
    const gone = { rtc_participants_active: 0, [MICROPHONES]: 0, rtc_participant_lifetime_seconds_count: 1 }
    await untilCounted(ada, gone, 60_000)
  }
}

/** The media server goes: killed, and told to. */
export async function tryCrash(check: Check, server: LivekitServer): Promise<void> {
  const { ada, roomId } = await setScene()
  const grace = await colleague(ada)
  const before = await enter(await tokenOf(ada, roomId))
  await before.speak()
  await untilCounted(ada, { rtc_participants_active: 1, [MICROPHONES]: 1 })
  await check('a server that was killed: 503 while it is away, and rooms open again after', async () => {
    await server.kill()
    const refused = await ada.client.request('authorizeRoom', { username: 'Ada', roomId })
    assert.equal(refused.status, 503)
    await server.start()
    const second = await enter(await tokenOf(grace, roomId))
    assert.ok(second.room.isConnected)
    await until('the first one finds back by themself', () => second.sees(ada.id), 60_000)
    await second.leave()
  })
  await check(
    'of what was there before nothing more is told: the sweep ends it, and it is not counted twice',
    () => untilCounted(ada, { rtc_room_active: 1, rtc_participants_active: 1, [MICROPHONES]: 1 }),
  )
  await check('a server that is told to end says nothing of its rooms: the sweep ends them', async () => {
    await server.shutDown()
    await before.leave()
    await server.start()
    await untilCounted(ada, { rtc_room_active: 0, rtc_participants_active: 0, [MICROPHONES]: 0 })
  })
}

/** The office is away for longer than the media server repeats its webhooks: what happens meanwhile is lost. */
export async function tryOutage(check: Check, server: LivekitServer, office: Office): Promise<void> {
  const kitchen = await setScene()
  const { ada, roomId } = kitchen
  const { room: hall } = await ada.client.call('createRoom', { name: 'The Hall' })
  const [grace, alan, mary] = [await colleague(ada), await colleague(ada), await colleague(ada)]
  const link = await linkTo(kitchen)
  const [guest, denied] = [await knock(link), await knock(link)]
  const tokens = { alan: await tokenOf(alan, roomId) }
  const first = await enter(await tokenOf(ada, roomId))
  const second = await enter(await tokenOf(grace, roomId))
  const third = await enter(await tokenOf(mary, hall.id))
  await second.speak()
  let visitor = await enter(guest.rtcToken)
  await decide(kitchen, guest.guestIdentity, 'admit')
  await decide(kitchen, denied.guestIdentity, 'deny')
  await untilCounted(ada, { rtc_room_active: 2, rtc_participants_active: 4, [MICROPHONES]: 1 })

  const lostBefore = await server.lost()
  await office.kill()
  await second.leave()
  await third.leave()
  await visitor.leave()
  visitor = await enter(guest.rtcToken)
  const intruder = await enter(denied.rtcToken)
  const newcomer = await enter(tokens.alan)
  await newcomer.speak()
  await newcomer.film()
  assert.equal(await rightsOf(kitchen, guest.guestIdentity), false)
  await pause(OUTAGE_MS)
  const negative: string[] = []
  const watch = setInterval(async () => {
    const lines = await metricLinesOf(ada).catch(() => [])
    negative.push(...lines.filter((line) => Number(line.slice(line.lastIndexOf(' ') + 1)) < 0))
  }, 250)
  try {
    await check('an office that was away for 40 s: events are lost for good', async () => {
      await office.start()
      let lost = 0
      await until(
        'events are given up',
        async () => {
          lost = (await server.lost()) - lostBefore
          return lost >= LOST_MIN
        },
        60_000,
      )
      console.error(`    the media server has given up ${lost} webhooks`)
    })
    await check('and the sweep makes them good: counts are those of who is there', async () => {
      await untilCounted(
        ada,
        {
          rtc_room_active: 1,
          rtc_participants_active: 3,
          [MICROPHONES]: 1,
          [CAMERAS]: 1,
          rtc_participant_lifetime_seconds_count: 3,
          rtc_room_duration_seconds_count: 1,
        },
        60_000,
      )
    })
    await check('a guest who was let in has their rights, one who was denied is out', async () => {
      await until('they may publish', async () => (await rightsOf(kitchen, guest.guestIdentity)) === true)
      await until('they are out', () => intruder.ended() === DisconnectReason.PARTICIPANT_REMOVED)
    })
    await check('when all have gone nothing is left, and nothing was ever negative', async () => {
      for (const one of [first, visitor, newcomer]) await one.leave()
      await untilCounted(ada, { rtc_room_active: 0, rtc_participants_active: 0, [MICROPHONES]: 0 }, 60_000)
      assert.deepEqual(negative, [])
    })
  } finally {
    clearInterval(watch)
  }
}
