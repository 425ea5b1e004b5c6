import { ConnectionSettings, JoinRequest, SessionDescription, WrappedJoinRequest } from '@livekit/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RTCPeerConnection, RTCRtpCodecParameters } from 'werift'
import { connectSignals, openLiveMedia, type SignalClient, tokenFor, until } from './live-media-fixture.ts'
import { type LiveVoice, publishVoice } from './live-voice-fixture.ts'

const OPUS = { mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 }

let media: Awaited<ReturnType<typeof openLiveMedia>>
const voices: LiveVoice[] = []
const peers: RTCPeerConnection[] = []

beforeAll(async () => {
  media = await openLiveMedia({ cameras: 4, people: 8, waiting: 4 })
  await media.rooms.createRoom({ name: 'one' })
})
afterAll(async () => {
  for (const voice of voices) await voice.close()
  for (const peer of peers) await peer.close()
  await media.close()
})

const speaker = async (identity: string) => {
  const voice = await publishVoice(await connectSignals(media.baseUrl, await tokenFor('one', identity)))
  voices.push(voice)
  return voice.trackSid
}

/** Everything on one connection, by offers that are made here: what livekit-client does by default. */
async function enterByOne(identity: string, sections: number) {
  const pc = new RTCPeerConnection({
    iceServers: [],
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    bundlePolicy: 'max-bundle',
    codecs: { audio: [new RTCRtpCodecParameters(OPUS)] },
  })
  peers.push(pc)
  const channel = pc.createDataChannel('_reliable')
  const heard = new Set<string>()
  const told: string[] = []
  channel.onMessage.subscribe((data) => told.push(String(data)))
  const addSections = (count: number) => {
    for (let one = 0; one < count; one += 1) {
      const transceiver = pc.addTransceiver('audio', { direction: 'recvonly' })
      transceiver.onTrack.subscribe((track) =>
        track.onReceiveRtp.subscribe(() => heard.add(transceiver.mid ?? '')),
      )
    }
  }
  let id = 0
  const offer = async () => {
    await pc.setLocalDescription(await pc.createOffer())
    id += 1
    return new SessionDescription({ type: 'offer', sdp: pc.localDescription?.sdp ?? '', id })
  }
  addSections(sections)
  const joinRequest = new JoinRequest({
    connectionSettings: new ConnectionSettings({ autoSubscribe: true }),
    publisherOffer: await offer(),
  }).toBinary()
  const text = Buffer.from(new WrappedJoinRequest({ joinRequest }).toBinary()).toString('base64url')
  const token = await tokenFor('one', identity)
  const client = await connectSignals(media.baseUrl, token, `&join_request=${text}`, '/rtc/v1')
  return {
    client,
    told,
    /** Tracks of which something has come. */
    heard: () => [...heard].map((mid) => answerTo(client, id)?.midToTrackId[mid]).sort(),
    async settle() {
      await until(() => answerTo(client, id) !== undefined)
      await pc.setRemoteDescription({ type: 'answer', sdp: answerTo(client, id)?.sdp ?? '' })
    },
    async offerMore(count: number) {
      addSections(count)
      client.send({ case: 'offer', value: await offer() })
    },
  }
}

const answerTo = (client: SignalClient, id: number) =>
  client.all('answer').find(({ value }) => value.id === id)?.value

it('carries to one connection what it has a section for, and asks for those that are lacking', async () => {
  const adas = await speaker('ada')
  const bob = await enterByOne('bob', 1)
  expect(bob.client.first('join')?.value.subscriberPrimary).toBe(false)
  await bob.settle()
  await expect.poll(bob.heard, { timeout: 60_000 }).toEqual([adas])

  const graces = await speaker('grace')
  await expect
    .poll(() => bob.client.all('mediaSectionsRequirement').at(-1)?.value, { timeout: 60_000 })
    .toMatchObject({ numAudios: 1, numVideos: 0 })
  expect(bob.client.all('mediaSectionsRequirement')).toHaveLength(1)
  await bob.offerMore(1)
  await bob.settle()
  await expect.poll(bob.heard, { timeout: 60_000 }).toEqual([adas, graces].sort())
  // no second connection is offered
  expect(bob.client.all('offer')).toEqual([])

  await media.rooms.sendData('one', Buffer.from('hello'), 0)
  await expect.poll(() => bob.told.join(), { timeout: 60_000 }).toContain('hello')
})

it('uses a section again, whose track has gone', async () => {
  const cyd = await enterByOne('cyd', 3)
  await cyd.settle()
  await expect.poll(() => cyd.heard().length, { timeout: 60_000 }).toBe(2)
  await media.rooms.removeParticipant('one', 'ada')
  await expect
    .poll(() => cyd.client.all('mediaSectionsRequirement').at(-1)?.value, { timeout: 60_000 })
    .toMatchObject({ numAudios: 0, numVideos: 0 })
  await cyd.offerMore(0)
  await cyd.settle()
  const dans = await speaker('dan')
  await expect.poll(() => cyd.client.all('mediaSectionsRequirement').length, { timeout: 60_000 }).toBe(2)
  expect(cyd.client.all('mediaSectionsRequirement').at(-1)?.value).toMatchObject({ numAudios: 0 })
  await cyd.offerMore(0)
  await cyd.settle()
  await expect.poll(cyd.heard, { timeout: 60_000 }).toContain(dans)
})
