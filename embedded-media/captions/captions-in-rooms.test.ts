import { setTimeout as pause } from 'node:timers/promises'
import {
  DataPacket,
  RequestResponse_Reason,
  Transcription,
  TranscriptionSegment,
  UpdateParticipantMetadata,
} from '@livekit/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectSignals, openLiveMedia, type SignalClient, tokenFor } from '../live-media-fixture.ts'
import { enterByOne } from '../live-peer-fixture.ts'
import { type LiveVoice, publishVoice } from '../live-voice-fixture.ts'

const LIMITS = { cameras: 4, people: 4, waiting: 4 }
const PATIENCE = { timeout: 60_000 }
let media: Awaited<ReturnType<typeof openLiveMedia>>
const stretches: { bytes: string; seconds: number }[] = []

beforeAll(async () => {
  media = await openLiveMedia(LIMITS, undefined, {
    async transcribe({ sound, seconds }) {
      stretches.push({ bytes: Buffer.from(sound.subarray(0, 4)).toString(), seconds })
      return 'Good morning'
    },
  })
})
afterAll(() => media.close())
beforeEach(() => {
  stretches.length = 0
})

const enter = async (room: string, identity: string, grant = {}) =>
  await connectSignals(media.baseUrl, await tokenFor(room, identity, grant))

let requestId = 0
/** Asks for another description of a participant. @returns what it is answered */
async function describeOneself(client: SignalClient, wanted: Partial<UpdateParticipantMetadata>) {
  requestId += 1
  const id = requestId
  const value = new UpdateParticipantMetadata({
    name: '',
    metadata: '',
    attributes: {},
    ...wanted,
    requestId: id,
  })
  client.send({ case: 'updateMetadata', value })
  const answer = () => client.all('requestResponse').find(({ value }) => value.requestId === id)?.value
  await expect.poll(answer, PATIENCE).toBeDefined()
  return { reason: answer()?.reason, message: answer()?.message }
}
const askFor = (client: SignalClient, captions: string) =>
  describeOneself(client, { attributes: { captions } })
const allowed = { reason: RequestResponse_Reason.OK, message: '' }

/** The latest that a client was told of captions of others. */
const toldOf = (client: SignalClient, identity: string) =>
  client
    .all('update')
    .flatMap(({ value }) => value.participants)
    .findLast((one) => one.identity === identity)?.attributes.captions

/** A sentence that is over: it would be written down by then. */
async function expectNothingOf(voice: LiveVoice): Promise<void> {
  voice.mute(true)
  await pause(1_000)
  stretches.length = 0
  voice.mute(false)
  await pause(1_500)
  voice.mute(true)
  await pause(1_500)
  expect(stretches).toEqual([])
}

const captionsIn = (told: readonly DataPacket[]) =>
  told.flatMap(({ value }) => (value.case === 'transcription' ? [value.value] : []))

describe('captions', () => {
  it('come to those who ask, of those who speak, for as long as they are wanted', async () => {
    await media.rooms.createRoom({ name: 'kitchen' })
    const ada = await enter('kitchen', 'ada')
    const voice = await publishVoice(ada)
    voice.speak(true)
    const grace = await enterByOne({ baseUrl: media.baseUrl, room: 'kitchen', identity: 'grace' }, 1)
    const linus = await enterByOne({ baseUrl: media.baseUrl, room: 'kitchen', identity: 'linus' }, 1)
    await grace.settle()
    await linus.settle()
    expect(grace.client.first('join')?.value.participant?.attributes).toEqual({ captions: 'off' })
    expect(stretches).toEqual([])
    expect(await askFor(grace.client, 'on')).toEqual(allowed)
    await expect.poll(() => toldOf(ada, 'grace'), PATIENCE).toBe('on')
    await expect.poll(() => captionsIn(grace.told).length, PATIENCE).toBeGreaterThan(0)
    expect(captionsIn(grace.told)[0]).toMatchObject({
      ...{ transcribedParticipantIdentity: 'ada', trackId: voice.trackSid },
      segments: [{ text: 'Good morning', final: true }],
    })
    expect(captionsIn(linus.told)).toEqual([])
    expect(stretches[0]?.bytes).toBe('OggS')
    expect(stretches.every(({ seconds }) => seconds > 0.1 && seconds <= 7)).toBe(true)
    // the last one who wants them stops them
    expect(await askFor(grace.client, 'off')).toEqual(allowed)
    await expectNothingOf(voice)
    await voice.close()
    await grace.close()
    await linus.close()
  })

  it('end with the one who wanted them, and are written down only after all have been told', async () => {
    await media.rooms.createRoom({ name: 'lounge' })
    const ada = await enter('lounge', 'ada')
    const voice = await publishVoice(ada)
    const grace = await enter('lounge', 'grace')
    voice.speak(true)
    await askFor(grace, 'on')
    await expect.poll(() => toldOf(ada, 'grace'), PATIENCE).toBe('on')
    expect(stretches).toEqual([])
    // a participant who comes later is told at the entrance
    const linus = await enter('lounge', 'linus')
    const others = linus.first('join')?.value.otherParticipants
    expect(others?.find(({ identity }) => identity === 'grace')?.attributes.captions).toBe('on')
    await expect.poll(() => stretches.length, PATIENCE).toBeGreaterThan(0)
    grace.send({ case: 'leave', value: {} as never })
    await expect.poll(() => ada.others().length > 0, PATIENCE).toBe(true)
    await expectNothingOf(voice)
    await voice.close()
  })

  it('are refused in a sealed room and to those who wait, with a word', async () => {
    await media.rooms.createRoom({ name: 'vault' })
    const sealed = await enter('vault', 'ada', { encryptedOnly: true } as never)
    const waiting = await enter('vault', 'guest', { canPublish: false, canSubscribe: false })
    expect(await askFor(waiting, 'on')).toEqual({
      reason: RequestResponse_Reason.NOT_ALLOWED,
      message: 'There are no captions for those who wait',
    })
    expect(sealed.first('join')?.value.participant?.attributes.captions).toBeUndefined()
    expect(await askFor(sealed, 'on')).toEqual({
      reason: RequestResponse_Reason.NOT_ALLOWED,
      message: 'There are no captions in a sealed room: nothing but the devices inside can hear what is said',
    })
  })

  it('leave out a participant who is muted, whatever the client sends', async () => {
    await media.rooms.createRoom({ name: 'focus' })
    const voice = await publishVoice(await enter('focus', 'ada'))
    const grace = await enter('focus', 'grace')
    await askFor(grace, 'on')
    await expect.poll(() => stretches.length, PATIENCE).toBeGreaterThan(0)
    voice.mute(true)
    await pause(1_000)
    stretches.length = 0
    await pause(8_000)
    expect(stretches).toEqual([])
    await voice.close()
  })

  it('are refused where no transcriber is set up', async () => {
    const other = await openLiveMedia(LIMITS)
    await other.rooms.createRoom({ name: 'kitchen' })
    const ada = await connectSignals(other.baseUrl, await tokenFor('kitchen', 'ada'))
    expect(ada.first('join')?.value.participant?.attributes).toEqual({})
    expect(await askFor(ada, 'on')).toEqual({
      reason: RequestResponse_Reason.NOT_ALLOWED,
      message: 'There are no captions here: no transcriber is set up',
    })
    await other.close()
  })

  it('are the only attribute that a participant without further rights may change', async () => {
    await media.rooms.createRoom({ name: 'desk' })
    const ada = await enter('desk', 'ada')
    const refused = {
      reason: RequestResponse_Reason.NOT_ALLOWED,
      message: 'You may not change what is said of you here',
    }
    expect(await askFor(ada, 'perhaps')).toEqual(refused)
    expect(await describeOneself(ada, { attributes: { captions: 'on', more: '1' } })).toEqual(refused)
    expect(await describeOneself(ada, { name: 'Admin', attributes: { captions: 'on' } })).toEqual(refused)
    expect(await describeOneself(ada, { attributes: {} })).toEqual(refused)
  })

  it('are not taken from a participant: the words of others are the server’s to tell', async () => {
    await media.rooms.createRoom({ name: 'stage' })
    const ada = await enterByOne({ baseUrl: media.baseUrl, room: 'stage', identity: 'ada' }, 1)
    const grace = await enterByOne({ baseUrl: media.baseUrl, room: 'stage', identity: 'grace' }, 1)
    await ada.settle()
    await grace.settle()
    await askFor(grace.client, 'on')
    const segments = [new TranscriptionSegment({ id: '1', text: 'I resign', final: true })]
    const value = new Transcription({ transcribedParticipantIdentity: 'linus', segments })
    await expect
      .poll(() => {
        ada.say(new DataPacket({ value: { case: 'transcription', value } }))
        ada.say(
          new DataPacket({ value: { case: 'user', value: { payload: Buffer.from('hello') } as never } }),
        )
        return grace.told.length
      }, PATIENCE)
      .toBeGreaterThan(0)
    expect(captionsIn(grace.told)).toEqual([])
    await ada.close()
    await grace.close()
  })
})
