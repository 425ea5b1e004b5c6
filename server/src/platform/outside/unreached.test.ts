import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { watchUnreached } from './unreached.ts'

it.each([
  ['fetch', (url: string) => fetch(url).then((answer) => answer.text())],
  [
    "Node's own client",
    (url: string) =>
      new Promise((resolve, reject) => {
        request(url, (answer) => answer.resume().once('end', resolve))
          .once('error', reject)
          .end()
      }),
  ],
])('a host that %s cannot connect to is named until it is reached', async (_how, ask) => {
  const unreached = watchUnreached()
  onTestFinished(() => unreached.close())
  const server = createServer((_request, response) => response.end('here'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  const url = `http://127.0.0.1:${port}/secret-path`
  for (let n = 0; n < 2; n += 1) await expect(ask(url)).rejects.toThrow()
  const host = `127.0.0.1:${port}`
  expect(unreached.list()).toEqual([{ host, code: 'ECONNREFUSED', times: 2 }])
  onTestFinished(() => void server.close())
  await once(server.listen(port, '127.0.0.1'), 'listening')
  await ask(url)
  await expect.poll(() => unreached.list(), { timeout: 10_000 }).toEqual([])
})

it('a bounded number of hosts is named, the latest', async () => {
  const unreached = watchUnreached()
  onTestFinished(() => unreached.close())
  const failed = channel('undici:client:connectError')
  for (let n = 0; n < 200; n += 1)
    failed.publish({ connectParams: { host: `host-${n}.example:443` }, error: { code: 'ENOTFOUND' } })
  expect(unreached.list()).toHaveLength(50)
  expect(unreached.list().at(-1)).toEqual({ host: 'host-199.example:443', code: 'ENOTFOUND', times: 1 })
})
