import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SECRETS, startProxy, tryConformance } from '../centrifugo/conformance.ts'
import { startCentrifugo } from '../centrifugo/node.ts'
import { tryOffice } from '../centrifugo/office.ts'
import { installCentrifugo } from '../centrifugo/program.ts'
import { run } from '../commands.ts'
import type { Engine } from '../engine.ts'
import { type Ends, freePort, start } from '../processes.ts'

const REDIS = '/usr/bin/redis-server'

/** Two Centrifugo nodes on one Redis: what is deployed. */
export const redis: Engine = {
  name: 'redis',
  about: 'two Centrifugo nodes on Redis (Debian)',
  async install() {
    const reason = await installCentrifugo()
    if (reason || existsSync(REDIS)) return reason
    if (process.getuid?.() !== 0) return 'Redis is not installed, and only root can install it'
    try {
      await run('apt-get', ['update', '-q'])
      await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'redis-server'], {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      })
    } catch (error) {
      return `the package redis-server cannot be installed: ${(error as Error).message.split('\n')[0]}`
    }
    return undefined
  },
  async try(check) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-redis-'))
    const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
    try {
      const redisUrl = await startRedis(folder, ends)
      const proxyUrl = await startProxy(ends)
      const options = { folder, proxyUrl, redisUrl, secrets: SECRETS, shortLimits: true }
      const [one, other] = [await startCentrifugo(options, ends), await startCentrifugo(options, ends)]
      await tryConformance(one, other, check)
      await tryOffice(folder, redisUrl, check, ends)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
}

async function startRedis(folder: string, ends: Ends): Promise<string> {
  const port = await freePort()
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  start(REDIS, settings, { PATH: process.env.PATH }, ends)
  return `redis://127.0.0.1:${port}`
}
