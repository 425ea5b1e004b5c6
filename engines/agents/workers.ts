import { spawn } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { npmPackages } from '../clients/npm-packages.ts'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'
import { type Ends, end } from '../processes.ts'

const PYTHON_VERSION = '1.8.9'
const PYTHON = [`livekit-agents-${PYTHON_VERSION}`, 'bin/python'] as const
/** `@livekit/agents`, and what it wants beside itself. */
const NODE_PACKAGES = { '@livekit/agents': '1.9.0', '@livekit/rtc-node': '0.13.34', zod: '4.4.3' }

const fileHere = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** livekit-agents in one language, with the same program for it. */
export interface WorkerKind {
  name: string
  /** Into a folder of its own, which is kept. @throws Error why it cannot be had here */
  install(): Promise<void>
  /** The command that begins a worker. */
  command(): Promise<readonly [program: string, ...args: string[]]>
}

const python: WorkerKind = {
  name: 'Python',
  install: () =>
    keep(...PYTHON, async (draft) => {
      await run('python3', ['-m', 'venv', '--clear', draft])
      await run(join(draft, 'bin/pip'), ['install', '--quiet', `livekit-agents==${PYTHON_VERSION}`])
    }),
  command: async () => [keptAt(...PYTHON), fileHere('worker.py'), 'start'],
}

const node: WorkerKind = {
  name: 'Node',
  async install() {
    await npmPackages(NODE_PACKAGES)
  },
  async command() {
    // beside the packages that it imports
    const program = join(await npmPackages(NODE_PACKAGES), '../worker.mjs')
    await copyFile(fileHere('worker.mjs'), program)
    return [process.execPath, program, 'start']
  },
}

export const WORKER_KINDS: readonly WorkerKind[] = [python, node]

/** Of the media server that workers register at. */
export interface WorkerPlace {
  mediaUrl: string
  apiKey: string
  apiSecret: string
}

export interface RunningWorker {
  isRegistered(): boolean
  /** How many of its jobs have joined a room. */
  joined(roomId: string): number
  /** With the processes of its jobs, as a machine that goes away. */
  kill(): Promise<void>
}

export async function startWorker(
  kind: WorkerKind,
  { mediaUrl, apiKey, apiSecret }: WorkerPlace,
  agentName: string,
  ends: Ends,
): Promise<RunningWorker> {
  const [program, ...args] = await kind.command()
  const worker = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // a group of its own, which is killed as one
    detached: true,
    env: {
      ...process.env,
      ...{ AGENT_NAME: agentName, WORKER_PORT: String(await freePort()), PYTHONDONTWRITEBYTECODE: '1' },
      ...{ LIVEKIT_URL: mediaUrl, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret },
    },
  })
  let said = ''
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const killGroup = () => {
    try {
      if (worker.pid) process.kill(-worker.pid, 'SIGKILL')
    } catch {
      // all of it has ended
    }
  }
  const kill = async () => {
    killGroup()
    await end(worker, 'SIGKILL')
  }
  ends.push(kill)
  return {
    isRegistered: () => /registered worker|worker registered/i.test(said),
    joined: (roomId) => said.split(`joined ${roomId} with {"botId"`).length - 1,
    kill,
  }
}
