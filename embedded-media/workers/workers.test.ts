import { JobStatus, JobType, WorkerStatus } from '@livekit/protocol'
import { AgentDispatchClient } from 'livekit-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { connectSignals, openLiveMedia, SECRET } from '../live-media-fixture.ts'
import { connectWorker, type PlayedWorker, type WorkerOptions } from './live-worker-fixture.ts'

const keys = { apiKey: 'devkey', apiSecret: SECRET }
const PATIENCE = { timeout: 20_000 }
let media: Awaited<ReturnType<typeof openLiveMedia>>
let dispatches: AgentDispatchClient
let room: string
let made = 0
const workers: PlayedWorker[] = []

beforeAll(async () => {
  media = await openLiveMedia({ cameras: 4, people: 4, waiting: 4 })
  dispatches = new AgentDispatchClient(media.baseUrl, 'devkey', SECRET)
})
afterAll(async () => {
  for (const worker of workers) worker.die()
  await media.close()
})
beforeEach(async () => {
  made += 1
  room = `room ${made}`
  await media.rooms.createRoom({ name: room })
})

/** Registered, under a name of its own test. */
async function work(options: Partial<WorkerOptions> = {}) {
  const worker = await connectWorker(media.baseUrl, { keys, agentName: `worker ${made}`, ...options })
  workers.push(worker)
  await expect.poll(() => worker.heard[0]?.case, PATIENCE).toBe('register')
  return worker
}
const dispatch = () => dispatches.createDispatch(room, `worker ${made}`, { metadata: '{"by":"42"}' })
const jobs = async () => (await dispatches.listDispatch(room)).flatMap(({ state }) => state?.jobs ?? [])
const states = async () => (await jobs()).map(({ state }) => state?.status)

async function assigned(worker: PlayedWorker) {
  await expect.poll(() => worker.assignments().length, PATIENCE).toBe(1)
  const [one] = worker.assignments()
  if (!one?.job) throw new Error('without a job')
  return { job: one.job, token: one.token, identity: `agent-${one.job.id}` }
}
const enter = (token: string) => connectSignals(media.baseUrl, token)
const inside = async () => (await media.rooms.listParticipants(room)).map(({ identity }) => identity)

/** A worker with its participant inside, and another that is free. */
async function atWork() {
  const first = await work()
  await dispatch()
  const { token, identity } = await assigned(first)
  const agent = await enter(token)
  await expect.poll(inside, PATIENCE).toEqual([identity])
  return { first, agent, second: await work() }
}

describe('workers', () => {
  it('are offered a job of the room that asks for their name, and come in by its token', async () => {
    const [worker, other] = [await work(), await work({ agentName: 'another' })]
    const { id } = await dispatch()
    const { job, token, identity } = await assigned(worker)
    expect(job).toMatchObject({ dispatchId: id, agentName: `worker ${made}`, metadata: '{"by":"42"}' })
    expect([job.type, job.room?.name, job.id]).toEqual([JobType.JT_ROOM, room, expect.stringMatching(/^AJ_/)])
    await enter(token)
    await expect.poll(inside, PATIENCE).toEqual([identity])
    const [participant] = await media.rooms.listParticipants(room)
    expect(participant).toMatchObject({ name: 'Worker', attributes: { 'lk.agent_name': `worker ${made}` } })
    expect([participant?.kind, participant?.permission?.agent]).toEqual([4, true])
    expect((await jobs())[0]?.state).toMatchObject({
      status: JobStatus.JS_RUNNING,
      participantIdentity: identity,
    })
    expect(other.jobs()).toEqual([])
  })

  it('without a name take no room unasked', async () => {
    const worker = await work({ agentName: '' })
    await media.rooms.createRoom({ name: `${room} later` })
    await expect(dispatches.createDispatch(room, '')).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(worker.jobs()).toEqual([])
  })

  it('that refuse, or are full, leave the job to another one', async () => {
    const [refusing, full, busy] = [await work({ takes: () => false }), await work(), await work()]
    full.tell(WorkerStatus.WS_FULL, 0)
    busy.tell(WorkerStatus.WS_AVAILABLE, 1)
    const [ready] = [await work()]
    const before = { case: 'ping', value: { timestamp: 7n } } as never
    for (const one of [full, busy]) one.send(before)
    for (const one of [full, busy])
      await expect.poll(() => one.heard.some((heard) => heard.case === 'pong'), PATIENCE).toBe(true)
    for (let times = 0; times < 4; times += 1) await dispatch()
    await expect.poll(() => ready.assignments().length, PATIENCE).toBe(4)
    expect([full.jobs(), busy.jobs(), refusing.assignments()]).toEqual([[], [], []])
  })

  it('that are not there are told as not there', async () => {
    await dispatch()
    await expect.poll(states, PATIENCE).toEqual([JobStatus.JS_FAILED])
    expect((await jobs())[0]?.state?.error).toBe('no worker is available')
  })

  it('that die leave their job to another one, once their participant is out', async () => {
    const { first, agent, second } = await atWork()
    first.die()
    agent.ws.terminate()
    await assigned(second)
    expect(await states()).toEqual([JobStatus.JS_FAILED, JobStatus.JS_RUNNING])
    second.die()
    await expect.poll(states, PATIENCE).toEqual(Array(3).fill(JobStatus.JS_FAILED))
  })

  it('that die leave their job to another one, though their participant is out before them', async () => {
    const { first, agent, second } = await atWork()
    agent.ws.terminate()
    await expect.poll(states, PATIENCE).toEqual([JobStatus.JS_FAILED])
    first.die()
    await assigned(second)
    expect(await states()).toEqual([JobStatus.JS_FAILED, JobStatus.JS_RUNNING])
  })

  it('are told when their participant is put out, and no other comes in its place', async () => {
    const [worker, idle] = [await work(), await work({ takes: () => undefined })]
    idle.tell(WorkerStatus.WS_FULL, 1)
    await dispatch()
    const { job, token, identity } = await assigned(worker)
    await enter(token)
    await expect.poll(inside, PATIENCE).toEqual([identity])
    await media.rooms.removeParticipant(room, identity)
    await expect
      .poll(() => worker.heard.find((heard) => heard.case === 'termination')?.value.jobId, PATIENCE)
      .toBe(job.id)
    expect(await states()).toEqual([JobStatus.JS_FAILED])
  })

  it('are told when the dispatch is deleted, and put out where they stay', async () => {
    const worker = await work()
    const { id } = await dispatch()
    const { token, identity } = await assigned(worker)
    await enter(token)
    await expect.poll(inside, PATIENCE).toEqual([identity])
    await dispatches.deleteDispatch(id, room)
    await expect.poll(() => worker.heard.at(-1)?.case, PATIENCE).toBe('termination')
    expect(await dispatches.listDispatch(room)).toEqual([])
    await expect.poll(inside, PATIENCE).toEqual([])
    await expect(dispatches.deleteDispatch(id, room)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are told when the room ends, and say when their job is done', async () => {
    const worker = await work()
    await dispatch()
    const { job } = await assigned(worker)
    worker.finish(job.id)
    await expect.poll(states, PATIENCE).toEqual([JobStatus.JS_SUCCESS])
    await dispatch()
    await expect.poll(() => worker.assignments().length, PATIENCE).toBe(2)
    await media.rooms.deleteRoom(room)
    await expect
      .poll(
        () => worker.heard.flatMap((heard) => (heard.case === 'termination' ? heard.value.jobId : [])),
        PATIENCE,
      )
      .toEqual([worker.assignments()[1]?.job?.id])
    await expect(dispatches.listDispatch(room)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('need a token with the grant, and are closed where they say nothing that a worker says', async () => {
    const refused = { message: expect.stringContaining('401') }
    await expect(connectWorker(media.baseUrl, { keys, agentName: 'x', agent: false })).rejects.toMatchObject(
      refused,
    )
    const bare = new WebSocket(`${media.baseUrl.replace('http', 'ws')}/agent`)
    await expect(new Promise((_, reject) => bare.on('error', reject))).rejects.toMatchObject(refused)
    const publisher = await connectWorker(media.baseUrl, { keys, agentName: 'x', type: JobType.JT_PUBLISHER })
    await expect.poll(publisher.isClosed, PATIENCE).toBe(true)
    const other = new AgentDispatchClient(media.baseUrl, 'devkey', 'another-secret-of-the-media-server')
    await expect(other.createDispatch(room, 'x')).rejects.toMatchObject({ status: 401 })
  })
})
