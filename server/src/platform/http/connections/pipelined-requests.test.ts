import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closed } from '../../../../tests/closed.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'
import { until } from '../../../../tests/until.ts'
import { createServer, type Server } from '../server.ts'
import { limitPipelinedRequests } from './pipelined-requests.ts'

const HEAD = 'Host: here\r\n'
const GET = `GET /slow HTTP/1.1\r\n${HEAD}\r\n`
const LAST = `GET /slow HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`
/** More than Node reads of a socket at a time. */
const MANY = 4_000

const sockets: Socket[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await server.close()
})

function connectTo(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  return socket
}

async function openServer() {
  const server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure: false })
  servers.push(server)
  const release = Promise.withResolvers<void>()
  let begun = 0
  server.get('/slow', async () => {
    begun += 1
    await release.promise
    return 'slow'
  })
  limitPipelinedRequests(server.server)
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  return { port: Number(port), release: release.resolve, begun: () => begun }
}

describe('requests that are sent before there are answers', () => {
  it('are answered in their order where they are a few', async () => {
    const { port, release, begun } = await openServer()
    const socket = connectTo(port)
    socket.write(GET.repeat(9) + LAST)
    await until(() => begun() === 10)
    release()
    const answers = await text(socket)
    expect(answers.match(/200 OK/g)).toHaveLength(10)
  })

  it('are cut off where they are many, and next to none of them is begun', async () => {
    const { port, begun } = await openServer()
    const socket = connectTo(port)
    const gone = closed(socket)
    socket.resume()
    socket.write(GET.repeat(MANY))
    await gone
    expect(begun()).toBeGreaterThan(0)
    expect(begun()).toBeLessThan(50)
  })

  it('leave one request after the other alone, however many', async () => {
    const { port, release } = await openServer()
    release()
    const socket = connectTo(port)
    let answers = ''
    socket.on('data', (data: Buffer) => {
      answers += data
    })
    for (let count = 1; count <= 40; count += 1) {
      socket.write(GET)
      await until(() => answers.split('200 OK').length > count)
    }
    expect(socket.destroyed).toBe(false)
  })
})

describe('an office', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  // one of its own routes, one of those for machines
  it.each(['/health/live', '/webhook'])(
    'cuts off who sends thousands of them to %s at once',
    async (path) => {
      const socket = connectTo(Number(new URL(office.baseUrl).port))
      const gone = closed(socket)
      let answers = ''
      socket.on('data', (data: Buffer) => {
        answers += data
      })
      socket.write(`GET ${path} HTTP/1.1\r\n${HEAD}\r\n`.repeat(MANY))
      await gone
      expect(answers.split('HTTP/1.1').length).toBeLessThan(50)
      expect((await fetch(`${office.baseUrl}/health/live`)).status).toBe(200)
    },
  )
})
