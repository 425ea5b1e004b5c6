import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Agent, fetch } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { type SeenCertificates, watchCertificates } from './certificates.ts'

// used by this test only
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsgxlgC6bfO5Vdk61
QeDgA6Wu71wH5id31dr3yipeYK+hRANCAARTeDwg3/OVpwLajcLKQk6pA5KLKPT5
PDLdmHfYHkZbz8iiMjlz8evc56g7aRlSg5c808azp6VL5Z3Seg1oJfLU
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUCgAwIBAgIUPQhEYxgUhd9lpKYRVtHT4XvnBVQwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOaXNzdWVyLmV4YW1wbGUwIBcNMjYxMTIzMDUxMTU2WhgPMjEy
NjEwMzAwNTExNTZaMBkxFzAVBgNVBAMMDmlzc3Vlci5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEU3g8IN/zlacC2o3CykJOqQOSiyj0+Twy3Zh32B5G
W8/IojI5c/Hr3OeoO2kZUoOXPNPGs6elS+Wd0noNaCXy1KNkMGIwHQYDVR0OBBYE
FOPWpoVT96kL6J6WeislG7leYJkzMB8GA1UdIwQYMBaAFOPWpoVT96kL6J6Weisl
G7leYJkzMA8GA1UdEwEB/wQFMAMBAf8wDwYDVR0RBAgwBocEfwAAATAKBggqhkjO
PQQDAgNIADBFAiEA+BRMsy5Dix+smOoPJfXyKx+CyehTKGlvuxUAkQQjtOECIC6j
Ho68B34fgJArch00jyDjgoGLw+17xc3/GRi+pk+k
-----END CERTIFICATE-----`
const EXPIRES = Date.parse('Oct 30 05:11:56 2126 GMT')
const DAY_MS = 24 * 60 * 60_000

let server: Server
let dispatcher: Agent
let certificates: SeenCertificates
let now: number
const { log, lines } = recordedLog()

beforeEach(async () => {
  lines.length = 0
  now = EXPIRES - 100 * DAY_MS
  certificates = watchCertificates({ clock: { now: () => new Date(now) }, log })
  server = createServer({ key: KEY, cert: CERTIFICATE }, (_request, response) => void response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  certificates.close()
  await dispatcher.close()
  server.closeAllConnections()
  server.close()
})

/** Over a connection of its own. */
async function call(): Promise<void> {
  dispatcher = new Agent({ connect: { ca: CERTIFICATE } })
  const { port } = server.address() as AddressInfo
  await (await fetch(`https://127.0.0.1:${port}/`, { dispatcher })).text()
}

describe('certificates of services outside', () => {
  it('are known by when the first of them expires, for a day', async () => {
    expect(certificates.firstExpiry()).toBe(0)
    await call()
    expect(certificates.firstExpiry()).toBe(EXPIRES / 1_000)
    expect(lines).toEqual([])
    now += 2 * DAY_MS
    expect(certificates.firstExpiry()).toBe(0)
  })

  it('that expire soon are named in the log, once a day', async () => {
    now = EXPIRES - 13 * DAY_MS
    await call()
    await dispatcher.close()
    await call()
    expect(lines).toMatchObject([{ level: 40, host: expect.stringMatching(/^127\.0\.0\.1:/) }])
    expect(lines[0]?.expires).toBe(new Date(EXPIRES).toISOString())
    now += 2 * DAY_MS
    await dispatcher.close()
    await call()
    expect(lines).toHaveLength(2)
  })
})
