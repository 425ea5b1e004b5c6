import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublicAddress, publicFetch } from './public-fetch.ts'

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1'])('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
  it.each([
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.168.0.1'],
    ...[
      '192.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '255.255.255.255',
    ],
    ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', 'fe80::1', 'fc00::1', 'fec0::1'],
    ...['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', '2001:db8::1', 'ff02::1', '4000::1'],
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('publicFetch', () => {
  let server: Server
  let port: number
  let connections = 0
  beforeAll(async () => {
    server = createServer((_request, response) => response.end('inside')).listen(0, '127.0.0.1')
    server.on('connection', () => (connections += 1))
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(async () => {
    server.close()
    await once(server, 'close')
  })

  const causeOf = async (asking: Promise<unknown>) => {
    const error = await asking.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    const { cause, message } = error as Error
    return String(cause ?? message)
  }

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0', '169.254.169.254'])(
    'does not connect to %s',
    async (host) => {
      const before = connections
      expect(await causeOf(publicFetch()(`https://${host}:${port}/`, {}))).toContain('which is not public')
      expect(connections).toBe(before)
    },
  )

  it.each([
    ['leads inside', ['127.0.0.1']],
    ['leads inside and outside', ['93.184.216.34', '127.0.0.1']],
    ['leads inside by IPv6', ['::1']],
  ])('does not connect to a name that %s', async (_, found) => {
    const before = connections
    const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const lookup = (_name: string, _options: object, callback: (error: null, found: unknown) => void) =>
      callback(null, addresses)
    const asking = publicFetch({ lookup: lookup as never })(`https://login.example:${port}/`, {})
    expect(await causeOf(asking)).toContain(`login.example is at ${found.at(-1)}, which is not public`)
    expect(connections).toBe(before)
  })

  it('asks for the address anew for each connection: what was public a moment ago is judged again', async () => {
    const answers = ['93.184.216.34', '127.0.0.1']
    const names: string[] = []
    const lookup = (
      name: string,
      _options: object,
      callback: (error: Error | null, found: unknown) => void,
    ) => {
      names.push(name)
      const address = answers.shift() ?? '127.0.0.1'
      // the first one is not really connected to
      if (address !== '127.0.0.1') callback(new Error('nobody there'), [])
      else callback(null, [{ address, family: 4 }])
    }
    const fetchIt = publicFetch({ lookup: lookup as never })
    expect(await causeOf(fetchIt('https://login.example/', {}))).toContain('nobody there')
    expect(await causeOf(fetchIt('https://login.example/', {}))).toContain('which is not public')
    expect(names).toEqual(['login.example', 'login.example'])
  })

  it.each(['http://login.example/', 'ftp://login.example/', 'file:///etc/passwd', 'data:text/plain,x'])(
    'does not take %s',
    async (url) => {
      expect(await causeOf(publicFetch()(url, {}))).toContain('is not reached by https')
    },
  )
})
