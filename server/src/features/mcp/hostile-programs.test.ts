import { type OperationId, operationEntries } from '@atrium/contract'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newBot } from '../../../tests/chapters/bots.ts'
import { chatterOf, openDm } from '../../../tests/chapters/chat.ts'
import { newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, type Person } from '../../../tests/people.ts'

/** What a value of an argument may be that was made to break something. */
const HOSTILE: readonly [what: string, value: unknown][] = [
  ['a value without a text', { toString: 1, valueOf: 1 }],
  ['half of a character', '\ud800'],
  ['a way up', '../../organizations/delete'],
  ['a dot', '..'],
  ['NUL', 'a\u0000b'],
  ['a list of lists', Array.from({ length: 200 }, () => Array.from({ length: 50 }, () => 0))],
  ['deep lists', JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)],
  ['a hundred thousand letters', 'x'.repeat(100_000)],
  ['a number beyond all', 1e308],
  ['nothing', null],
]

describe('a hostile program at the Model Context Protocol', () => {
  let office: TestOffice
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice({
      settings: { RATE_LIMIT_PER_TOKEN: '0', RATE_LIMIT_TOKENS_PER_ORGANIZATION: '0' },
    })
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  async function connected(token: string) {
    const client = new Client({ name: 'hostile', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(`${office.baseUrl}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    })
    await client.connect(transport as Parameters<Client['connect']>[0])
    return client
  }
  const post = (token: string, body: string) =>
    fetch(`${office.baseUrl}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    })
  const call = (token: string, name: string, input: unknown) =>
    post(
      token,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
    )
  const isTool = ([, { access }]: (typeof operationEntries)[number]) =>
    access.kind === 'organization' && access.bots === true
  /** What an operation says in its refusal; undefined where it has done as it was told. */
  async function refusalOf(response: Response): Promise<{ code: number; message: string } | undefined> {
    const { result, code, message } = JSON.parse(await response.text())
    if (response.status !== 200) return { code, message }
    return result.isError ? JSON.parse(result.content[0].text) : undefined
  }

  it('finds tools with all of their input in the body, where nothing is read as a path', () => {
    const open = operationEntries.filter(
      ([, { access }]) => access.kind === 'organization' && (access.bots || access.serviceTokens),
    )
    expect(open.length).toBeGreaterThan(30)
    for (const [id, { params, query }] of open)
      expect([id, params, query]).toEqual([id, undefined, undefined])
  })

  it.each(HOSTILE)('is refused in words, whatever the tool: %s', { timeout: 120_000 }, async (_, value) => {
    const { token } = await newBot(office, founder)
    for (const [id, { body }] of operationEntries.filter(isTool)) {
      const fields = Object.keys(body?.properties ?? {})
      if (fields.length === 0) continue
      const refusal = await refusalOf(
        await call(token, id, Object.fromEntries(fields.map((f) => [f, value]))),
      )
      expect(refusal?.code, id).toBeGreaterThanOrEqual(400)
      expect(refusal?.code, id).toBeLessThan(500)
      expect(refusal?.message, id).toMatch(/\w+ \w+/)
    }
  })

  it('finds nothing of another organization by any tool', async () => {
    const other = await newFounder(office, 'Other')
    const theirs = await newBot(office, other)
    const { id: roomId } = await newRoom(other)
    const conversationId = await openDm(await chatterOf(office, other), theirs)
    const { message_id: messageId } = await other.browser.call('sendMessage', {
      conversationId,
      content: 'Secret',
    })
    const { token } = await newBot(office, founder)
    for (const [tool, input] of [
      ['getRoom', { roomId }],
      ['authorizeRoom', { roomId, username: 'x' }],
      ['inviteGuest', { orgId: other.organizationId, roomId, durationSeconds: 60 }],
      ['listMessages', { conversationId }],
      ['sendMessage', { conversationId, content: 'Hello' }],
      ['editMessage', { messageId, content: 'Mine' }],
      ['deleteMessage', { messageId }],
      ['addReaction', { messageId, emoji: '👍' }],
      ['getMember', { id: other.id }],
      ['markRead', { conversationId, messageId }],
    ] as const) {
      const refusal = await refusalOf(await call(token, tool, input))
      expect([tool, refusal?.code === 404 || refusal?.code === 403], JSON.stringify(refusal)).toEqual([
        tool,
        true,
      ])
      expect(JSON.stringify(refusal)).not.toContain('Secret')
    }
  })

  it('has no tool but those of its token, by no spelling', async () => {
    const { token } = await newBot(office, founder)
    const before = await founder.browser.call('listBots')
    const names = operationEntries.filter((entry) => !isTool(entry)).map(([id]) => id as string)
    for (const name of [...names, 'constructor', 'getmember', ' getMember', '../bots/create', '']) {
      const { error, result } = (await (await call(token, name, {})).json()) as Record<string, unknown>
      expect([name, error !== undefined, result]).toEqual([name, true, undefined])
    }
    expect((await founder.browser.call('listBots')).bots.length).toBe(before.bots.length)
  })

  it('is out with its token: deleted, revoked, or of a bot that was made anew', async () => {
    const bot = await newBot(office, founder)
    const session = await connected(bot.token)
    await founder.browser.call('deleteBot', { botId: bot.id })
    await expect(session.callTool({ name: 'listMembers', arguments: {} })).rejects.toThrow()
    expect((await call(bot.token, 'listMembers', {})).status).toBe(401)
    await newBot(office, founder)
    expect((await call(bot.token, 'listMembers', {})).status).toBe(401)
    const operations: OperationId[] = ['listMembers']
    const tool = await founder.browser.call('createServiceToken', { name: 'Tool', operations })
    expect((await call(tool.token, 'listMembers', {})).status).toBe(200)
    await founder.browser.call('revokeServiceToken', { id: tool.id })
    expect((await call(tool.token, 'listMembers', {})).status).toBe(401)
  })

  it('sends at most so much, and is answered in words', async () => {
    const { token } = await newBot(office, founder)
    const big = await call(token, 'sendMessage', { conversationId: 1, content: 'x'.repeat(3_000_000) })
    expect(big.status).toBe(413)
    expect(((await big.json()) as { message: string }).message).toMatch(/\w+ \w+/)
    expect(JSON.stringify(await (await call(token, 'listMembers', { [token]: token })).json())).not.toContain(
      token,
    )
  })
})
