import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  deliver,
  deliverAll,
  MEDIA_SETTINGS,
  metricsOf,
  newRoom,
  seconds,
  seriesValue,
  tell,
  untilMetrics,
} from '../../../tests/chapters/media-events.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice({ settings: MEDIA_SETTINGS })
})
afterAll(() => office.close())

describe('recordings and streams', () => {
  it('took as long as their end says, though it tells the beginning only', async () => {
    const { founder, room } = await newRoom(office)
    const at = seconds()
    const begun = `${at - 50}000000000`
    const recording = (egressId: string, more: object = {}) => ({
      egressId,
      roomName: room,
      roomComposite: {},
      ...more,
    })
    const stream = (state: object) => ({ ingressId: 'IN_1', roomName: room, inputType: 'RTMP_INPUT', state })
    await deliverAll(office, [
      tell.egress(
        'egress_ended',
        recording('EG_unheard', { status: 'EGRESS_COMPLETE', startedAt: begun }),
        at,
      ),
      tell.egress('egress_started', recording('EG_silent'), at - 100),
      tell.egress(
        'egress_ended',
        recording('EG_silent', { status: 'EGRESS_COMPLETE', startedAt: begun }),
        at,
      ),
      tell.ingress('ingress_ended', stream({ status: 'ENDPOINT_INACTIVE', startedAt: begun }), at),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_egress_duration_seconds_count: 2,
      rtc_egress_duration_seconds_sum: 100,
      rtc_ingress_duration_seconds_count: 1,
      rtc_ingress_duration_seconds_sum: 50,
    })
  })

  it('took as long as is known where their end tells a length of nothing, or a beginning after itself', async () => {
    const { founder, room } = await newRoom(office)
    const at = seconds()
    const ns = (time: number) => `${time}000000000`
    const recording = (more: object = {}) => ({ egressId: 'EG_nothing', roomName: room, web: {}, ...more })
    const stream = (state: object) => ({ ingressId: 'IN_nothing', roomName: room, state })
    const end = { startedAt: ns(at + 10), endedAt: ns(at) }
    const file = { filename: 'a.mp4', size: '5', duration: '-1' }
    await deliverAll(office, [
      tell.egress('egress_started', recording({ startedAt: ns(at - 100) }), at - 100),
      tell.ingress('ingress_started', stream({ startedAt: ns(at - 30) }), at - 30),
      tell.egress('egress_ended', recording({ status: 'EGRESS_COMPLETE', fileResults: [file], ...end }), at),
      tell.ingress('ingress_ended', stream({ endedAt: ns(at) }), at),
    ])
    await untilMetrics(office, founder.organizationId, {
      rtc_egress_duration_seconds_sum: 100,
      rtc_ingress_duration_seconds_sum: 30,
    })
  })

  it('have no length where none is told, or one of years', async () => {
    const { founder, room } = await newRoom(office)
    const at = seconds()
    const recording = (egressId: string, more: object) => {
      const info = { egressId, roomName: room, web: {}, status: 'EGRESS_COMPLETE', ...more }
      return tell.egress('egress_ended', info, at)
    }
    await deliverAll(office, [
      recording('EG_none', {}),
      recording('EG_negative', { fileResults: [{ filename: 'a.mp4', size: '5', duration: '-5' }] }),
      recording('EG_years', { startedAt: '5000000000' }),
      tell.ingress('ingress_ended', { ingressId: 'IN_none', roomName: room, state: {} }, at),
      recording('EG_told', { fileResults: [{ filename: 'b.mp4', size: '5', duration: '7000000000' }] }),
    ])
    const { organizationId } = founder
    await untilMetrics(office, organizationId, {
      'rtc_egress_ended_total{result=success}': 4,
      rtc_egress_duration_seconds_count: 1,
      rtc_egress_duration_seconds_sum: 7,
    })
    const samples = await metricsOf(office)
    const ofIngress = seriesValue(samples, 'rtc_ingress_duration_seconds_count', { org_id: organizationId })
    expect(ofIngress ?? 0).toBe(0)
  })

  it('ended well where they left a file, and failed where they say that they left none', async () => {
    const { founder, room } = await newRoom(office)
    const at = seconds()
    const file = { filename: 'a.mp4', size: '5', duration: '7000000000' }
    const ends: [status: string, files: object[]][] = [
      ['EGRESS_COMPLETE', [file]],
      ['EGRESS_COMPLETE', []],
      ['EGRESS_LIMIT_REACHED', [file]],
      ['EGRESS_LIMIT_REACHED', []],
    ]
    await deliverAll(
      office,
      ends.map(([status, fileResults], index) => {
        const info = { egressId: `EG_${index}_${room}`, roomName: room, web: {}, status, fileResults }
        return tell.egress('egress_ended', info, at)
      }),
    )
    await untilMetrics(office, founder.organizationId, {
      'rtc_egress_ended_total{result=success}': 1,
      'rtc_egress_ended_total{result=limit_reached}': 1,
      'rtc_egress_ended_total{result=failed}': 2,
    })
    await office.office.jobs.runNow('refresh-metrics')
    await untilMetrics(office, founder.organizationId, { 'rtc_egress_completed{window=1d}': 2 })
  })

  it('are counted by what they are and how they ended', async () => {
    const { founder, room } = await newRoom(office)
    const started = seconds() - 600
    const ns = (time: number) => `${time}000000000`
    const info = (egressId: string, more: object = {}) => ({
      egressId,
      roomName: room,
      roomComposite: {},
      ...more,
    })
    const [good, bad, silent] = [randomUUID(), randomUUID(), randomUUID()]
    const file = { filename: 'a.mp4', duration: ns(120), size: '5' }
    const end = { startedAt: ns(started), endedAt: ns(started + 130) }
    await deliverAll(office, [
      tell.egress('egress_started', info(good), started),
      tell.egress('egress_started', info(bad, { roomComposite: undefined, web: {} }), started),
      tell.egress('egress_started', info(silent), started),
      tell.egress('egress_updated', info(good, { status: 'EGRESS_ACTIVE' }), started),
      tell.egress(
        'egress_ended',
        info(good, { status: 'EGRESS_COMPLETE', fileResults: [file], ...end }),
        started + 130,
      ),
      tell.egress(
        'egress_ended',
        info(good, { status: 'EGRESS_COMPLETE', fileResults: [file], ...end }),
        started + 131,
      ),
      tell.egress(
        'egress_ended',
        info(bad, { roomComposite: undefined, web: {}, status: 'EGRESS_FAILED', ...end }),
        started + 130,
      ),
      // its end comes before its start
      tell.egress('egress_ended', info('EG_late', { status: 'EGRESS_ABORTED', ...end }), started + 130),
      tell.egress('egress_started', info('EG_late'), started),
    ])
    await untilMetrics(office, founder.organizationId, {
      'rtc_egress_started_total{request_type=room_composite}': 3,
      'rtc_egress_started_total{request_type=web}': 1,
      rtc_egress_active: 1,
      'rtc_egress_ended_total{result=success,request_type=room_composite}': 1,
      'rtc_egress_ended_total{result=failed,request_type=web}': 1,
      'rtc_egress_ended_total{result=aborted}': 1,
      rtc_egress_duration_seconds_count: 3,
      rtc_egress_duration_seconds_sum: 120 + 130 + 130,
    })
    await office.office.jobs.runNow('refresh-metrics')
    await untilMetrics(office, founder.organizationId, {
      'rtc_egress_completed{window=1d}': 1,
      'rtc_egress_completed{window=30d}': 1,
      'rtc_egress_total_duration_seconds{window=7d}': 120,
    })
  })

  it('an end that names no room belongs to where it began, told at once or later', async () => {
    const { founder, room } = await newRoom(office)
    const [egressId, ingressId] = [`EG_${randomUUID()}`, `IN_${randomUUID()}`]
    const ended = [
      tell.egress('egress_ended', { egressId, status: 'EGRESS_COMPLETE' }),
      tell.ingress('ingress_ended', { ingressId, state: { status: 'ENDPOINT_ERROR', error: 'cut off' } }),
    ]
    await deliverAll(office, [
      tell.egress('egress_started', { egressId, roomName: room, web: {} }),
      tell.ingress('ingress_started', { ingressId, roomName: room, inputType: 'URL_INPUT' }),
    ])
    await untilMetrics(office, founder.organizationId, { rtc_egress_active: 1, rtc_ingress_active: 1 })
    await deliverAll(office, ended)
    await untilMetrics(office, founder.organizationId, {
      'rtc_egress_ended_total{result=success,request_type=web}': 1,
      'rtc_ingress_ended_total{result=failed,input_type=url}': 1,
      rtc_egress_active: 0,
      rtc_ingress_active: 0,
    })
    const next = `EG_${randomUUID()}`
    await deliverAll(office, [
      tell.egress('egress_started', { egressId: next, roomName: room, track: {} }),
      tell.egress('egress_ended', { egressId: next, status: 'EGRESS_ABORTED' }),
    ])
    await untilMetrics(office, founder.organizationId, {
      'rtc_egress_ended_total{result=aborted,request_type=track}': 1,
      rtc_egress_active: 0,
    })
  })

  it.each([
    ['start', { state: { startedAt: '1000000000000' } }, {}],
    ['end', {}, { state: { startedAt: '1000000000000', endedAt: '1060000000000' } }],
  ])('a stream brought in ends, although only its %s says when it began', async (_which, start, end) => {
    const { founder, room } = await newRoom(office)
    const begun = (ingressId: string) =>
      tell.ingress('ingress_started', { ingressId, roomName: room, inputType: 'URL_INPUT', ...start })
    const over = (ingressId: string) => tell.ingress('ingress_ended', { ingressId, ...end })
    const [first, second] = [`IN_${randomUUID()}`, `IN_${randomUUID()}`]
    await deliverAll(office, [begun(first)])
    await untilMetrics(office, founder.organizationId, { rtc_ingress_active: 1 })
    await deliverAll(office, [over(first), begun(second), over(second)])
    await untilMetrics(office, founder.organizationId, {
      'rtc_ingress_started_total{input_type=url}': 2,
      'rtc_ingress_ended_total{result=success,input_type=url}': 2,
      rtc_ingress_active: 0,
    })
  })

  it('a stream brought in may start again under its id', async () => {
    const { founder, room } = await newRoom(office)
    const ingressId = `IN_${randomUUID()}`
    const run = (startedAt: number, more: object = {}) => ({
      ingressId,
      roomName: room,
      streamKey: 'a secret',
      inputType: 'WHIP_INPUT',
      state: { startedAt: `${startedAt}000000000`, ...more },
    })
    await deliverAll(office, [
      tell.ingress('ingress_started', run(1_000)),
      tell.ingress('ingress_ended', run(1_000, { endedAt: '1060000000000' })),
      tell.ingress('ingress_started', run(2_000)),
    ])
    await untilMetrics(office, founder.organizationId, {
      'rtc_ingress_started_total{input_type=whip}': 2,
      'rtc_ingress_ended_total{result=success,input_type=whip}': 1,
      rtc_ingress_active: 1,
      rtc_ingress_duration_seconds_sum: 60,
    })
    const rows = await office.database.db.selectFrom('media_events').select('event').execute()
    expect(JSON.stringify(rows)).not.toContain('a secret')
  })
})

describe('a stream of which only one event tells when it began', () => {
  const input = { inputType: 'WHIP_INPUT' }
  const begunAt = (second: number) => ({ state: { startedAt: `${second}000000000` } })
  const whip = (start: number, end: number, active: number) => ({
    'rtc_ingress_started_total{input_type=whip}': start,
    'rtc_ingress_ended_total{result=success,input_type=whip}': end,
    rtc_ingress_active: active,
  })

  it('ends, at its end without it: once, and no other run', async () => {
    const { founder, room: roomName } = await newRoom(office)
    const ingressId = `IN_${randomUUID()}`
    const one = { ingressId, roomName, ...input }
    const other = { ingressId: `${ingressId}0`, roomName, ...input }
    await deliverAll(office, [
      tell.ingress('ingress_started', { ...one, ...begunAt(1_000) }, 1_000),
      tell.ingress('ingress_ended', { ...one, ...begunAt(1_000) }, 1_060),
      tell.ingress('ingress_started', { ...other, ...begunAt(1_500) }, 1_500),
      tell.ingress('ingress_started', { ...one, ...begunAt(2_000) }, 2_000),
    ])
    await untilMetrics(office, founder.organizationId, whip(3, 1, 2))
    // told twice, and the room not at all
    for (const at of [2_030, 2_031]) await deliver(office, tell.ingress('ingress_ended', { ingressId }, at))
    await untilMetrics(office, founder.organizationId, {
      ...whip(3, 2, 1),
      rtc_ingress_duration_seconds_sum: 60 + 30,
    })
    const next = { ...one, ...begunAt(3_000) }
    await deliverAll(office, [
      tell.ingress('ingress_started', next, 3_000),
      tell.ingress('ingress_ended', { ingressId }, 3_010),
    ])
    await untilMetrics(office, founder.organizationId, whip(4, 3, 1))
  })

  /** One that runs, after a start without its time. */
  async function streamWithoutBeginning() {
    const { founder, room: roomName } = await newRoom(office)
    const stream = { ingressId: `IN_${randomUUID()}`, roomName, ...input }
    await deliver(office, tell.ingress('ingress_started', stream, 5_000))
    await untilMetrics(office, founder.organizationId, { rtc_ingress_active: 1 })
    return { founder, stream }
  }

  it('ends, at its start without it', async () => {
    const { founder, stream } = await streamWithoutBeginning()
    await deliver(office, tell.ingress('ingress_ended', { ...stream, ...begunAt(5_001) }, 5_010))
    await untilMetrics(office, founder.organizationId, whip(1, 1, 0))
  })

  it('ends again, although the run before it is over and only its end says when it began', async () => {
    const { founder, stream } = await streamWithoutBeginning()
    // the end of the first is told twice
    for (const at of [5_010, 5_011])
      await deliver(office, tell.ingress('ingress_ended', { ...stream, ...begunAt(5_001) }, at))
    await untilMetrics(office, founder.organizationId, whip(1, 1, 0))
    await deliver(office, tell.ingress('ingress_ended', { ...stream, ...begunAt(6_000) }, 6_010))
    await untilMetrics(office, founder.organizationId, whip(1, 2, 0))
  })
})
