import assert from 'node:assert/strict'
import { AgentDispatchClient, RoomServiceClient } from 'livekit-server-sdk'
import type { Check } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { newPerson } from '../web/people.ts'
import { type RunningWorker, startWorker, type WorkerKind, type WorkerPlace } from './workers.ts'

/** A worker starts a process for each job, and reads a thousand modules for it. */
const PATIENCE = { withinMs: 180_000, everyMs: 500 }
const ASK_AGAIN_MS = 30_000
const AGENT_NAME = 'note-taker'

/** An office, and the media server that its rooms are on. */
export interface WalkPlace extends WorkerPlace {
  officeUrl: string
  /** Whether the media server gives the job of a worker that died to another one. */
  takesOver: boolean
}

/** The walk of a worker of one language: asked in, shown, put out, killed, unmapped, unwanted. */
export async function walkWorkers(
  kind: WorkerKind,
  place: WalkPlace,
  ends: Ends,
  check: Check,
): Promise<void> {
  const scene = await setScene(kind, place)
  const worker = await startWorker(kind, place, AGENT_NAME, ends)
  const title = (what: string) => `${kind.name}: ${what}`
  await check(title('a worker comes in as the bot that is asked in, and where it is asked in alone'), () =>
    comesIn(scene, worker),
  )
  await check(title('it is called by the new name of its bot at once'), () => isRenamed(scene))
  await check(title('a moderator puts it out'), () => isPutOut(scene))
  await check(title('a sealed room has none'), () => staysOutOfSealed(scene, worker))
  await check(title('what the office has not asked for is put out'), () => unaskedIsPutOut(scene, worker))
  await check(title('it is put out where the organization wants none any more'), () =>
    isUnwanted(scene, worker),
  )
  await check(title('where it is killed, another one takes its job, or is asked in its place'), async () => {
    const other = await startWorker(kind, place, AGENT_NAME, ends)
    await isKilled(scene, worker, other)
  })
}

async function setScene(kind: WorkerKind, place: WalkPlace) {
  const { client } = await newPerson({ url: place.officeUrl }, 'Ada Lovelace', {
    found: `${kind.name} programs`,
  })
  const { botId } = await client.call('createBot', { name: 'Note taker', agentName: AGENT_NAME })
  const { mediaUrl, apiKey, apiSecret } = place
  const httpUrl = mediaUrl.replace('ws', 'http')
  const rooms = new RoomServiceClient(httpUrl, apiKey, apiSecret)
  return {
    ...{ client, botId, place, rooms },
    dispatches: new AgentDispatchClient(httpUrl, apiKey, apiSecret),
    newRoom: async (name: string, sealed = false) =>
      (await client.call('createRoom', { name, sealed })).room.id,
    /** As the office has them. */
    agentsIn: async (roomId: string) => (await client.call('getRoom', { roomId })).room.agents,
    /** As the media server has them. */
    namesIn: async (roomId: string) => (await rooms.listParticipants(roomId)).map(({ name }) => name),
    kitchen: '',
  }
}
type Scene = Awaited<ReturnType<typeof setScene>>

/** The media server offers a job once: a worker of a busy machine that has let it pass is asked again. */
async function askIn({ client, botId, agentsIn }: Scene, roomId: string): Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY
  const isInside = async () => {
    if ((await agentsIn(roomId)).length === 1) return true
    if (performance.now() - askedAt < ASK_AGAIN_MS) return false
    await client.call('dispatchAgent', { roomId, botId })
    askedAt = performance.now()
    return false
  }
  await eventually('the worker is inside', isInside, PATIENCE)
}

async function isOut({ agentsIn, namesIn }: Scene, roomId: string): Promise<void> {
  await eventually('the office has it no more', async () => (await agentsIn(roomId)).length === 0, PATIENCE)
  await eventually('the media server neither', async () => (await namesIn(roomId)).length === 0, PATIENCE)
}

async function comesIn(scene: Scene, worker: RunningWorker): Promise<void> {
  const { client, botId } = scene
  await eventually('the worker registers', worker.isRegistered, PATIENCE)
  const unasked = await scene.newRoom('Hall')
  await scene.rooms.createRoom({ name: unasked })
  scene.kitchen = await scene.newRoom('Kitchen')
  await askIn(scene, scene.kitchen)
  const { programs } = await client.call('authorizeRoom', { roomId: scene.kitchen, username: 'Ada' })
  assert.deepEqual(programs, ['Note taker'])
  const [agent] = await scene.agentsIn(scene.kitchen)
  assert.deepEqual([agent?.botId, agent?.name, agent?.listens], [botId, 'Note taker', true])
  await eventually('its program runs', () => worker.joined(scene.kitchen) === 1, PATIENCE)
  // a worker comes with the name that it chose, and is called by its bot's as soon as the office hears of it
  const isNamed = async () => (await scene.namesIn(scene.kitchen)).join() === 'Note taker'
  await eventually('the name of its bot', isNamed, PATIENCE)
  assert.equal(worker.joined(unasked), 0)
}

async function isRenamed({ client, botId, namesIn, agentsIn, kitchen }: Scene): Promise<void> {
  await client.call('updateBot', { botId, name: 'Secretary' })
  await eventually('its tile', async () => (await namesIn(kitchen)).join() === 'Secretary', PATIENCE)
  assert.equal((await agentsIn(kitchen))[0]?.name, 'Secretary')
}

async function isPutOut(scene: Scene): Promise<void> {
  await scene.client.call('removeAgent', { roomId: scene.kitchen, botId: scene.botId })
  await isOut(scene, scene.kitchen)
}

async function staysOutOfSealed({ client, botId, newRoom }: Scene, worker: RunningWorker): Promise<void> {
  const roomId = await newRoom('Vault', true)
  const { status, body } = await client.request('dispatchAgent', { roomId, botId })
  assert.deepEqual([status, (body as { error?: string }).error], [409, 'room-sealed'])
  assert.equal(worker.joined(roomId), 0)
}

/** Those who hold the key of the media server may ask for workers too. */
async function unaskedIsPutOut(scene: Scene, worker: RunningWorker): Promise<void> {
  const { client, botId, newRoom, dispatches, rooms } = scene
  const roomId = await newRoom('Cellar')
  await client.call('updateBot', { botId, agentName: null })
  await rooms.createRoom({ name: roomId })
  const metadata = JSON.stringify({ botId })
  const { id } = await dispatches.createDispatch(roomId, AGENT_NAME, { metadata })
  await eventually('it joins', () => worker.joined(roomId) === 1, PATIENCE)
  await isOut(scene, roomId)
  await dispatches.deleteDispatch(id, roomId)
  await client.call('updateBot', { botId, agentName: AGENT_NAME })
}

async function isUnwanted(scene: Scene, worker: RunningWorker): Promise<void> {
  const { client, botId } = scene
  const roomId = await scene.newRoom('Garden')
  await askIn(scene, roomId)
  await eventually('its program runs', () => worker.joined(roomId) === 1, PATIENCE)
  await client.call('updateOrganizationSettings', { agents: false })
  await isOut(scene, roomId)
  const { status, body } = await client.request('dispatchAgent', { roomId, botId })
  assert.deepEqual([status, (body as { error?: string }).error], [403, 'agents-off'])
  await client.call('updateOrganizationSettings', { agents: true })
}

async function isKilled(scene: Scene, first: RunningWorker, second: RunningWorker): Promise<void> {
  const roomId = await scene.newRoom('Library')
  await eventually('the other one registers', second.isRegistered, PATIENCE)
  await askIn(scene, roomId)
  const joined = () => first.joined(roomId) + second.joined(roomId)
  await eventually('one of them has the job', () => joined() === 1, PATIENCE)
  const [dies, stays] = first.joined(roomId) === 1 ? [first, second] : [second, first]
  await dies.kill()
  if (!scene.place.takesOver) {
    await isOut(scene, roomId)
    await askIn(scene, roomId)
  }
  await eventually('the other one has it', () => stays.joined(roomId) === 1, PATIENCE)
  await eventually('it is inside', async () => (await scene.agentsIn(roomId)).length === 1, PATIENCE)
}
