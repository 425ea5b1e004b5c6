import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { closed } from '../../../tests/closed.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { closeServer } from './connections/close-server.ts'
import { createServer } from './server.ts'

describe('a server that is closed', () => {
  /** A server with a route that answers when it is told to. */
  async function openSlow() {
    const slow = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure: false })
    const release = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    slow.get('/slow', async () => {
      arrived.resolve()
      await release.promise
      return { done: true }
    })
    slow.post('/refused', { onRequest: (_request, reply) => void reply.code(401).send({}) }, async () => ({}))
    slow.get('/quick', async () => ({ quick: true }))
    const at = await slow.listen({ port: 0, host: '127.0.0.1' })
    const isOpen = () =>
      fetch(`${at}/quick`).then(
        () => true,
        () => false,
      )
    return {
      slow,
      at,
      port: Number(new URL(at).port),
      isOpen,
      release: release.resolve,
      arrived: arrived.promise,
    }
  }

  it('lets what is under way finish, says that it was the last, and waits for no idle connection', async () => {
    const { slow, at, port, isOpen, release, arrived } = await openSlow()
    const unused = connect(port, '127.0.0.1')
    unused.on('error', () => {})
    await once(unused, 'connect')
    expect(await isOpen()).toBe(true)

    const pending = fetch(`${at}/slow`)
    await arrived
    const closed = slow.close()
    await expect.poll(isOpen).toBe(false)
    release()
    const answer = await pending
    expect(await answer.json()).toEqual({ done: true })
    expect(answer.headers.get('connection')).toBe('close')
    await closed
  })

  it('waits for no connection that was answered before its request had come whole', async () => {
    const { slow, port } = await openSlow()
    const arrived = once(slow.server, 'connection')
    const early = connect(port, '127.0.0.1')
    early.on('error', () => {})
    const head = 'POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n'
    early.write(head)
    const [socket] = (await arrived) as [Socket]
    const [answer] = await once(early, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
    expect(String(answer)).toMatch(/\r\nconnection: keep-alive\r\n/i)
    early.write('the rest')
    await expect.poll(() => socket.bytesRead).toBe(head.length + 8)
    const recorded = recordedLog()
    await closeServer(slow, 30_000, recorded.log)
    expect(recorded.lines).toEqual([])
    await closed(early)
  })

  it('cuts off, after the time given to them, requests that hang', async () => {
    const { slow, at, arrived } = await openSlow()
    const recorded = recordedLog()
    const pending = fetch(`${at}/slow`).then(
      () => 'answered',
      () => 'cut',
    )
    await arrived
    await closeServer(slow, 300, recorded.log)
    expect(await pending).toBe('cut')
    expect(recorded.lines).toMatchObject([{ msg: expect.stringContaining('cut off') }])
  })

  it('serves who has just connected and is about to ask', async () => {
    const { slow, port, isOpen } = await openSlow()
    const late = connect(port, '127.0.0.1')
    let answer = ''
    late.on('data', (chunk) => (answer += chunk))
    late.on('error', () => {})
    const connections = () =>
      new Promise((resolve) => slow.server.getConnections((_error, count) => resolve(count)))
    await expect.poll(connections).toBe(1)
    const closing = slow.close()
    await expect.poll(isOpen, { interval: 10 }).toBe(false)
    await new Promise((resolve) => setTimeout(resolve, 120))
    late.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
    await closed(late)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    await closing
  })
})
