import { readFileSync } from 'node:fs'
import { createAtriumClient } from '@atrium/client'
import { connectRealtime } from '@atrium/client/realtime'
import { connectWorker, type PlayedWorker } from '@atrium/embedded-media/workers/live-worker-fixture.ts'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { newBot } from '../chapters/bots.ts'
import { chatterOf, openDm } from '../chapters/chat.ts'
import { atMedia, insideOf, joinRoom, newRoom } from '../chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { newFounder } from '../people.ts'
import { until } from '../until.ts'

const PAGE = readFileSync(new URL('../../../docs/programs.md', import.meta.url), 'utf8')
const ADDRESS = 'http://localhost:3000'

const SECRET = 'what an operator gives to the office and to its workers'
const PATIENCE = { timeout: 20_000 }

/** The samples of one language under a heading, in their order. */
function samples(language: string, heading: string): string[] {
  const section = PAGE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  )
}

let office: TestOffice
const workers: PlayedWorker[] = []
beforeAll(async () => {
  office = await openTestOffice({ settings: { LIVEKIT_API_SECRET: SECRET } })
  await until(async () => office.office.jobs.isLeader())
})
afterAll(async () => {
  for (const worker of workers) worker.die()
  await office.close()
})

/** Does what a line of curl says. */
async function curl(
  sample: string,
  headers: Record<string, string>,
  change = (body: string) => body,
): Promise<Response> {
  const [, path = ''] = /localhost:3000(\S+)/.exec(sample) ?? []
  const [, written] = /-d '([^']+)'/.exec(sample) ?? []
  const body = written && change(written)
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  return await fetch(office.baseUrl + path, {
    method: 'POST',
    headers: { ...headers, ...json },
    body: body ?? null,
  })
}

it('leads from a token to a bot that answers, and to an assistant', async () => {
  const founder = await newFounder(office)
  const [making = '', looking = ''] = samples('sh', 'A bot in ten minutes')
  const made = await curl(making, { cookie: `atrium_session=${founder.cookie}` })
  expect(made.status).toBe(201)
  const { botId, token } = (await made.json()) as { botId: string; token: string }
  const looked = await curl(looking, { authorization: `Bearer ${token}` })
  expect(await looked.json()).toMatchObject({ page: { total: 2 } })

  const [program = ''] = samples('ts', 'A bot in ten minutes')
  const text = program.replace(ADDRESS, office.baseUrl).replace('process.env.ATRIUM_TOKEN', 'token')
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  const run = AsyncFunction(
    ...['createAtriumClient', 'connectRealtime', 'token', 'botId'],
    `${text}\nreturn live`,
  )
  type Live = Awaited<ReturnType<typeof connectRealtime>>
  const connect = (client: Parameters<typeof connectRealtime>[0]) =>
    connectRealtime(client, { websocket: WebSocket })
  const live = (await run(createAtriumClient, connect, token, botId)) as Live
  try {
    await until(async () => {
      await office.office.jobs.runNow('presence-poll')
      return live.statusOf(live.userId) === 'online'
    })
    const conversationId = await openDm(await chatterOf(office, founder), { id: botId })
    await founder.browser.call('sendMessage', { conversationId, content: 'Hello' })
    await expect
      .poll(async () => (await founder.browser.call('listMessages', { conversationId })).messages)
      .toMatchObject([{ content: 'Hello' }, { content: 'You said: Hello' }])
  } finally {
    live.close()
  }

  const [configured = ''] = samples('json', 'An assistant, by MCP')
  const { url, headers } = JSON.parse(configured.replace('atrbot_…', token)).mcpServers.atrium
  const assistant = new Client({ name: 'assistant', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(url.replace(ADDRESS, office.baseUrl)), {
    requestInit: { headers },
  })
  await assistant.connect(transport as Parameters<Client['connect']>[0])
  expect(await assistant.callTool({ name: 'listMembers', arguments: {} })).toMatchObject({ isError: false })
  await assistant.close()
})

it('leads a bot into a room', async () => {
  const founder = await newFounder(office)
  const [bot, room] = [await newBot(office, founder, 'Note taker'), await newRoom(founder)]
  const [entering = ''] = samples('sh', 'A bot in a room')
  const headers = { authorization: `Bearer ${bot.token}` }
  const entered = await curl(entering, headers, (body) => body.replace('…', room.id))
  await joinRoom(office, ((await entered.json()) as { token: string }).token)
  await expect
    .poll(async () => (await founder.browser.call('getRoom', { roomId: room.id })).room.agents, PATIENCE)
    .toMatchObject([{ botId: bot.id, name: 'Note taker', listens: true, speaks: false }])
})

it('leads a worker of livekit-agents into a room, and another one where it dies', async () => {
  const founder = await newFounder(office)
  const [bot, room] = [await newBot(office, founder, 'Note taker'), await newRoom(founder)]
  const [mapping = '', starting = ''] = samples('sh', 'A worker of livekit-agents')
  const headers = { cookie: `atrium_session=${founder.cookie}` }
  const mapped = await curl(mapping, headers, (body) => body.replace('"17"', `"${bot.id}"`))
  expect(mapped.status).toBe(200)
  const { agentName } = ((await mapped.json()) as { bot: { agentName: string } }).bot
  const [unnamed, first, second] = [
    await workerOf(starting, ''),
    await workerOf(starting, agentName),
    await workerOf(starting, agentName),
  ]
  const named = [first, second]
  const holder = () => named.find((worker) => worker.assignments().length > 0)
  const agents = async () => (await founder.browser.call('getRoom', { roomId: room.id })).room.agents

  await founder.browser.call('dispatchAgent', { roomId: room.id, botId: bot.id })
  await expect.poll(holder, PATIENCE).toBeDefined()
  const worker = holder() as PlayedWorker
  const [other] = named.filter((one) => one !== worker) as [PlayedWorker]
  const { programs } = await founder.browser.call('authorizeRoom', { username: 'Ada', roomId: room.id })
  expect(programs).toEqual(['Note taker'])
  const [, metadata = ''] = /metadata of its job is `([^`]+)`/.exec(PAGE.replaceAll('\n', ' ')) ?? []
  expect(JSON.parse(worker.jobs()[0]?.metadata ?? '')).toEqual({ ...JSON.parse(metadata), botId: bot.id })
  await joinRoom(office, worker.assignments()[0]?.token ?? '')
  await expect.poll(agents, PATIENCE).toMatchObject([{ botId: bot.id, name: 'Note taker' }])

  expect(other.jobs()).toEqual([])
  worker.die()
  const [identity] = [...(await insideOf(office, room.id)).keys()]
  await atMedia(office, 'leave', { room: room.id, identity: identity ?? '', reason: 'CONNECTION_TIMEOUT' })
  await expect.poll(() => other.assignments().length, PATIENCE).toBe(1)
  await joinRoom(office, other.assignments()[0]?.token ?? '')
  await expect
    .poll(async () => [...(await insideOf(office, room.id)).values()].map(({ name }) => name), PATIENCE)
    .toContain('Note taker')
  expect(unnamed.jobs()).toEqual([])
})

/** A worker that is started as a line of the shell says. */
async function workerOf(sample: string, agentName: string): Promise<PlayedWorker> {
  const settings = Object.fromEntries(
    [...sample.matchAll(/(LIVEKIT_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
  const url = settings.LIVEKIT_URL?.replace('ws://localhost:3000', office.baseUrl) ?? ''
  // the page says which they are where the office has no LiveKit
  expect([settings.LIVEKIT_API_KEY, settings.LIVEKIT_API_SECRET]).toEqual(['…', '…'])
  const keys = { apiKey: 'sandbox', apiSecret: SECRET }
  const worker = await connectWorker(url, { agentName, keys })
  workers.push(worker)
  await expect.poll(() => worker.heard[0]?.case, PATIENCE).toBe('register')
  return worker
}
