import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { descendants } from '../../engines/descendants.ts'
import { start } from '../../engines/processes.ts'
import type { Benchmark, Sample } from '../benchmark.ts'
import {
  answered,
  CONNECTIONS,
  choose,
  claimsOf,
  connectionOf,
  EVENTS,
  gather,
  gatherAt,
  memoryOf,
  run,
} from '../fan-out.ts'
import { type Ends, openBare, openContest, openProduction, pinSides } from '../opening.ts'
import { processorTimeOfThreads } from '../processor-time.ts'
import { peerPackages, peerVersion } from './packages.ts'

const SERVER = fileURLToPath(new URL('socket-io-server.ts', import.meta.url))
const REDIS = '/usr/bin/redis-server'
const CONFIGURATION = fileURLToPath(new URL('../../deploy/redis/redis.conf', import.meta.url))
const WARM_UPS = 3
/** Of Engine.IO 4 with Socket.IO's protocol 5: to the default namespace. */
const SOCKET_IO = { greeting: '40', ready: '40{', ping: '2', pong: '3' } as const
const versions = `Socket.IO ${peerVersion('socket.io')} with its Redis adapter ${peerVersion('@socket.io/redis-adapter')}`

/** A side's processes: how much memory they hold, how much processor time they have used. */
interface Processes {
  servers: readonly number[]
  /** What stores or carries for them. */
  behind: () => readonly number[]
}

export const peerSocketIo: Benchmark = {
  name: 'peer-socket-io',
  describe: `a status change until all of ${CONNECTIONS} clients have it: ours through session, request, table, outbox and the embedded broker of one process, against an emit of ${versions} to a room of as many, half of them at each of two nodes, published by a bare HTTP POST that checks and stores nothing; processor time of all servers, PostgreSQL and Redis included`,
  unit: 'requests/s',
  goal: { ratioMin: 0.6 },
  missing: () =>
    existsSync(REDIS) ? undefined : 'there is no Redis here; `npm run test:engines redis` brings it',
  prepare: () =>
    openContest(async (ends) => {
      const { office, running, person } = await openProduction(ends, { CONNECTIONS_PER_USER: '0' })
      const peer = await openSocketIo(ends)
      pinSides(ends, running, ...peer.nodes)

      const ours = await connectionOf(office.url, person.cookie)
      const [channel, userId] = [String(claimsOf(ours.token).channels[0]), person.userId]
      const sides = [
        { servers: [running.pid], behind: () => descendants(running.pid, 'postgres') },
        { servers: peer.nodes.map(({ pid }) => pid), behind: () => [peer.redis] },
      ] as const
      const near = await weighed(sides[0].servers, () =>
        gather(ours.url, ours.token, channel.replace(/^user:/, 'status:')),
      )
      ends.push(async () => near.crowd.close())
      const far = await weighed(sides[1].servers, () => gatherAt(peer.sockets, SOCKET_IO))
      ends.push(async () => far.crowd.close())

      let made = 0
      const next = () => {
        made += 1
        return made % 2 ? 'busy' : 'away'
      }
      const change = async () => {
        const status = next()
        await Promise.all([near.crowd.all(`"${status}"`), choose(office.url, person.cookie, status)])
      }
      const publish = async () => {
        const status = next()
        await Promise.all([far.crowd.all(`"${status}"`), post(peer.publishUrl, eventOf({ userId, status }))])
      }
      const subject = () => charged(sides[0], () => run(change, near.kilobytes))
      const baseline = () => charged(sides[1], () => run(publish, far.kilobytes))
      for (let round = 0; round < WARM_UPS; round += 1) for (const side of [subject, baseline]) await side()
      return { subject, baseline }
    }),
}

async function openSocketIo(ends: Ends) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-redis-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const settings = [CONFIGURATION, '--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder]
  const redis = start(REDIS, settings, { PATH: process.env.PATH }, ends)
  const args = [await peerPackages(), `redis://127.0.0.1:${port}`]
  const nodes = [await openBare(ends, SERVER, args), await openBare(ends, SERVER, args)] as const
  return {
    redis: redis.pid ?? 0,
    nodes,
    publishUrl: `${nodes[0].base}/publish`,
    sockets: nodes.map(({ base }) => `${base.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`),
  }
}

/** Of the form that the office publishes. */
function eventOf(data: object): object {
  return { id: randomUUID(), data, time: new Date().toISOString(), type: 'status.changed' }
}

function post(url: string, data: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  return answered(fetch(url, { method: 'POST', headers, body: JSON.stringify(data) }))
}

/** What each client takes of the servers' memory. */
async function weighed<T>(servers: readonly number[], connect: () => Promise<T>) {
  const memory = () => servers.reduce((sum, pid) => sum + memoryOf(pid), 0)
  const before = memory()
  const crowd = await connect()
  return { crowd, kilobytes: (memory() - before) / CONNECTIONS }
}

/** With the processor time that a delivery takes. */
async function charged({ servers, behind }: Processes, sample: () => Promise<Sample>): Promise<Sample> {
  const used = (pids: readonly number[]) =>
    pids.reduce((sum, pid) => sum + (processorTimeOfThreads(pid) ?? Number.NaN), 0)
  const store = behind()
  const before = [used(servers), used(store)] as const
  const { value, details } = await sample()
  const [served, stored] = [used(servers) - before[0], used(store) - before[1]]
  const perDelivery = (time: number) => time / (EVENTS * CONNECTIONS)
  return {
    value,
    details: {
      ...details,
      'cpu µs': perDelivery(served + stored),
      'of it stores µs': perDelivery(stored),
    },
  }
}
