import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { closed } from '../../../../tests/closed.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'
import { until } from '../../../../tests/until.ts'
import { createServer, type Server } from '../server.ts'
import { type ConnectionLimits, connectionLimits } from './connection-limits.ts'

const GET = 'GET /quick HTTP/1.1\r\nHost: here\r\n\r\n'
const GET_SLOW = 'GET /slow HTTP/1.1\r\nHost: here\r\n\r\n'

const sockets: Socket[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await server.close()
})

async function openServer(limits: ConnectionLimits, trustProxy: string[] = []) {
  const seen = { refused: [] as string[], dropped: 0, open: () => 0 }
  const { log, lines } = recordedLog()
  const server = await createServer({
    ...{ log, trustProxy, origins: [], secure: false },
    connections: {
      limits,
      onRefused: (reason) => void seen.refused.push(reason),
      onDropped: () => {
        seen.dropped += 1
      },
      onOpen: (open) => {
        seen.open = open
      },
    },
  })
  servers.push(server)
  const release = Promise.withResolvers<void>()
  server.get('/quick', async () => 'quick')
  let arrived = 0
  server.get('/slow', async () => {
    arrived += 1
    await release.promise
    return 'slow'
  })
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  /** @returns a connection that the server has taken */
  const open = async () => {
    const before = seen.open() + seen.dropped
    const socket = connect(Number(port), '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    await once(socket, 'connect')
    await until(() => seen.open() + seen.dropped > before)
    return socket
  }
  const { resolve } = release
  return {
    port: Number(port),
    http: server.server,
    seen,
    open,
    release: resolve,
    lines,
    arrived: () => arrived,
  }
}

async function ask(socket: Socket, request: string): Promise<string> {
  socket.write(request)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return answer.toString()
}

describe('connections', () => {
  it('beyond what is held make those that never carried a request go first, then the one idle for longest', async () => {
    const { open, seen } = await openServer({ all: 3, perAddress: 3 }, ['127.0.0.1'])
    const [first, unused, second] = [await open(), await open(), await open()]
    expect(await ask(first, GET)).toContain('200 OK')
    expect(await ask(second, GET)).toContain('200 OK')
    const goneUnused = closed(unused)
    const third = await open()
    await goneUnused
    expect(await ask(third, GET)).toContain('200 OK')
    const goneFirst = closed(first)
    const fourth = await open()
    await goneFirst
    for (const socket of [second, third, fourth]) expect(await ask(socket, GET)).toContain('200 OK')
    expect(seen).toMatchObject({ refused: [], dropped: 2 })
    expect(seen.open()).toBe(3)
  })

  it('carry no request where their client is gone before they are taken', async () => {
    const { http, release, arrived } = await openServer({ all: 2, perAddress: 2 })
    // as a socket that was reset meanwhile: there is something to read, and no address any more
    const gone = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    gone.push(GET_SLOW)
    http.emit('connection', gone)
    await until(() => gone.destroyed || arrived() > 0)
    release()
    expect(arrived()).toBe(0)
  })

  it('are refused in words while all are busy, and come in afterwards', async () => {
    const { open, port, seen, release, lines, arrived } = await openServer({ all: 2, perAddress: 2 }, [
      '127.0.0.1',
    ])
    const busy = [await open(), await open()]
    const answers = busy.map((socket) => ask(socket, GET_SLOW))
    const refusal = async () => {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => {})
      return await text(socket)
    }
    await until(() => arrived() === 2)
    const words = await refusal()
    expect(words).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5.*connection: close/s)
    expect(JSON.parse(words.slice(words.indexOf('{')))).toMatchObject({ code: 503, error: 'unavailable' })
    expect(seen.refused).toEqual(['all'])
    expect(JSON.stringify(lines)).toContain('LimitNOFILE')
    release()
    for (const answer of answers) expect(await answer).toContain('200 OK')
    busy[0]?.destroy()
    await until(() => seen.open() === 1)
    expect(await ask(await open(), GET)).toContain('200 OK')
  })

  it('of one address never take what is left for others, but those of a proxy that is trusted', async () => {
    const alone = await openServer({ all: 10, perAddress: 2 })
    const [first] = [await alone.open(), await alone.open()]
    const gone = closed(first)
    const third = await alone.open()
    await gone
    expect(await ask(third, GET)).toContain('200 OK')
    expect(alone.seen.open()).toBe(2)

    const behind = await openServer({ all: 10, perAddress: 2 }, ['127.0.0.1'])
    for (let n = 0; n < 5; n++) await behind.open()
    expect(behind.seen).toMatchObject({ refused: [], dropped: 0 })
    expect(behind.seen.open()).toBe(5)
  })

  it('are counted no more when they are gone', async () => {
    const { open, seen } = await openServer({ all: 5, perAddress: 5 })
    for (const socket of [await open(), await open()]) socket.destroy()
    await until(() => seen.open() === 0)
    expect(seen.dropped).toBe(0)
  })
})

describe('how many connections there are room for', () => {
  const settings = { databasePoolSize: 10, all: 0, perAddress: 0 }

  it.each([
    ['what is left by the database and files', 1_024, { all: 913, perAddress: 456 }],
    ['nine tenths of a large limit', 1_048_576, { all: 943_718, perAddress: 471_859 }],
    ['a quarter of a limit that is too small', 128, { all: 32, perAddress: 16 }],
    ['a million where the system knows no limit', undefined, { all: 1_000_000, perAddress: 500_000 }],
  ])('is %s', (_what, openFiles, limits) => {
    expect(connectionLimits({ ...settings, openFiles })).toEqual(limits)
  })

  it('is what the operator says', () => {
    const said = { databasePoolSize: 10, openFiles: 1_024, all: 100, perAddress: 7 }
    expect(connectionLimits(said)).toEqual({ all: 100, perAddress: 7 })
  })
})
