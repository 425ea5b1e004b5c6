import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectSignals, openLiveMedia, tokenFor } from '../live-media-fixture.ts'
import { type LiveVoice, publishVoice } from '../live-voice-fixture.ts'
import type { Heard } from './live-rooms.ts'

const heard: Heard[] = []
let media: Awaited<ReturnType<typeof openLiveMedia>>
let voice: LiveVoice
const latest = (identity: string) => heard.findLast((one) => one.identity === identity)
const nextOf = async (room: string, identity: string) =>
  await connectSignals(media.baseUrl, await tokenFor(room, identity))

beforeAll(async () => {
  const limits = { cameras: 4, people: 4, waiting: 4 }
  media = await openLiveMedia(limits, undefined, { onActivity: (one) => heard.push(one) })
  await media.rooms.createRoom({ name: 'voices' })
  voice = await publishVoice(await nextOf('voices', 'ada'))
})
afterAll(async () => {
  await voice.close()
  await media.close()
})
beforeEach(() => {
  heard.length = 0
})

it('tells by itself of a voice, of its end, and of a microphone that is muted and opened', async () => {
  const ada = { room: 'voices', identity: 'ada' }
  voice.speak(true)
  await expect.poll(() => latest('ada'), { timeout: 20_000 }).toEqual({ ...ada, sound: 'on', speaking: true })
  voice.speak(false)
  await expect
    .poll(() => latest('ada'), { timeout: 20_000 })
    .toEqual({ ...ada, sound: 'on', speaking: false })
  voice.mute(true)
  await expect.poll(() => latest('ada')?.sound, { timeout: 20_000 }).toBe('muted')
  // a muted participant is not heard, whatever the client sends
  voice.speak(true)
  voice.mute(false)
  await expect.poll(() => latest('ada'), { timeout: 20_000 }).toEqual({ ...ada, sound: 'on', speaking: true })
})

it('says in turns of a client without a microphone that it is off', async () => {
  await nextOf('voices', 'grace')
  await expect
    .poll(() => latest('grace'), { timeout: 20_000 })
    .toEqual({ room: 'voices', identity: 'grace', sound: 'off', speaking: false })
})
