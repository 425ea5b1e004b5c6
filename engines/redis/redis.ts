import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { centrifugoBroker } from '@atrium/server/src/adapters/centrifugo/centrifugo-broker.ts'
import { Secret } from '@atrium/server/src/platform/secret.ts'
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
      await check('the census names another memory when Redis has come back empty', async () => {
        const broker = centrifugoBroker({ url: other.apiUrl, key: new Secret(SECRETS.api) })
        const before = await broker.connectedUsers([])
        // on Redis an epoch is the second in which it began
        await new Promise((resolve) => setTimeout(resolve, 1_100))
        await emptyRedis(redisUrl)
        const after = await broker.connectedUsers([])
        assert.notEqual(after.generation, before.generation)
      })
      await tryOffice(folder, redisUrl, check, ends)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
}

async function emptyRedis(redisUrl: string): Promise<void> {
  const socket = connect(Number(new URL(redisUrl).port), '127.0.0.1')
  socket.write('FLUSHALL\r\n')
  const [answer] = await once(socket, 'data')
  socket.destroy()
  assert.equal(String(answer).trim(), '+OK')
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
