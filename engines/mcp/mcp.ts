import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operationEntries } from '@atrium/contract'
import { npmPackages } from '../clients/npm-packages.ts'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { newPerson } from '../web/people.ts'

const VERSION = '2.12.0'
const INSPECTOR = '@modelcontextprotocol/inspector'
const PAGE = new URL('../../docs/programs.md', import.meta.url)

/** The inspector of the Model Context Protocol as it is, configured as docs/programs.md says. */
export const mcp: Engine = {
  name: 'mcp',
  about: `the MCP inspector ${VERSION} (npm), which lists the tools of a bot and of a service token, and calls some`,
  async install() {
    try {
      await npmPackages({ [INSPECTOR]: VERSION })
    } catch (error) {
      return `the inspector cannot be had: ${(error as Error).message.split('\n')[0]}`
    }
    return undefined
  },
  async try(check) {
    const ends: Ends = []
    try {
      await tryInspector(await openFreshOffice({}, ends), ends, check)
    } finally {
      for (let next = ends.pop(); next; next = ends.pop()) await next()
    }
  },
}

async function tryInspector(url: string, ends: Ends, check: Check): Promise<void> {
  const { client } = await newPerson({ url }, 'Ada Lovelace', { found: 'Programs' })
  const { token } = await client.call('createBot', { name: 'Note taker' })
  const bot = await inspector(url, token, ends)
  await check('it lists what is open to bots, and finds no fault in a schema', async () => {
    const names = toolsIn(await bot('tools/list', '--strict'))
    console.log(`    ${names.join(' ')}`)
    const open = operationEntries.filter(([, { access }]) => access.kind === 'organization' && access.bots)
    assert.deepEqual(
      names,
      open.map(([id]) => id),
    )
  })
  await check('it lists what a service token was made for', async () => {
    const made = await client.call('createServiceToken', { name: 'Tool', operations: ['listMembers'] })
    const program = await inspector(url, made.token, ends)
    assert.deepEqual(toolsIn(await program('tools/list', '--strict')), ['listMembers'])
  })
  await check('it calls a tool, and shows what is refused in words', async () => {
    const call = (...given: string[]) =>
      bot('tools/call', '--tool-name', 'listMembers', '--tool-arg', ...given)
    const { content, isError } = JSON.parse(await call('limit=1'))
    assert.equal(isError, false)
    assert.equal(JSON.parse(content[1].text).data[0].displayName, 'Ada Lovelace')
    await assert.rejects(call('limit="1; drop table"'), /Enter a whole number from 1 to 100/)
  })
}

function toolsIn(answer: string): string[] {
  return JSON.parse(answer).tools.map(({ name }: { name: string }) => name)
}

/** Runs the inspector by the sample of the page, as its owner. @throws Error where it exits with a refusal */
async function inspector(url: string, token: string, ends: Ends) {
  const home = await mkdtemp(join(tmpdir(), 'atrium-inspector-'))
  ends.push(() => rm(home, { recursive: true, force: true }))
  const [, sample = ''] = /```json\n([\s\S]*?)```/.exec(await readFile(PAGE, 'utf8')) ?? []
  const config = join(home, 'mcp.json')
  await writeFile(config, sample.replace('http://localhost:3000', url).replace('atrbot_…', token))
  const program = join(
    await npmPackages({ [INSPECTOR]: VERSION }),
    INSPECTOR,
    'clients/launcher/build/index.js',
  )
  return async (method: string, ...more: string[]) => {
    const said = await run(
      process.execPath,
      [program, '--cli', '--config', config, '--server', 'atrium', '--method', method, ...more],
      { env: { HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' }, cwd: home },
    )
    // before the answer it may say on its other stream where it keeps secrets
    return said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)
  }
}
