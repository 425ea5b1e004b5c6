import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { closed } from '../closed.ts'
import { freshDatabase } from '../fresh-database.ts'
import { until } from '../until.ts'
import { openProcessHarness } from './office-process.ts'

const harness = openProcessHarness()
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await harness.clear()
})

/** Opens connections that send nothing. @returns how many of them are still open */
function openIdle(port: number, count: number): () => number {
  const open = new Set<Socket>()
  for (let n = 0; n < count; n++) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    open.add(socket)
    socket.on('end', () => socket.end())
    void closed(socket).then(() => open.delete(socket))
  }
  return () => open.size
}

describe('an office that may have few files open', () => {
  it('survives a client that opens more connections than that, and answers others meanwhile', async () => {
    const database = await freshDatabase()
    onTestFinished(() => database.drop())
    const settings = { DATA_DIR: await harness.folder(), DATABASE_URL: database.connectionString }
    const office = await harness.serve({ settings, openFiles: 256 })
    const port = Number(new URL(office.url).port)
    const connections = async () => {
      const response = await fetch(`${office.url}/metrics`)
      expect(response.status).toBe(200)
      const text = await response.text()
      return (name: string) => Number(new RegExp(`^${name}(?:{.*})? (\\d+)$`, 'm').exec(text)?.[1])
    }
    const left = openIdle(port, 400)
    // each of them has been taken, and most were closed for others
    await until(() => left() < 200)
    expect((await fetch(`${office.url}/health/live`)).status).toBe(200)
    const { environment } = (await (await fetch(`${office.url}/office`)).json()) as { environment: string }
    expect(environment).toBe('test')
    await until(async () => (await connections())('http_connections_dropped_total') > 200)
    expect((await connections())('http_connections_max')).toBeLessThan(256)

    for (const socket of sockets) socket.destroy()
    await until(async () => (await connections())('http_connections_open') < 10)
    await until(async () => (await fetch(`${office.url}/health/ready`)).status === 200)
    expect(office.hasEnded()).toBe(false)
    expect((await office.stop()).code).toBe(0)
  })
})
