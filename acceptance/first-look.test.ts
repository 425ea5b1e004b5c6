import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { lookAtOffice } from './first-look.ts'

// a key made for this test alone
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgctcHFizSkfEQTqJY
QSI07FwnnwlpY72WOckcTwxF9DWhRANCAASl5Wcbs6U0M5seaq0dTO0esNdy1rQh
oDqX0nymHT24Rbd/3T5ucXFQdZvWmD1zpmwpXlLG0xa7aoIp2YDFsuID
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUCgAwIBAgIUI4r2iFhIQF2wMTLbDFVkG/LiRnAwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOb2ZmaWNlLmV4YW1wbGUwIBcNMjYxMTIzMjMzMzIxWhgPMjEy
NjEwMzAyMzMzMjFaMBkxFzAVBgNVBAMMDm9mZmljZS5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEpeVnG7OlNDObHmqtHUztHrDXcta0IaA6l9J8ph09
uEW3f90+bnFxUHWb1pg9c6ZsKV5SxtMWu2qCKdmAxbLiA6NkMGIwHQYDVR0OBBYE
FMXwqL5F1n7hvsKNr9AxdGKcnA/wMB8GA1UdIwQYMBaAFMXwqL5F1n7hvsKNr9Ax
dGKcnA/wMA8GA1UdEwEB/wQFMAMBAf8wDwYDVR0RBAgwBocEfwAAATAKBggqhkjO
PQQDAgNJADBGAiEAuJbzzTzWOFSTAuKtVMcwmxwnKQjf6kzVy932XnBgsyUCIQDg
dhwvIIHbRBLM8kztlRskFQDaC2XRgjnJYXuOntMekw==
-----END CERTIFICATE-----`

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

async function listening(made: Server): Promise<string> {
  server = made.listen(0, '127.0.0.1')
  await once(made, 'listening')
  return `127.0.0.1:${(made.address() as AddressInfo).port}`
}

/** What an office says of itself in public. */
const office =
  (environment: string, address: () => string): RequestListener =>
  (request, response) => {
    const said =
      request.url === '/office' ? { environment, version: '1.0.0' } : { servers: [{ url: address() }] }
    response.end(JSON.stringify(said))
  }

it('finds nothing to say against an office for development at its own address', async () => {
  let address = ''
  address = `http://${await listening(createServer(office('development', () => address)))}`
  await expect(lookAtOffice(address)).resolves.toBeUndefined()
})

it('says where the office takes another address for its own', async () => {
  const host = await listening(createServer(office('test', () => 'https://office.example')))
  expect(await lookAtOffice(`http://${host}`)).toMatch(
    /takes https:\/\/office\.example for its address.*BASE_URL=http:\/\/127\.0\.0\.1:\d+/,
  )
})

it('says that an office in production has no mails to read', async () => {
  const host = await listening(createServer(office('production', () => 'https://office.example')))
  await expect(lookAtOffice(`http://${host}`)).rejects.toThrow(/in production.*\/sandbox\/mail/)
})

it.each([
  ['a page', 200, '<html>'],
  ['another API', 200, '{"environment": 1}'],
  ['a proxy whose office is away', 502, '{}'],
])('says that %s is no office', async (_, status, text) => {
  const host = await listening(
    createServer((_request, response) => void response.writeHead(status).end(text)),
  )
  await expect(lookAtOffice(`http://${host}`)).rejects.toThrow(
    `no Atrium: GET /office was answered with ${status}`,
  )
})

it('says that nothing listens', async () => {
  const host = await listening(createServer())
  const closed = once(server as Server, 'close')
  server?.close()
  await closed
  await expect(lookAtOffice(`http://${host}`)).rejects.toThrow(`Nothing listens at ${host}`)
})

it('names the setting for a certificate that is not known here', async () => {
  const host = await listening(createTlsServer({ key: KEY, cert: CERTIFICATE }))
  await expect(lookAtOffice(`https://${host}`)).rejects.toThrow(
    /certificate of 127\.0\.0\.1:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS/,
  )
})

it('says which of http and https was mistaken for the other', async () => {
  const plain = await listening(createServer())
  await expect(lookAtOffice(`https://${plain}`)).rejects.toThrow('Is it http:// and not https://?')
  server?.close()
  const secured = await listening(createTlsServer({ key: KEY, cert: CERTIFICATE }))
  await expect(lookAtOffice(`http://${secured}`)).rejects.toThrow('Is it https:// and not http://?')
})
