import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SignalRequest } from '@livekit/protocol'
import { expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openSignal, type Signal } from './signal.ts'

const A_MINUTE_MS = 60_000
const PING = new SignalRequest({ message: { case: 'ping', value: 1n } }).toBinary()

it('a socket that rests is read again when it closes: before one that was closed earlier and has no answer', async () => {
  const server = new WebSocketServer({ port: 0, closeTimeout: 2_000 } as object)
  await once(server, 'listening')
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const enter = async (): Promise<{ client: WebSocket; signal: Signal; closed: Promise<void> }> => {
    const client = new WebSocket(url)
    const [socket] = await once(server, 'connection')
    const signal = openSignal(socket, { charge: () => A_MINUTE_MS, onFault: () => {} })
    if (client.readyState !== WebSocket.OPEN) await once(client, 'open')
    return { client, signal, closed: new Promise((resolve) => signal.onClose(resolve)) }
  }
  const [silent, resting] = [await enter(), await enter()]
  silent.client.pause()
  silent.signal.close()
  resting.client.send(PING)
  // the answer: it was read, and rests
  await once(resting.client, 'message')
  resting.signal.close()
  const first = await Promise.race([
    resting.closed.then(() => 'answered'),
    silent.closed.then(() => 'cut off'),
  ])
  expect(first).toBe('answered')
  silent.client.terminate()
  server.close()
})
