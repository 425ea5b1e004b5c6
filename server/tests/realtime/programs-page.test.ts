import { readFileSync } from 'node:fs'
import { createAtriumClient } from '@atrium/client'
import { connectRealtime } from '@atrium/client/realtime'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { chatterOf, openDm } from '../chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { newFounder } from '../people.ts'
import { until } from '../until.ts'

const PAGE = readFileSync(new URL('../../../docs/programs.md', import.meta.url), 'utf8')
const ADDRESS = 'http://localhost:3000'

/** The samples of one language, in their order. */
function samples(language: string): string[] {
  return [...PAGE.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  )
}

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
  await until(async () => office.office.jobs.isLeader())
})
afterAll(() => office.close())

/** Does what a line of curl says. */
async function curl(sample: string, headers: Record<string, string>): Promise<Response> {
  const [, path = ''] = /localhost:3000(\S+)/.exec(sample) ?? []
  const [, body] = /-d '([^']+)'/.exec(sample) ?? []
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  return await fetch(office.baseUrl + path, {
    method: 'POST',
    headers: { ...headers, ...json },
    body: body ?? null,
  })
}

it('leads from a token to a bot that answers, and to an assistant', async () => {
  const founder = await newFounder(office)
  const [making = '', looking = ''] = samples('sh')
  const made = await curl(making, { cookie: `atrium_session=${founder.cookie}` })
  expect(made.status).toBe(201)
  const { botId, token } = (await made.json()) as { botId: string; token: string }
  const looked = await curl(looking, { authorization: `Bearer ${token}` })
  expect(await looked.json()).toMatchObject({ page: { total: 2 } })

  const [program = ''] = samples('ts')
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
    await until(async () => live.statusOf(live.userId) === 'online')
    const conversationId = await openDm(await chatterOf(office, founder), { id: botId })
    await founder.browser.call('sendMessage', { conversationId, content: 'Hello' })
    await expect
      .poll(async () => (await founder.browser.call('listMessages', { conversationId })).messages)
      .toMatchObject([{ content: 'Hello' }, { content: 'You said: Hello' }])
  } finally {
    live.close()
  }

  const [configured = ''] = samples('json')
  const { url, headers } = JSON.parse(configured.replace('atrbot_…', token)).mcpServers.atrium
  const assistant = new Client({ name: 'assistant', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(url.replace(ADDRESS, office.baseUrl)), {
    requestInit: { headers },
  })
  await assistant.connect(transport as Parameters<Client['connect']>[0])
  expect(await assistant.callTool({ name: 'listMembers', arguments: {} })).toMatchObject({ isError: false })
  await assistant.close()
})
