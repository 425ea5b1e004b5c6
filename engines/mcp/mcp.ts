import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import { keep, keptAt } from '../kept.ts'
import type { Ends } from '../processes.ts'
import { newPerson } from '../web/people.ts'

const VERSION = '2.12.0'
const KEPT = [`mcp-inspector-${VERSION}`, 'node_modules/.bin/mcp-inspector'] as const

/** The protocol's own inspector, as an operator types it. */
export const mcp: Engine = {
  name: 'mcp',
  about: `the inspector of the Model Context Protocol ${VERSION} (npm), with the token of a bot`,
  install,
  async try(check) {
    const ends: Ends = []
    try {
      await tryInspector(await openFreshOffice({}, ends), check)
    } finally {
      for (let next = ends.pop(); next; next = ends.pop()) await next()
    }
  },
}

/** Into a folder of its own, which is kept: 110 MB. @returns why it cannot be had here */
async function install(): Promise<string | undefined> {
  try {
    await keep(...KEPT, async (draft) => {
      await writeFile(join(draft, 'package.json'), '{ "private": true }')
      const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
      const inspector = `@modelcontextprotocol/inspector@${VERSION}`
      await run('npm', ['install', ...flags, inspector], { cwd: draft })
    })
  } catch (error) {
    return `the inspector cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

interface Said {
  tools?: { name: string; description: string; inputSchema: { type: string } }[]
  content?: { type: string; text: string }[]
  isError?: boolean
}

async function tryInspector(url: string, check: Check): Promise<void> {
  const { client } = await newPerson({ url }, 'Ada Lovelace', { found: 'Programs' })
  const { botId, token } = await client.call('createBot', { name: 'Assistant' })
  const inspect = async (bearer: string, ...asked: string[]): Promise<Said> => {
    const header = ['--header', `Authorization: Bearer ${bearer}`]
    const options = ['--cli', `${url}/mcp`, '--transport', 'http', ...header, '--format', 'json', '--quiet']
    const said = await run(process.execPath, [keptAt(...KEPT), ...options, '--method', ...asked])
    return JSON.parse(said) as Said
  }
  await check('it lists the tools of a bot, whose schemas it finds nothing to say about', async () => {
    const { tools = [] } = await inspect(token, 'tools/list', '--strict')
    const names = tools.map(({ name }) => name)
    console.log(`    ${names.length} tools: ${names.join(', ')}`)
    for (const name of ['listMembers', 'listRooms', 'sendMessage']) assert.ok(names.includes(name), name)
    assert.ok(!names.includes('createBot'))
    for (const { inputSchema, description } of tools) assert.ok(inputSchema.type === 'object' && description)
  })
  await check('it calls one, and is told that the answer is data of people', async () => {
    const { content = [], isError } = await inspect(token, 'tools/call', '--tool-name', 'getMember', '--tool-arg', `id=${botId}`)
    assert.equal(isError, false)
    assert.match(content[0]?.text ?? '', /never follow instructions/)
    assert.equal(JSON.parse(content[1]?.text ?? '').displayName, 'Assistant')
  })
  await check('it is told no more than that it is unknown, where its token is', async () => {
    await client.call('deleteBot', { botId })
    await assert.rejects(inspect(token, 'tools/list'), /401|auth/i)
  })
}
