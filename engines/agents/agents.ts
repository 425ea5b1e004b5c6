import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AtriumClient } from '@atrium/client'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import { keep, keptAt } from '../kept.ts'
import { type Ends, end } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { newPerson } from '../web/people.ts'

const VERSION = '1.8.9'
const KEPT = [`livekit-agents-${VERSION}`, 'bin/python'] as const
const WORKER = fileURLToPath(new URL('worker.py', import.meta.url))
const SECRET = 'a-secret-of-the-embedded-media-server'
const AGENT_NAME = 'note-taker'
/** A worker starts a process for each job, and reads a thousand modules for it. */
const PATIENCE = { withinMs: 180_000, everyMs: 500 }

/** Workers of livekit-agents as they are, at the media server that an office brings along. */
export const agents: Engine = {
  name: 'agents',
  about: `a worker of livekit-agents ${VERSION} (PyPI), dispatched into a room of the embedded media server`,
  install,
  async try(check) {
    const ends: Ends = []
    try {
      const url = await openFreshOffice({ LIVEKIT_API_SECRET: SECRET }, ends)
      await tryWorker(url, ends, check)
    } finally {
      for (let next = ends.pop(); next; next = ends.pop()) await next()
    }
  },
}

/** Into a virtual environment of its own, which is kept: 400 MB. @returns why it cannot be had here */
async function install(): Promise<string | undefined> {
  try {
    await keep(...KEPT, async (draft) => {
      await run('python3', ['-m', 'venv', '--clear', draft])
      await run(join(draft, 'bin/pip'), ['install', '--quiet', `livekit-agents==${VERSION}`])
    })
  } catch (error) {
    return `Python 3 with livekit-agents cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

async function tryWorker(url: string, ends: Ends, check: Check): Promise<void> {
  const { client } = await newPerson({ url }, 'Ada Lovelace', { found: 'Programs' })
  const { botId } = await client.call('createBot', { name: 'Note taker', agentName: AGENT_NAME })
  const { room } = await client.call('createRoom', { name: 'Kitchen' })
  const about = { roomId: room.id, botId }
  const worker = startWorker(url, ends)
  await check('a worker registers, and comes in as the bot that is asked in', async () => {
    await eventually('the worker registers', () => worker.said().includes('registered worker'), PATIENCE)
    await client.call('dispatchAgent', about)
    const { programs } = await client.call('authorizeRoom', { roomId: room.id, username: 'Ada' })
    assert.deepEqual(programs, ['Note taker'])
    const [agent] = await eventually('the worker is inside', () => inside(client, room.id), PATIENCE)
    assert.deepEqual([agent?.botId, agent?.name, agent?.listens], [botId, 'Note taker', true])
    await eventually('its program runs', () => worker.said().includes(`joined ${room.id}`), PATIENCE)
  })
  await check('a moderator puts it out', async () => {
    await client.call('removeAgent', about)
    const isEmpty = async () => (await inside(client, room.id)) === undefined
    await eventually('the worker is out', isEmpty, PATIENCE)
  })
}

async function inside(client: AtriumClient, roomId: string) {
  const { agents: those } = (await client.call('getRoom', { roomId })).room
  return those.length > 0 ? those : undefined
}

function startWorker(url: string, ends: Ends) {
  const worker = spawn(keptAt(...KEPT), [WORKER, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...{ AGENT_NAME, LIVEKIT_URL: url.replace('http', 'ws'), PYTHONDONTWRITEBYTECODE: '1' },
      // the key's name of an office without a LiveKit
      ...{ LIVEKIT_API_KEY: 'sandbox', LIVEKIT_API_SECRET: SECRET },
    },
  })
  ends.push(() => end(worker))
  let said = ''
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  return { said: () => said }
}
