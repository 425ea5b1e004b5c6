import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { centrifugoBroker } from '@atrium/server/src/adapters/centrifugo/centrifugo-broker.ts'
import { Secret } from '@atrium/server/src/platform/secrets/secret.ts'
import { SECRETS, startProxy, tryConformance } from '../centrifugo/conformance.ts'
import { tryEnded } from '../centrifugo/ended.ts'
import { startCentrifugo } from '../centrifugo/node.ts'
import { openOfficeOnCentrifugo, tryOffice } from '../centrifugo/office.ts'
import { installCentrifugo } from '../centrifugo/program.ts'
import { installPackage } from '../debian-packages.ts'
import type { Engine } from '../engine.ts'
import { type Ends, end, start } from '../processes.ts'
import { type RedisServer, tryEmptiedRedis } from './emptied.ts'

const REDIS = '/usr/bin/redis-server'
const CONFIGURATION = fileURLToPath(new URL('../../deploy/redis/redis.conf', import.meta.url))

/** Brings the server from Debian. @returns why it cannot be had here */
export async function installRedis(): Promise<string | undefined> {
  return existsSync(REDIS) ? undefined : await installPackage('redis-server')
}

/** Two Centrifugo nodes on one Redis: what is deployed. */
export const redis: Engine = {
  name: 'redis',
  about: 'two Centrifugo nodes on Redis (Debian)',
  async install() {
    return (await installCentrifugo()) ?? (await installRedis())
  },
  async try(check) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-redis-'))
    const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
    try {
      const server = await prepareRedis(folder, ends)
      const redisUrl = server.url
      const proxyUrl = await startProxy(ends)
      const options = { folder, proxyUrl, redisUrl, secrets: SECRETS, shortLimits: true }
      const [one, other] = [await startCentrifugo(options, ends), await startCentrifugo(options, ends)]
      await tryConformance(one, other, check)
      await check('the census names another memory when Redis has come back empty', async () => {
        const broker = centrifugoBroker({ url: other.apiUrl, key: new Secret(SECRETS.api) })
        const before = await broker.connectedUsers([])
        // on Redis an epoch is the second in which it began
        await pause(1_100)
        await server.empty()
        const after = await broker.connectedUsers([])
        assert.notEqual(after.generation, before.generation)
      })
      const office = await openOfficeOnCentrifugo({ folder, redisUrl }, ends)
      await tryOffice(office, check)
      await tryEnded(office, check)
      await tryEmptiedRedis(office, server, check, ends)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
}

async function emptyRedis(redisUrl: string): Promise<void> {
  const socket = connect(Number(new URL(redisUrl).port), '127.0.0.1')
  socket.write('FLUSHALL\r\n')
  // one that is being restarted goes without an answer
  const closed = once(socket, 'close').then(() => {
    throw new Error('Redis has closed the connection')
  })
  const [answer] = await Promise.race([once(socket, 'data'), closed])
  socket.destroy()
  assert.equal(String(answer).trim(), '+OK')
}

/** Starts a Redis as it is deployed, which keeps nothing on disk. */
export async function prepareRedis(folder: string, ends: Ends): Promise<RedisServer> {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  // what is deployed, but for where it listens and lies
  const settings = [CONFIGURATION, '--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder]
  const launch = () => start(REDIS, settings, { PATH: process.env.PATH }, ends)
  let running = launch()
  return {
    url,
    empty: () => emptyRedis(url),
    async restart() {
      await end(running, 'SIGKILL')
      running = launch()
    },
  }
}
