import { Room, RoomEvent } from '@livekit/rtc-node'
import { DataPacket_Kind } from 'livekit-server-sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLiveMedia, tokenFor } from '../live-media-fixture.ts'

const ROOM = 'a room with data'

let media: Awaited<ReturnType<typeof openLiveMedia>>
const clients: Room[] = []

beforeAll(async () => {
  media = await openLiveMedia({ cameras: 1, people: 3, waiting: 1 })
  await media.rooms.createRoom({ name: ROOM })
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.disconnect()))
  await media.close()
})

/** A client with media connected: the list fills with what the server says to it. */
async function enter(identity: string, grant: object = {}) {
  const heard: unknown[] = []
  const client = new Room()
  clients.push(client)
  client.on(RoomEvent.DataReceived, (payload, participant, _kind, topic) => {
    heard.push([Buffer.from(payload).toString(), participant?.identity, topic])
  })
  const token = await tokenFor(ROOM, identity, grant)
  await client.connect(media.baseUrl.replace('http', 'ws'), token, { autoSubscribe: true, dynacast: true })
  return heard
}

it('SendData is heard by all who are inside, or by those who are named, and by who waits only by name', async () => {
  const [ada, grace] = [await enter('ada'), await enter('grace')]
  const guest = await enter('guest:1', { canPublish: false, canSubscribe: false, hidden: true })
  const say = (text: string, options: object = {}) =>
    media.rooms.sendData(ROOM, Buffer.from(text), DataPacket_Kind.RELIABLE, options)
  // a data channel opens later than its connection
  await expect
    .poll(
      async () => {
        await say('?', { topic: 'try', destinationIdentities: ['ada', 'grace', 'guest:1'] })
        return [ada, grace, guest].every((heard) => heard.length > 0)
      },
      { timeout: 20_000, interval: 100 },
    )
    .toBe(true)
  await say('for all', { topic: 'chat' })
  await say('for one', { destinationIdentities: ['grace'] })
  await say('the last', { destinationIdentities: ['ada', 'grace', 'guest:1'] })
  const last = (heard: unknown[]) => JSON.stringify(heard.at(-1))?.includes('the last') === true
  await expect.poll(() => [ada, grace, guest].every(last), { timeout: 10_000 }).toBe(true)
  const after = (heard: unknown[]) => heard.filter((one) => (one as unknown[])[2] !== 'try')
  const [forAll, forOne, toEnd] = ['for all', 'for one', 'the last'].map((text) => [
    text,
    undefined,
    text === 'for all' ? 'chat' : undefined,
  ])
  expect(after(ada)).toEqual([forAll, toEnd])
  expect(after(grace)).toEqual([forAll, forOne, toEnd])
  expect(after(guest)).toEqual([toEnd])
})

it('SendData to a room that there is not is refused', async () => {
  const said = media.rooms.sendData('nowhere', Buffer.from('x'), DataPacket_Kind.LOSSY, {})
  await expect(said).rejects.toMatchObject({ code: 'not_found', status: 404 })
})
