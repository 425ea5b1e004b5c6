import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Exchanges, recordExchanges } from './exchanges.ts'

const TOKEN = 'pat_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
const JWT = 'eyJhbGciOiJkaXIifQ.secretpart.signature'

let server: Server
let url: string
const send = globalThis.fetch
beforeAll(async () => {
  server = createServer((_, response) => {
    response.setHeader('set-cookie', [
      `atrium_session=${TOKEN}; Max-Age=60; Path=/; HttpOnly`,
      'a.sig=secretvalue',
    ])
    response.setHeader('content-type', 'application/json')
    const redirectURL = `https://elsewhere.example/?state=${TOKEN}&scope=openid`
    response.end(
      JSON.stringify({
        code: 200,
        token: JWT,
        redirectURL,
        text: `see ${JWT}`,
        state: 'pending',
        name: 'Ada',
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  globalThis.fetch = send
  server.close()
})

let exchanges: Exchanges
beforeAll(() => {
  exchanges = recordExchanges()
})

it('shows what was sent and answered, with four characters of what is secret', async () => {
  const answer = await fetch(`${url}/auth/x?invite_token=${TOKEN}&limit=5`, {
    method: 'POST',
    headers: {
      'content-type': 'text/csv',
      cookie: `atrium_session=${TOKEN}; a.sig=secretvalue`,
      authorization: `Bearer ${JWT}`,
    },
    body: JSON.stringify({ email: 'ada@example.com', code: '123456', pendingAuthenticationToken: TOKEN }),
  })
  await fetch(`${url}/sandbox/mail`)
  expect(((await answer.json()) as { name: string }).name).toBe('Ada')
  expect(exchanges.take()).toEqual([
    '      POST /auth/x?invite_token=pat_…&limit=5 {"email":"ada@example.com","code":"…","pendingAuthenticationToken":"pat_…"}',
    '        authorization: Bearer eyJh…',
    '        cookie: atrium_session=pat_…; a.sig=secr…',
    '        content-type: text/csv',
    '      → 200 {"code":200,"token":"eyJh…","redirectURL":"https://elsewhere.example/?state=pat_…&scope=openid","text":"see eyJh…","state":"pending","name":"Ada"}',
    '        set-cookie: atrium_session=pat_…; Max-Age=60; Path=/; HttpOnly',
    '        set-cookie: a.sig=secr…',
  ])
  expect(exchanges.take()).toEqual([])
})

it('shows nothing of a secret that is short, and hides the first field of a form too', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const shown = async (path: string, body: string) => {
    await fetch(url + path, { method: 'POST', headers, body })
    return exchanges.take()[0]
  }
  expect(await shown('/token?code=123456', `code=${TOKEN}&state=12345678&grant_type=refresh`)).toBe(
    '      POST /token?code=… code=pat_…&state=…&grant_type=refresh',
  )
  expect(await shown('/token', 'refresh_token=123456789&code=&scope=openid')).toBe(
    '      POST /token refresh_token=1234…&code=&scope=openid',
  )
})
