import { AtriumError } from '@atrium/client'
import { LINES } from './cast.ts'
import { atMedia, type Colleague, come, go } from './colleague.ts'
import { type Act, MEDIA_PEOPLE, MEDIA_ROOM } from './story.ts'

/** The office of the demo, as far as the acts of a story need it. */
export interface Stage {
  url: string
  colleagues: readonly Colleague[]
  rooms: readonly { id: string }[]
}

/** Does one act. Refusals (a locked room, a colleague who left meanwhile) are part of a day. */
export async function perform(stage: Stage, act: Act): Promise<void> {
  const colleague = stage.colleagues[act.person]
  if (colleague) await unlessRefused(() => doAct(stage, colleague, act))
}

/** Does it, or has it be where the office refuses it. */
export async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AtriumError) || error.status >= 500) throw error
  }
}

async function doAct(stage: Stage, colleague: Colleague, act: Act): Promise<void> {
  const { client, room, id } = colleague
  const to = 'to' in act ? stage.colleagues[act.to] : undefined
  if (act.act === 'come') return await come(colleague)
  if (act.act === 'enter') return await enter(stage, colleague, act.room)
  if (act.act === 'status') return void (await client.call('setPresenceStatus', { status: act.status }))
  if (act.act === 'wave' && to) return void (await client.call('wave', { userId: to.id }))
  if (act.act === 'knock' && to) return await knock(colleague, to)
  if (act.act === 'write' && to) return await write(stage.url, colleague, to, LINES[act.line] ?? '')
  if (act.act === 'go') go(colleague)
  if (!room) return
  const at = { room: room.id, identity: id }
  if (act.act === 'leave' || act.act === 'go') {
    colleague.room = undefined
    return room.media ? await room.media.leave() : await atMedia(stage.url, 'leave', at)
  }
  if (act.act === 'lock') return void (await client.call('lockRoom', { roomId: room.id, locked: act.locked }))
  if (act.act === 'hand') room.hand = !room.hand
  // who is seen and heard stays so
  if (room.media) return
  if (act.act === 'camera') {
    await atMedia(stage.url, room.camera ? 'unpublish' : 'publish', { ...at, source: 'camera' })
    room.camera = !room.camera
  }
  if (act.act === 'share' || act.act === 'unshare') {
    await atMedia(stage.url, act.act === 'share' ? 'publish' : 'unpublish', { ...at, source: 'screen_share' })
    room.screen = act.act === 'share'
  }
}

/** The client for servers writes a line for each connection, where it is not loaded in production. */
async function quietly<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  process.env.NODE_ENV ??= 'production'
  return await load()
}

/** Into a room with a voice and a picture. */
export async function enterHeard({ url }: Stage, colleague: Colleague, roomId: string): Promise<void> {
  const authorized = await colleague.client.call('authorizeRoom', { username: colleague.name, roomId })
  const way = { url: authorized.url ?? url.replace('http', 'ws'), token: authorized.token }
  const { enterWithMedia } = await quietly(() => import('./media.ts'))
  const media = await enterWithMedia(way, colleague.id)
  colleague.room = { id: roomId, camera: true, screen: false, hand: false, media }
}

async function enter(stage: Stage, colleague: Colleague, number: number): Promise<void> {
  const { url, rooms } = stage
  const roomId = rooms[number]?.id ?? ''
  const withMedia = stage.colleagues.filter(({ room }) => room?.id === roomId && room.media).length
  if (number === MEDIA_ROOM && withMedia >= MEDIA_PEOPLE) return
  if (number === MEDIA_ROOM) return await enterHeard(stage, colleague, roomId)
  const { token } = await colleague.client.call('authorizeRoom', { username: colleague.name, roomId })
  await atMedia(url, 'join', { token })
  await atMedia(url, 'publish', { room: roomId, identity: colleague.id, source: 'microphone' })
  colleague.room = { id: roomId, camera: false, screen: false, hand: false }
}

const ANSWERS_AFTER_MS = 6_000

/** A colleague knocks, and after a moment the other one says yes. */
async function knock({ client }: Colleague, to: Colleague): Promise<void> {
  const { knockId, state } = await client.call('knock', { userId: to.id, message: 'Two minutes?' })
  if (state !== 'waiting') return
  const answer = () => to.client.request('answerKnock', { knockId, answer: 'accept' }).catch(() => undefined)
  setTimeout(() => void answer(), ANSWERS_AFTER_MS).unref()
}

async function write(url: string, { client }: Colleague, to: Colleague, content: string): Promise<void> {
  const { token } = await client.call('mintChatToken')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(`${url}/rest/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const opened = (await (await post('rpc/open_dm', { p_peer_user_id: Number(to.id) })).json()) as {
    conversation_id: number
  }[]
  await post('messages', { conversation_id: opened[0]?.conversation_id, content })
}

/** Who is in a room says how they are; of each room one speaks. */
export async function tellActivity({ colleagues }: Stage, random: () => number): Promise<void> {
  const inside = Map.groupBy(
    colleagues.filter(({ room }) => room),
    ({ room }) => room?.id ?? '',
  )
  for (const [roomId, people] of inside) {
    const speaker = people[Math.floor(random() * people.length)]
    // of the others the media server hears it
    for (const one of people.filter(({ room }) => !room?.media)) {
      const speaking = one === speaker && people.length > 1
      const sound = speaking || random() < 0.6 ? 'on' : 'muted'
      const said = { roomId, sound, speaking, hand: one.room?.hand ?? false } as const
      await one.client.request('setActivity', said).catch(() => undefined)
    }
  }
}
