import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serveImageCheck } from './image-check-server.ts'

const BOUND_MS = 10_000

it('is beyond repair where a check takes longer than ten seconds, and no sooner', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const told: string[] = []
  const { server } = await serveImageCheck({
    host: '127.0.0.1',
    port: 0,
    onFatal: ({ message }) => told.push(message),
  })
  onTestFinished(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('POST /check HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf')
  while (vi.getTimerCount() === 0) await pause(10)

  vi.advanceTimersByTime(BOUND_MS - 1)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['a check is stuck'])
})
