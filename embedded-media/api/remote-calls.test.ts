import {
  DataPacket,
  PerformRpcRequest,
  PerformRpcResponse,
  RpcAck,
  RpcError,
  RpcResponse,
} from '@livekit/protocol'
import { AccessToken, RoomServiceClient, type TwirpError } from 'livekit-server-sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectSignals, openLiveMedia, SECRET, tokenFor, until } from '../live-media-fixture.ts'
import { enterByOne } from '../live-peer-fixture.ts'
import { publishVoice } from '../live-voice-fixture.ts'

const WITHIN = { timeout: 60_000 }
const room = 'remote'
let media: Awaited<ReturnType<typeof openLiveMedia>>
let ada: Awaited<ReturnType<typeof enterByOne>>
let voice: Awaited<ReturnType<typeof publishVoice>>

beforeAll(async () => {
  media = await openLiveMedia({ cameras: 1, people: 4, waiting: 1 })
  await media.rooms.createRoom({ name: room })
  voice = await publishVoice(await connectSignals(media.baseUrl, await tokenFor(room, 'bob')))
  ada = await enterByOne({ baseUrl: media.baseUrl, room, identity: 'ada' }, 3)
  await ada.settle()
  await until(() => ada.heard().includes(voice.trackSid))
})
afterAll(async () => {
  await voice.close()
  await ada.close()
  await media.close()
})

/** LiveKit's SDK for JavaScript has no method for it. */
async function call(method: string, more: object = {}) {
  const token = new AccessToken('devkey', SECRET)
  token.addGrant({ roomAdmin: true, room })
  const request = { room, destinationIdentity: 'ada', method, payload: 'tea?', ...more }
  const response = await fetch(`${media.baseUrl}/twirp/livekit.RoomService/PerformRpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await token.toJwt()}`, 'content-type': 'application/protobuf' },
    body: Buffer.from(new PerformRpcRequest(request).toBinary()),
  })
  if (response.ok) return PerformRpcResponse.fromBinary(new Uint8Array(await response.arrayBuffer()))
  const { code, msg } = (await response.json()) as { code: string; msg: string }
  throw Object.assign(new Error(msg), { status: response.status, code })
}
const asked = (method: string) =>
  ada.told.flatMap(({ value }) =>
    value.case === 'rpcRequest' && value.value.method === method ? [value.value] : [],
  )
const refusalOf = async (calling: Promise<unknown>) => {
  const error = await calling.then(
    () => undefined,
    (thrown: TwirpError) => thrown,
  )
  return [error?.status, error?.code, error?.message]
}
const acknowledge = (requestId: string) =>
  ada.say(new DataPacket({ value: { case: 'rpcAck', value: new RpcAck({ requestId }) } }))

it('calls a method in a client, and answers what the client does', async () => {
  const calling = call('offer')
  await expect.poll(() => asked('offer').length, WITHIN).toBe(1)
  const [{ id = '', payload, version } = {}] = asked('offer')
  expect([payload, version]).toEqual(['tea?', 1])
  acknowledge(id)
  const value = new RpcResponse({ requestId: id, value: { case: 'payload', value: 'please' } })
  ada.say(new DataPacket({ value: { case: 'rpcResponse', value } }))
  expect(await calling).toMatchObject({ payload: 'please' })
})

it('answers an error of the client by the code that LiveKit has for it', async () => {
  const calling = refusalOf(call('unknown'))
  await expect.poll(() => asked('unknown').length, WITHIN).toBe(1)
  const [{ id = '' } = {}] = asked('unknown')
  const error = new RpcError({ code: 1400, message: 'Method not supported at destination' })
  const value = new RpcResponse({ requestId: id, value: { case: 'error', value: error } })
  ada.say(new DataPacket({ value: { case: 'rpcResponse', value } }))
  expect(await calling).toEqual([
    400,
    'invalid_argument',
    'RpcError 1400: Method not supported at destination',
  ])
})

it('says what is too large, nowhere, not acknowledged or not answered in time', async () => {
  expect(await refusalOf(call('large', { payload: 'x'.repeat(15_361) }))).toEqual([
    ...[400, 'malformed', 'RpcError 1402: Request payload too large'],
  ])
  expect(await refusalOf(call('nowhere', { destinationIdentity: 'none' }))).toEqual([
    ...[404, 'not_found', 'participant does not exist'],
  ])
  expect(await refusalOf(call('nobody', { destinationIdentity: '' }))).toEqual([
    ...[400, 'invalid_argument', 'destination identity is required'],
  ])
  expect(await refusalOf(call('silent'))).toEqual([408, 'canceled', 'RpcError 1501: Connection timeout'])
  const late = refusalOf(call('late', { responseTimeoutMs: 1_500 }))
  await expect.poll(() => asked('late').length, WITHIN).toBe(1)
  acknowledge(asked('late')[0]?.id ?? '')
  expect(await late).toEqual([408, 'canceled', 'RpcError 1502: Response timeout'])
})

it('chooses what a participant receives', async () => {
  await media.rooms.updateSubscriptions(room, 'ada', [voice.trackSid], false)
  await expect.poll(() => ada.client.all('mediaSectionsRequirement').length, WITHIN).toBe(1)
  await ada.offerMore(0)
  await ada.settle()
  const carried = () => Object.values(ada.client.all('answer').at(-1)?.value.midToTrackId ?? {})
  expect(carried()).toEqual([])
  await media.rooms.updateSubscriptions(room, 'ada', [voice.trackSid], true)
  await expect.poll(() => ada.client.all('mediaSectionsRequirement').length, WITHIN).toBe(2)
  await ada.offerMore(0)
  await ada.settle()
  expect(carried()).toEqual([voice.trackSid])
  expect(await refusalOf(media.rooms.updateSubscriptions(room, 'none', [], true))).toEqual([
    ...[404, 'not_found', 'participant does not exist'],
  ])
})

it('moves and forwards no participant, in the words of the open server', async () => {
  const other = new RoomServiceClient(media.baseUrl, 'devkey', SECRET)
  for (const move of ['moveParticipant', 'forwardParticipant'] as const) {
    expect(await refusalOf(other[move](room, 'ada', 'elsewhere'))).toEqual([
      500,
      'unknown',
      'not implemented',
    ])
    expect(await refusalOf(other[move](room, 'ada', room))).toEqual([
      ...[400, 'invalid_argument', 'destination room cannot be the same as source room'],
    ])
  }
})
