import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addRoom,
  deliver,
  deliverAll,
  MEDIA_SETTINGS,
  metricsOf,
  newRoom,
  newSession,
  seconds,
  seriesValue,
  somebody,
  tell,
  untilMetrics,
  untilWorkedOff,
} from '../../../tests/chapters/media-events.ts'
import { percentiles, tellFigures } from '../../../tests/faults/figures.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newMember } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice({ settings: MEDIA_SETTINGS })
})
afterAll(() => office.close())

describe('a room and its people', () => {
  it('are counted from start to finish', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room, seconds() - 1_000)
    const [one, other] = [
      somebody(founder.id, session.startedAt + 10),
      somebody('4711', session.startedAt + 20),
    ]
    const camera = { sid: `TR_${randomUUID()}`, source: 'CAMERA', type: 'VIDEO' }
    const microphone = { sid: `TR_${randomUUID()}`, source: 'MICROPHONE' }
    await deliverAll(office, [
      tell.room('room_started', session),
      tell.participant('participant_joined', session, one),
      tell.participant('participant_joined', session, other),
      tell.track('track_published', session, one, camera),
      tell.track('track_published', session, one, microphone),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_room_active: 1,
      rtc_rooms_started_total: 1,
      rtc_participants_active: 2,
      rtc_participant_sessions_total: 2,
      'rtc_tracks_active{source=camera,type=video}': 1,
      'rtc_tracks_active{source=microphone,type=audio}': 1,
    })

    await deliverAll(office, [
      tell.track('track_unpublished', session, one, camera),
      tell.participant('participant_left', session, one, session.startedAt + 110),
      tell.participant('participant_left', session, other, session.startedAt + 420),
      tell.room('room_finished', session, session.startedAt + 430),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_room_active: 0,
      rtc_participants_active: 0,
      rtc_participant_sessions_total: 2,
      'rtc_tracks_active{source=camera,type=video}': 0,
      // the microphone was never unpublished: it ended with its participant
      'rtc_tracks_active{source=microphone,type=audio}': 0,
      rtc_participant_lifetime_seconds_count: 2,
      rtc_participant_lifetime_seconds_sum: 500,
      rtc_room_duration_seconds_count: 1,
      rtc_room_duration_seconds_sum: 430,
      'rtc_participant_lifetime_seconds_bucket{le=60}': 0,
      'rtc_participant_lifetime_seconds_bucket{le=300}': 1,
      'rtc_participant_lifetime_seconds_bucket{le=+Inf}': 2,
    })
    const info = (await metricsOf(office)).find(
      ({ name, labels }) => name === 'rtc_org_info' && labels.org_id === founder.organizationId,
    )
    expect(info).toEqual({
      name: 'rtc_org_info',
      value: 1,
      labels: { org_id: founder.organizationId, org_name: 'Acme', project: 'atrium', region: 'local' },
    })
  })

  it('stay apart by organization', async () => {
    const [here, there] = [await newRoom(office), await newRoom(office)]
    await deliverAll(office, [
      tell.room('room_started', newSession(here.room)),
      tell.room('room_started', newSession(there.room)),
      tell.room('room_started', newSession(await addRoom(office, there.founder))),
    ])
    await untilMetrics(office, here.founder.organizationId, { rtc_room_active: 1 })
    await untilMetrics(office, there.founder.organizationId, { rtc_room_active: 2 })
  })

  it('a reconnection is a new session, and the old one ends by its own id', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const [before, after] = [somebody(founder.id), somebody(founder.id)]
    await deliverAll(office, [
      tell.room('room_started', session),
      tell.participant('participant_joined', session, before),
      // the old one is told to be over only after the new one has come
      tell.participant('participant_joined', session, after),
      tell.participant('participant_left', session, before, before.joinedAt + 5),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_participants_active: 1,
      rtc_participant_sessions_total: 2,
      rtc_participant_lifetime_seconds_count: 1,
    })
  })

  it('a stray end makes nothing negative', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const who = somebody(founder.id)
    await deliverAll(office, [
      tell.track('track_unpublished', session, who, {
        sid: `TR_${randomUUID()}`,
        source: 'CAMERA',
        type: 'VIDEO',
      }),
      tell.participant('participant_left', session, who, who.joinedAt + 30),
      tell.participant('participant_left', session, who, who.joinedAt + 30),
      tell.room('room_finished', session, seconds()),
      tell.room('room_finished', session, seconds()),
      // what was told late does not begin again
      tell.participant('participant_joined', session, who),
      tell.room('room_started', session),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_room_active: 0,
      rtc_rooms_started_total: 1,
      rtc_participants_active: 0,
      rtc_participant_sessions_total: 1,
      'rtc_tracks_active{source=camera,type=video}': 0,
      rtc_participant_lifetime_seconds_count: 1,
      rtc_room_duration_seconds_count: 1,
    })
  })

  it('somebody was there as long as the end of their connection says', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const who = somebody(founder.id)
    const came = who.joinedAt
    await deliverAll(office, [
      tell.room('room_started', session),
      tell.participant('participant_joined', session, who, came, { joinedAt: '0', joinedAtMs: '0' }),
      tell.participant('participant_left', session, { ...who, joinedAt: came + 60 }, came + 100),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_participant_lifetime_seconds_count: 1,
      rtc_participant_lifetime_seconds_sum: 40,
    })
  })

  it('a length that is not told, or of years, is in no metric', async () => {
    const { founder, room } = await newRoom(office)
    const sessions = [newSession(room), newSession(room, 5)] as const
    const [silent, old, told] = [somebody(founder.id), somebody(founder.id, 5), somebody(founder.id)]
    await deliverAll(office, [
      tell.room('room_started', sessions[0]),
      tell.room('room_started', sessions[1]),
      tell.participant('participant_left', sessions[0], { ...silent, joinedAt: 0 }, seconds()),
      tell.participant('participant_joined', sessions[0], old),
      tell.participant('participant_left', sessions[0], old, seconds()),
      tell.participant('participant_left', sessions[0], told, told.joinedAt + 30),
      tell.room('room_finished', sessions[1], seconds()),
      tell.room('room_finished', sessions[0], sessions[0].startedAt + 50),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_participants_active: 0,
      rtc_participant_lifetime_seconds_count: 1,
      rtc_participant_lifetime_seconds_sum: 30,
      rtc_room_active: 0,
      rtc_room_duration_seconds_count: 1,
      rtc_room_duration_seconds_sum: 50,
    })
  })

  it('a room was open as long as its end says, where it says so', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const finished = tell.room('room_finished', session, session.startedAt + 430)
    await deliverAll(office, [
      tell.room('room_started', session),
      { ...finished, room: { ...finished.room, duration: 1_234 } },
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_room_duration_seconds_count: 1,
      rtc_room_duration_seconds_sum: 1_234,
    })
  })

  it('lasted as long as is known where the end tells a length of nothing, or a beginning after itself', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const who = somebody(founder.id, session.startedAt + 10)
    const ended = session.startedAt + 430
    const finished = tell.room('room_finished', session, ended)
    await deliverAll(office, [
      tell.room('room_started', session),
      tell.participant('participant_joined', session, who),
      tell.participant('participant_left', session, { ...who, joinedAt: ended + 5 }, ended),
      { ...finished, room: { ...finished.room, duration: -3, creationTime: `${ended}` } },
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_participant_lifetime_seconds_sum: 420,
      rtc_room_duration_seconds_sum: 430,
    })
  })

  it('a stay that the end of its room has ended is corrected by its own end, told later', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const who = somebody(founder.id, session.startedAt + 10)
    const stay = async () =>
      (
        await office.database.pool.query(
          `select seconds, ended_by, extract(epoch from ended_at)::int as ended from media_participants where sid = $1`,
          [who.sid],
        )
      ).rows[0]
    await deliverAll(office, [
      tell.room('room_started', session),
      tell.participant('participant_joined', session, who),
      tell.room('room_finished', session, session.startedAt + 90),
    ])
    await untilWorkedOff(office)
    expect(await stay()).toEqual({ seconds: 80, ended_by: 'room', ended: session.startedAt + 90 })
    const left = tell.participant('participant_left', session, who, session.startedAt + 50)
    await deliverAll(office, [
      left,
      tell.participant('participant_left', session, who, session.startedAt + 70),
    ])
    await untilWorkedOff(office)
    // the first end that is told of the stay itself counts
    expect(await stay()).toEqual({ seconds: 40, ended_by: 'event', ended: session.startedAt + 50 })
    await untilMetrics(office, founder.organizationId, { rtc_participant_lifetime_seconds_count: 1 })
  })

  it('a clock that is wrong by years is not in the sum of the lag for good', async () => {
    const { founder, room } = await newRoom(office)
    const lag = async () => seriesValue(await metricsOf(office), 'rtc_webhook_delivery_lag_seconds_sum') ?? 0
    const before = await lag()
    // 1970 and 2016, as of a machine without a clock: each counts as an hour
    for (const at of [1, 1_460_000_000])
      await deliverAll(office, [tell.room('room_started', newSession(room), at)])
    await untilMetrics(office, founder.organizationId, { rtc_rooms_started_total: 2 })
    // a sum of fractions, less another one
    const FRACTION = 1e-9
    const added = (await lag()) - before
    expect(added).toBeGreaterThan(2 * 3_600 - FRACTION)
    expect(added).toBeLessThan(3 * 3_600)
  })

  it('the same session may begin again after its end', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    await deliverAll(office, [
      tell.room('room_started', session),
      tell.room('room_started', session),
      tell.room('room_finished', session, session.startedAt + 10),
      tell.room('room_started', session, session.startedAt + 20),
    ])
    await untilMetrics(office, founder.organizationId, { rtc_room_active: 1, rtc_rooms_started_total: 2 })
  })

  it('a connection that failed is told by its reason and ends nobody', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const reason = { disconnectReason: 'SIGNAL_CLOSE' }
    await deliverAll(office, [
      tell.participant('participant_joined', session, somebody(founder.id)),
      tell.participant('participant_connection_aborted', session, somebody('7'), seconds(), reason),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_participants_active: 1,
      'rtc_connection_aborted_total{reason=signal_close}': 1,
    })
  })
})

describe('an event that lacks the SID of its room', () => {
  it('counts what it tells of, and opens no room', async () => {
    const { founder, room } = await newRoom(office)
    // left out: one that is empty is unusable
    const session = { ...newSession(room), sid: undefined as never }
    const who = somebody(founder.id)
    await deliverAll(office, [
      tell.participant('participant_joined', session, who),
      tell.track('track_published', session, who, {
        sid: `TR_${randomUUID()}`,
        source: 'CAMERA',
        type: 'VIDEO',
      }),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_room_active: 0,
      rtc_participants_active: 1,
      'rtc_tracks_active{source=camera,type=video}': 1,
    })
    await deliver(office, tell.participant('participant_left', session, who))
    await untilMetrics(office, founder.organizationId, {
      rtc_participants_active: 0,
      'rtc_tracks_active{source=camera,type=video}': 0,
    })
  })
})

describe('who counts', () => {
  it('machinery does not, nor do its tracks', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const recorder = { ...somebody('EG_abc'), kind: 'EGRESS' }
    const agent = { ...somebody('agent-1'), kind: 'AGENT' }
    await deliverAll(office, [
      tell.participant('participant_joined', session, somebody(founder.id)),
      tell.participant('participant_joined', session, recorder),
      tell.participant('participant_joined', session, agent),
      tell.track('track_published', session, agent, { sid: `TR_${randomUUID()}`, source: 'MICROPHONE' }),
      tell.participant('participant_left', session, recorder, seconds()),
      tell.room('room_started', session),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_rooms_started_total: 1,
      rtc_participants_active: 1,
      rtc_participant_sessions_total: 1,
    })
    const samples = await metricsOf(office)
    const own = { org_id: founder.organizationId }
    expect(seriesValue(samples, 'rtc_participant_lifetime_seconds_count', own)).toBeUndefined()
    expect(seriesValue(samples, 'rtc_tracks_active', own)).toBeUndefined()
  })

  it('only members are unique users', async () => {
    const { founder, room } = await newRoom(office)
    const member = await newMember(office, founder, 'member')
    const session = newSession(room)
    for (const identity of [founder.id, founder.id, member.id, `${member.id}#x`, 'EG_x', '042', '1e3'])
      await deliverAll(office, [
        tell.participant('participant_left', session, somebody(identity, seconds() - 60), seconds() - 30),
      ])
    await untilMetrics(office, founder.organizationId, { rtc_participant_lifetime_seconds_count: 6 })
    await office.office.jobs.runNow('refresh-metrics')
    await untilMetrics(office, founder.organizationId, {
      'rtc_unique_participants{window=7d}': 2,
      'rtc_unique_participants{window=30d}': 2,
      'rtc_participant_total_online_seconds{window=7d}': 180,
    })
  })

  it('a guest counts from the moment of admission, and is no unique user', async () => {
    const { founder, room } = await newRoom(office)
    const guest = await waitingGuest(founder, room)
    const session = newSession(room)
    const who = somebody(guest.identity, seconds() - 500)
    await deliverAll(office, [
      tell.room('room_started', session),
      tell.participant('participant_joined', session, who),
    ])
    await untilMetrics(office, founder.organizationId, { rtc_room_active: 1, rtc_participants_active: 0 })
    // no metric says that the guest waits: one who is heard of only after the admission was inside from the beginning
    const waiting = () =>
      office.database.pool.query('select from media_participants where waits and identity = $1', [
        guest.identity,
      ])
    await until(async () => (await waiting()).rowCount === 1)
    expect(
      seriesValue(await metricsOf(office), 'rtc_participant_sessions_total', {
        org_id: founder.organizationId,
      }),
    ).toBeUndefined()

    await guest.admit()
    await untilMetrics(office, founder.organizationId, {
      rtc_participants_active: 1,
      rtc_participant_sessions_total: 1,
    })
    await deliver(office, tell.participant('participant_left', session, who, seconds()))
    await untilMetrics(office, founder.organizationId, {
      rtc_participants_active: 0,
      // the time spent waiting is no part of the stay
      'rtc_participant_lifetime_seconds_bucket{le=60}': 1,
    })
    await office.office.jobs.runNow('refresh-metrics')
    await untilMetrics(office, founder.organizationId, { 'rtc_unique_participants{window=7d}': 0 })
  })

  it('a guest who is turned away never counted', async () => {
    const { founder, room } = await newRoom(office)
    const guest = await waitingGuest(founder, room)
    const session = newSession(room)
    const who = somebody(guest.identity)
    await deliverAll(office, [
      tell.participant('participant_joined', session, who),
      tell.participant('participant_left', session, who, seconds()),
      tell.room('room_started', session),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_rooms_started_total: 1,
      rtc_participants_active: 0,
    })
    const own = { org_id: founder.organizationId }
    expect(
      seriesValue(await metricsOf(office), 'rtc_participant_lifetime_seconds_count', own),
    ).toBeUndefined()
  })

  async function waitingGuest(founder: { id: string; organizationId: string }, room: string) {
    const { db } = office.database
    const id = randomUUID()
    const { organization_id } = await db
      .selectFrom('rooms')
      .select('organization_id')
      .where('id', '=', room)
      .executeTakeFirstOrThrow()
    const now = new Date()
    await db
      .insertInto('guests')
      .values({
        id,
        organization_id,
        room_id: room,
        invite_id: randomUUID(),
        denials: 0,
        cookie_hash: Buffer.from(randomUUID()),
        name: 'Guest',
        invited_by: founder.id,
        allow_all: true,
        allowed_admins: [],
        expires_at: new Date(now.getTime() + 3_600_000),
        state: 'waiting',
        since: now,
        absent_at: new Date(now.getTime() + 3_600_000),
        created_at: now,
      })
      .execute()
    return {
      identity: `guest:${id}`,
      admit: () => db.updateTable('guests').set({ state: 'admitted' }).where('id', '=', id).execute(),
    }
  }
})

describe('in numbers', () => {
  it('takes five thousand events at once without loss or error', async (context) => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const people = Array.from({ length: 2_500 }, (_, at) => somebody(`${1_000_000 + at}`))
    const events = [
      ...people.map((who) => tell.participant('participant_joined', session, who)),
      ...people.map((who) => tell.participant('participant_left', session, who, seconds())),
    ]
    const queue = events.values()
    const times: number[] = []
    const send = async () => {
      for (const event of queue) {
        const began = performance.now()
        expect((await deliver(office, event)).status).toBe(200)
        times.push(performance.now() - began)
      }
    }
    await Promise.all(Array.from({ length: 50 }, send))
    await untilMetrics(office, founder.organizationId, {
      rtc_participants_active: 0,
      rtc_participant_sessions_total: 2_500,
      rtc_participant_lifetime_seconds_count: 2_500,
    })
    expect(seriesValue(await metricsOf(office), 'rtc_webhook_dropped_total')).toBe(0)
    tellFigures(context, { events: times.length, dropped: 0, ...percentiles('answer', times) })
  })
})

it('what is known survives a restart, and so do the counts', async () => {
  const first = await openTestOffice({ settings: MEDIA_SETTINGS })
  const { founder, room } = await newRoom(first)
  const session = newSession(room)
  const [stays, goes] = [somebody(founder.id), somebody('99')]
  await deliverAll(first, [
    tell.room('room_started', session),
    tell.participant('participant_joined', session, stays),
    tell.participant('participant_joined', session, goes),
  ])
  await untilMetrics(first, founder.organizationId, { rtc_participants_active: 2 })
  const second = await openTestOffice({ settings: MEDIA_SETTINGS, beside: first })
  try {
    // another node shows the same, on whichever node the events are processed
    await untilMetrics(second, founder.organizationId, { rtc_participants_active: 2, rtc_room_active: 1 })
    await deliver(second, tell.participant('participant_left', session, goes, goes.joinedAt + 50))
    for (const node of [first, second])
      await untilMetrics(node, founder.organizationId, {
        rtc_participants_active: 1,
        rtc_participant_sessions_total: 2,
        rtc_participant_lifetime_seconds_sum: 50,
      })
  } finally {
    await second.close()
  }
  const third = await openTestOffice({ settings: MEDIA_SETTINGS, beside: first })
  try {
    await untilMetrics(third, founder.organizationId, {
      rtc_participants_active: 1,
      rtc_participant_sessions_total: 2,
    })
    await until(async () => seriesValue(await metricsOf(third), 'rtc_webhook_queue_depth') === 0)
  } finally {
    await third.close()
    await first.close()
  }
})
