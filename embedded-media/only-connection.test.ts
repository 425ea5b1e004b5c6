import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectSignals, openLiveMedia, tokenFor } from './live-media-fixture.ts'
import { enterByOne } from './live-peer-fixture.ts'
import { type LiveVoice, publishVoice } from './live-voice-fixture.ts'

let media: Awaited<ReturnType<typeof openLiveMedia>>
const voices: LiveVoice[] = []
const peers: { close(): Promise<void> }[] = []

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

const enter = async (identity: string, sections: number) => {
  const peer = await enterByOne({ baseUrl: media.baseUrl, room: 'one', identity }, sections)
  peers.push(peer)
  return peer
}

it('carries to one connection what it has a section for, and asks for those that are lacking', async () => {
  const adas = await speaker('ada')
  const bob = await enter('bob', 1)
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
  await expect.poll(() => bob.told.map(({ value }) => value.case), { timeout: 60_000 }).toEqual(['user'])
})

it('uses a section again after its track has gone', async () => {
  const cyd = await enter('cyd', 3)
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
