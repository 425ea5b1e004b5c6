import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { DisconnectReason } from '@livekit/rtc-node'
import { RoomServiceClient } from 'livekit-server-sdk'
import type { Check } from '../engine.ts'
import { colleague, metricsOf } from './office.ts'
import { enter, until } from './people.ts'
import {
  CAMERAS,
  decide,
  knock,
  linkTo,
  MICROPHONES,
  SWEEPS_MS,
  setScene,
  tokenOf,
  untilCounted,
} from './scene.ts'
import { LIVEKIT } from './server.ts'
import { signalOnly } from './signal.ts'

const aborted = (reason: string) => `rtc_connection_aborted_total{reason="${reason}"}`

/** What people do with their devices, and what they cannot be told apart by. */
export async function tryCounts(check: Check): Promise<void> {
  const scene = await setScene()
  const { ada, roomId } = scene
  const first = await enter(await tokenOf(ada, roomId))

  await check(
    'a microphone and a camera are counted as such, muted or not, until they are gone',
    async () => {
      const microphone = await first.speak()
      const camera = await first.film()
      await untilCounted(ada, { [MICROPHONES]: 1, [CAMERAS]: 1 })
      const service = new RoomServiceClient(LIVEKIT.url, LIVEKIT.apiKey, LIVEKIT.apiSecret)
      await service.mutePublishedTrack(roomId, ada.id, microphone, true)
      await pause(SWEEPS_MS)
      await untilCounted(ada, { [MICROPHONES]: 1, [CAMERAS]: 1 })
      await first.room.localParticipant?.unpublishTrack(camera)
      await untilCounted(ada, { [MICROPHONES]: 1, [CAMERAS]: 0, rtc_participants_active: 1 })
    },
  )

  await check('who joins twice is there once: the first connection ends, the second counts', async () => {
    const second = await enter(await tokenOf(ada, roomId))
    await until('the first is out', () => first.ended() === DisconnectReason.DUPLICATE_IDENTITY)
    await untilCounted(ada, {
      rtc_participants_active: 1,
      rtc_participant_sessions_total: 2,
      [MICROPHONES]: 0,
    })
    await second.leave()
    await untilCounted(ada, { rtc_participants_active: 0, rtc_participant_lifetime_seconds_count: 2 })
  })

  const [grace, alan] = [await colleague(ada), await colleague(ada)]
  const inside = await enter(await tokenOf(ada, roomId))
  await untilCounted(ada, { rtc_participants_active: 1, rtc_participant_sessions_total: 3 })
  const still = { rtc_participants_active: 1, rtc_participant_sessions_total: 3 }

  await check('who connects to the signalling only, and vanishes, was never a participant', async () => {
    const { rtcToken } = await knock(await linkTo(scene))
    // three different ones: of one who comes twice, the first would be put out by the second
    for (const token of [await tokenOf(grace, roomId), await tokenOf(alan, roomId), rtcToken])
      (await signalOnly(token)).vanish()
    await untilCounted(ada, { [aborted('signal_close')]: 3, ...still })
    await pause(SWEEPS_MS)
    await untilCounted(ada, still)
  })

  await check(
    'nor is who stays there without media; a guest who does so is put out when denied',
    async () => {
      const member = await signalOnly(await tokenOf(grace, roomId))
      const { rtcToken, guestIdentity } = await knock(await linkTo(scene))
      const guest = await signalOnly(rtcToken)
      await pause(SWEEPS_MS)
      await untilCounted(ada, still)
      await decide(scene, guestIdentity, 'deny')
      await guest.closed
      await untilCounted(ada, { [aborted('participant_removed')]: 1, ...still })
      member.vanish()
      await untilCounted(ada, { [aborted('signal_close')]: 4, ...still })
    },
  )
  await inside.leave()

  await check('without a recorder a start is refused, and the room is free for the next', async () => {
    const present = await enter(await tokenOf(ada, roomId))
    const about = { roomName: roomId, conferenceTopic: 'Weekly', zoneId: 'zone-1', participants: 'Ada' }
    const start = async () => (await ada.client.request('startRecording', about)).status
    assert.equal(await start(), 503)
    const { data } = await ada.client.call('listRecordings', { roomName: roomId })
    // on a machine that is busy the refusal takes longer than anybody waits: then it may record all the same
    if (data[0]?.state === 'starting') assert.equal(await start(), 409)
    else {
      assert.equal(data[0]?.state, 'failed')
      assert.equal(await start(), 503)
    }
    await present.leave()
  })
}

/** A person without media, whom the media server gives up after a minute. */
export async function tryNeverComing(): Promise<() => Promise<void>> {
  const { ada, roomId } = await setScene()
  const { closed } = await signalOnly(await tokenOf(ada, roomId))
  return async () => {
    await closed
    await untilCounted(ada, { [aborted('join_failure')]: 1, rtc_participants_active: 0 }, 90_000)
    assert.equal((await metricsOf(ada)).get('rtc_participant_sessions_total'), undefined)
  }
}
