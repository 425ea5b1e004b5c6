import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  deliver,
  deliverAll,
  MEDIA_SETTINGS,
  newRoom,
  newSession,
  seconds,
  somebody,
  tell,
  untilMetrics,
  untilWorkedOff,
} from '../../../tests/chapters/media-events.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { until } from '../../../tests/until.ts'
import { makeWorker } from '../../platform/background/work-queue.ts'
import { secondsAfter } from '../../platform/clock.ts'
import {
  concernsListeners,
  type MediaListeners,
  RETELL_QUEUE,
  retellQueue,
  tellListeners,
} from './listeners.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice({ settings: MEDIA_SETTINGS })
})
afterAll(() => office.close())

const DAY = 24 * 60 * 60
describe('what is purged', () => {
  it('activity after ninety days, and not before', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room, seconds() - 100 * DAY)
    const [old, recent] = [somebody('1', seconds() - 92 * DAY), somebody('2', seconds() - 89 * DAY)]
    for (const who of [old, recent])
      await deliver(office, tell.participant('participant_left', session, who, who.joinedAt + 60))
    await untilMetrics(office, founder.organizationId, { rtc_participant_lifetime_seconds_count: 2 })
    await office.office.jobs.runNow('purge-media-activity')
    const rows = await office.database.db
      .selectFrom('media_participants')
      .select('sid')
      .where('room_sid', '=', session.sid)
      .execute()
    expect(rows.map(({ sid }) => sid)).toEqual([recent.sid])
    // what was counted stays counted
    await untilMetrics(office, founder.organizationId, { rtc_participant_lifetime_seconds_count: 2 })
  })

  it('events that are done with, after the duplicate window', async () => {
    const event = tell.room('room_started', newSession('nowhere'))
    await deliver(office, event)
    const row = async () =>
      office.database.db
        .selectFrom('media_events')
        .select('processed_at')
        .where('event_id', '=', event.id)
        .executeTakeFirst()
    await until(async () => (await row())?.processed_at != null)
    await office.office.jobs.runNow('purge-media-events')
    expect(await row()).toBeDefined()
    office.clock.advance(700)
    await office.office.jobs.runNow('purge-media-events')
    office.clock.advance(-700)
    expect(await row()).toBeUndefined()
  })
})

describe('listeners', () => {
  it('hear of people, rooms and recordings of ours, and again of what they could not act on', async () => {
    const { db } = office.database
    const { room } = await newRoom(office)
    const session = newSession(room)
    const who = somebody('guest:1')
    const heard: [string, unknown][] = []
    let fails = true
    const listeners: MediaListeners = {
      async onParticipantJoined(joined) {
        heard.push(['joined', joined])
        if (fails) throw new Error('not now')
      },
      onParticipantLeft: async (left) => void heard.push(['left', left]),
      onRecordingEvent: async ({ egressId, progress }) => void heard.push([progress, egressId]),
    }
    // told by this test alone: the office's own listeners are done with them first
    const events = [
      tell.participant('participant_joined', session, who),
      tell.participant('participant_left', session, who, seconds()),
      tell.room('room_finished', session, seconds()),
      tell.egress('egress_updated', { egressId: 'EG_1', roomName: room, status: 'EGRESS_ACTIVE' }),
      tell.track('track_published', session, who, { sid: 'TR_1' }),
    ]
    await deliverAll(office, events)
    const rows = () =>
      db
        .selectFrom('media_events')
        .select(['event_id', 'processed_at', 'tell_at'])
        .where(({ eb, fn, val }) => eb('event_id', '=', fn.any(val(events.map(({ id }) => id)))))
        .execute()
    await untilWorkedOff(office)
    await office.office.jobs.stop()
    await office.office.work.worker(RETELL_QUEUE).stop()
    const now = office.clock.now()
    await db.updateTable('media_events').set({ tell_at: null }).execute()
    await db
      .updateTable('media_events')
      .set({ tell_at: now })
      .where(({ eb, fn, val }) => eb('event_id', '=', fn.any(val(events.map(({ id }) => id)))))
      .execute()
    const told = { db, clock: office.clock, log: office.office.log, listeners }
    const { signal } = new AbortController()
    await tellListeners(told, signal)
    expect(heard.map(([what]) => what).toSorted()).toEqual(['active', 'joined', 'left'])
    expect(heard.find(([what]) => what === 'joined')?.[1]).toMatchObject({
      room,
      identity: 'guest:1',
      connection: who.sid,
    })
    expect((await rows()).filter(({ tell_at }) => tell_at !== null)).toEqual([])
    const [joined] = heard.splice(0).filter(([what]) => what === 'joined')
    const { log } = office.office
    const at = (seconds: number) => ({
      db,
      log,
      clock: { now: () => secondsAfter(office.clock.now(), seconds) },
    })
    await makeWorker(retellQueue(listeners), at(5)).drain()
    fails = false
    await makeWorker(retellQueue(listeners), at(30)).drain()
    await makeWorker(retellQueue(listeners), at(60)).drain()
    // once more in vain, then heard: the same, with its moments, and not again
    expect(heard).toEqual([joined, joined])
  })

  it('of a kind that nobody waits for are none', () => {
    const event = {
      kind: 'room_started',
      id: 'EV',
      at: new Date(),
      room: { sid: 'RM', name: '', startedAt: undefined },
    }
    expect(concernsListeners({ onParticipantLeft: async () => {} }, event as never)).toBe(false)
  })
})
