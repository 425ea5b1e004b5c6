import { AccessToken } from 'livekit-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { metricsOf, seriesValue, untilMetrics } from '../../../tests/chapters/media-events.ts'
import { aboutRecording, recordingOf } from '../../../tests/chapters/recordings.ts'
import { atMedia, guestLink, insideOf, joinRoom, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

/** What the media server would tell us is lost, all of it; its lists can be had. On the real one: `engines/livekit`. */
describe('what was lost in an outage of ours', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { MEDIA_SWEEP_SECONDS: '86400' } })
  })
  afterAll(() => office.close())
  beforeEach(() => atMedia(office, 'faults', { dropWebhooks: false }))

  const outage = () => atMedia(office, 'faults', { dropWebhooks: true })
  const sweep = async (rounds = 2) => {
    for (let round = 0; round < rounds; round += 1) await office.office.jobs.runNow('sweep-media')
    await office.office.jobs.runNow('tell-media-events')
  }
  const run = (job: string) => office.office.jobs.runNow(job)

  async function scene() {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const { token } = await founder.browser.call('authorizeRoom', { username: 'Ada', roomId })
    const link = await guestLink(founder, roomId, { allowAll: true })
    const ask = async () => {
      const guest = await knock(link, office.browser())
      const { guestIdentity } = guest
      const decide = (action: 'admit' | 'deny') =>
        founder.browser.call('admitGuest', { roomId, guestIdentity, action })
      const inside = async () => (await insideOf(office, roomId)).get(guestIdentity)
      return { ...guest, decide, inside }
    }
    return { founder, roomId, token, ask, untilCounted: counting(founder.organizationId) }
  }
  const counting = (organization: string) => (expected: Record<string, number>) =>
    untilMetrics(office, organization, expected)

  it('gauges are those of the lists again, and never negative', async () => {
    const { founder, roomId, token, untilCounted } = await scene()
    const grace = await newMember(office, founder, 'member')
    await joinRoom(office, token)
    await atMedia(office, 'publish', { room: roomId, identity: founder.id, source: 'microphone' })
    const microphones = 'rtc_tracks_active{source=microphone,type=audio}'
    await untilCounted({ rtc_room_active: 1, rtc_participants_active: 1, [microphones]: 1 })

    await outage()
    await atMedia(office, 'leave', { room: roomId, identity: founder.id })
    const hers = await grace.browser.call('authorizeRoom', { username: 'Grace', roomId })
    await joinRoom(office, hers.token)
    await atMedia(office, 'publish', { room: roomId, identity: grace.id, source: 'camera' })
    const { id: second } = await newRoom(founder)
    await joinRoom(
      office,
      (await grace.browser.call('authorizeRoom', { username: 'G', roomId: second })).token,
    )
    await sweep()
    await untilCounted({
      rtc_room_active: 2,
      rtc_participants_active: 2,
      [microphones]: 0,
      'rtc_tracks_active{source=camera,type=video}': 1,
      rtc_participant_lifetime_seconds_count: 1,
    })

    await atMedia(office, 'faults', { dropWebhooks: false })
    // the participants who came unheard are heard going
    await atMedia(office, 'leave', { room: roomId, identity: grace.id })
    await atMedia(office, 'leave', { room: second, identity: grace.id })
    await untilCounted({
      rtc_participants_active: 0,
      'rtc_tracks_active{source=camera,type=video}': 0,
      rtc_participant_sessions_total: 3,
    })
    expect((await metricsOf(office)).filter(({ value }) => value < 0)).toEqual([])
  })

  it('an admitted guest who came back with their first token has their rights again', async () => {
    const { roomId, ask, untilCounted } = await scene()
    const guest = await ask()
    await joinRoom(office, guest.rtcToken)
    await guest.decide('admit')
    await untilCounted({ rtc_participants_active: 1 })
    await run('tell-media-events')
    await outage()
    await atMedia(office, 'leave', { room: roomId, identity: guest.guestIdentity })
    await joinRoom(office, guest.rtcToken)
    expect(await guest.inside()).toMatchObject({ mayPublish: false })
    await sweep(1)
    await until(async () => (await guest.inside())?.mayPublish === true)
    await sweep(1)
    await untilCounted({ rtc_participants_active: 1, rtc_participant_sessions_total: 2 })
  })

  it('whoever is out is put out, under an appended name too, and nobody of them was ever counted', async () => {
    const { roomId, ask, untilCounted } = await scene()
    const [denied, admitted] = [await ask(), await ask()]
    await denied.decide('deny')
    await outage()
    await joinRoom(office, denied.rtcToken)
    await joinRoom(office, admitted.rtcToken)
    await admitted.decide('admit')
    await joinRoom(office, await strongToken(roomId, `${admitted.guestIdentity}#2`))
    await sweep(1)
    await until(async () => (await insideOf(office, roomId)).size === 1)
    expect(await admitted.inside()).toMatchObject({ mayPublish: true })
    await sweep()
    await untilCounted({ rtc_participants_active: 1 })
  })

  it('whoever only connects to the signalling, and vanishes, was never there', async () => {
    const { founder, token, ask, untilCounted } = await scene()
    const guest = await ask()
    for (const one of [token, token, guest.rtcToken]) await atMedia(office, 'abort', { token: one })
    await untilCounted({ 'rtc_connection_aborted_total{reason=signal_close}': 3 })
    await sweep()
    await untilCounted({ rtc_participants_active: 0, rtc_room_active: 1 })
    const sessions = { org_id: founder.organizationId }
    expect(seriesValue(await metricsOf(office), 'rtc_participant_sessions_total', sessions)).toBeUndefined()
  })

  it('recordings that ended, began, or did both, are as they are, and each is counted once', async () => {
    const { founder, roomId: known, untilCounted } = await scene()
    const [both, begun] = [(await newRoom(founder)).id, (await newRoom(founder)).id]
    const stateOf = async (room: string) => (await recordingOf(founder, room)).state
    const record = async (room: string) => {
      await founder.browser.call('startRecording', { roomName: room, ...aboutRecording })
      await until(async () => {
        await run('sweep-recordings')
        return (await stateOf(room)) === 'active'
      })
    }
    const end = async (room: string) => {
      const { egressId } = await recordingOf(founder, room)
      const { zoneId } = aboutRecording
      await founder.browser.call('stopRecording', { roomName: room, egressId: egressId ?? '', zoneId })
      await until(async () => {
        await run('sweep-recordings')
        return (await stateOf(room)) === 'completed'
      })
    }
    await record(known)
    await untilCounted({ rtc_egress_active: 1 })
    await outage()
    await end(known)
    await record(both)
    await end(both)
    await record(begun)
    await sweep()
    const counts = (active: number, ended: number) => ({
      'rtc_egress_started_total{request_type=room_composite}': 3,
      'rtc_egress_ended_total{result=success}': ended,
      rtc_egress_active: active,
    })
    await untilCounted(counts(1, 2))
    await atMedia(office, 'faults', { dropWebhooks: false })
    await end(begun)
    await untilCounted(counts(0, 3))
    await sweep()
    await untilCounted(counts(0, 3))
    await run('refresh-metrics')
    await untilCounted({ 'rtc_egress_completed{window=1d}': 3 })
  })

  it('streams that began, and that ended, are as they are', async () => {
    const { roomId: room, untilCounted } = await scene()
    const start = async () => (await atMedia(office, 'ingress-start', { room, inputType: 'WHIP_INPUT' })).body
    const { ingressId } = await start()
    await untilCounted({ rtc_ingress_active: 1 })
    await outage()
    await atMedia(office, 'ingress-end', { room, ingressId })
    const other = await start()
    await sweep()
    const counts = { 'rtc_ingress_started_total{input_type=whip}': 2, rtc_ingress_active: 1 }
    await untilCounted({ ...counts, 'rtc_ingress_ended_total{result=aborted}': 1 })
    await atMedia(office, 'faults', { dropWebhooks: false })
    await atMedia(office, 'ingress-end', { room, ingressId: other.ingressId })
    await untilCounted({ 'rtc_ingress_ended_total{result=success}': 1, rtc_ingress_active: 0 })
  })

  /** A token that the media server takes, with all rights, as an official client holds one after it was let in. */
  async function strongToken(roomId: string, identity: string) {
    const { media } = office.office.config
    const token = new AccessToken(media?.apiKey, media?.apiSecret.reveal(), { identity, ttl: 600 })
    token.addGrant({ roomJoin: true, room: roomId, canPublish: true, canSubscribe: true })
    return await token.toJwt()
  }
})
