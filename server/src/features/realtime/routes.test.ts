import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

const SECRET = 'what the broker sends to show that it is the broker'

describe('POST /internal/broker/subscribe', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({
      settings: { BROKER_PROXY_SECRET: SECRET, BROKER_PROXY_SECRET_PREVIOUS: 'the one before, an older one' },
    })
  })
  afterAll(() => office.close())

  const post = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = { 'x-broker-proxy-secret': SECRET },
  ) => {
    const response = await fetch(`${office.baseUrl}/internal/broker/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  /** As Centrifugo asks. */
  const ask = (channel: string, meta?: unknown) =>
    post(
      JSON.stringify({
        client: '9336a229-2400-4ebc-8c50-0a643d22e8a0',
        transport: 'websocket',
        protocol: 'json',
        encoding: 'json',
        user: 'user_1',
        channel,
        ...(meta === undefined ? {} : { meta }),
      }),
    )
  const denied = { status: 200, body: { error: { code: 403, message: 'permission denied' } } }
  const notAllowed = { status: 200, body: { error: { code: 403, message: 'channel not allowed' } } }

  it('takes every secret that is set, for the broker may still send a former one', async () => {
    const body = JSON.stringify({ channel: 'x:y' })
    for (const known of [SECRET, 'the one before', 'an older one'])
      expect((await post(body, { 'x-broker-proxy-secret': known })).status).toBe(200)
    for (const unknown of ['the one before, an older one', 'the one', ''])
      expect((await post(body, { 'x-broker-proxy-secret': unknown })).status).toBe(401)
  })

  it('allows the status of anybody in the organization of the connection', async () => {
    expect(await ask('status:org_1:user_2', { org: 'org_1' })).toEqual({ status: 200, body: { result: {} } })
  })

  it.each([
    ['another organization', 'status:org_2:user_2', { org: 'org_1' }],
    ['an empty organization', 'status:org_1:user_2', { org: '' }],
    ['two empty organizations', 'status::user_2', { org: '' }],
    ['no organization', 'status:org_1:user_2', {}],
    ['no meta', 'status:org_1:user_2', undefined],
    ['meta of another type', 'status:org_1:user_2', 'org_1'],
    ['null as meta', 'status:org_1:user_2', null],
    ['an organization of another type', 'status:org_1:user_2', { org: ['org_1'] }],
    ['an inherited organization', 'status:org_1:user_2', JSON.parse('{"__proto__": {"org": "org_1"}}')],
  ])('denies the status for %s', async (_, channel, meta) => {
    expect(await ask(channel, meta)).toEqual(denied)
  })

  it('refuses a body that is not UTF-8, or is said to be encoded', async () => {
    const body = (more: string) =>
      Buffer.from(`{"channel":"status:org_1:user_2","meta":{"org":"org_1"}${more}}`)
    const notUtf8 = body(',"x":"\u00ff"').map((byte) => (byte === 0xc3 ? 0xff : byte))
    expect(await post(notUtf8)).toMatchObject({ status: 400, body: { error: 'malformed-request' } })
    const headers = { 'x-broker-proxy-secret': SECRET, 'content-encoding': 'gzip' }
    expect(await post(body(''), headers)).toMatchObject({ status: 415, body: { error: 'encoded-body' } })
  })

  it.each([
    'status:',
    'status:org_1',
    'status:org_1:',
    'status::user_2',
    'status:org_1:a:b',
    'status:org_1:user 2',
    'status:org_1:usér',
    'status:org_1:user_2\n',
    'status:org_1:*',
  ])('denies the malformed name %j', async (channel) => {
    expect(await ask(channel, { org: 'org_1' })).toEqual(denied)
  })

  it.each(['', 'status', 'org:org_1', 'user:org_1:user_1', 'statuses:org_1:user_1', ' status:org_1:user_1'])(
    'knows no subscription to %j',
    async (channel) => {
      expect(await ask(channel, { org: 'org_1' })).toEqual(notAllowed)
    },
  )

  it.each([
    ['missing', {}],
    ['empty', { 'x-broker-proxy-secret': '' }],
    ['shorter', { 'x-broker-proxy-secret': SECRET.slice(1) }],
    ['longer', { 'x-broker-proxy-secret': `${SECRET} x` }],
    ['another', { 'x-broker-proxy-secret': SECRET.replace('w', 'v') }],
  ])('refuses a secret that is %s, whatever the body', async (_, headers: Record<string, string>) => {
    const allowed = JSON.stringify({ channel: 'status:org_1:user_2', meta: { org: 'org_1' } })
    for (const body of [allowed, 'no json at all', ''])
      expect(await post(body, headers)).toMatchObject({ status: 401, body: { code: 401 } })
  })

  it.each([
    '',
    'no json at all',
    '{"channel":',
    '[]',
    '7',
    'null',
    '"status:org_1:user_2"',
    '{}',
    '{"channel":7}',
  ])('answers the body %j with 400', async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 400 } })
  })

  it('reads JSON whatever the content type says', async () => {
    const body = JSON.stringify({ channel: 'status:org_1:user_2', meta: { org: 'org_1' } })
    expect(await post(body, { 'x-broker-proxy-secret': SECRET, 'content-type': 'text/plain' })).toEqual({
      status: 200,
      body: { result: {} },
    })
  })

  it('takes what the broker makes of the largest frame of a client', async () => {
    const data = 'x'.repeat(128 * 1024)
    const asked = { user: 'user_1', channel: 'status:org_1:user_2', meta: { org: 'org_1' }, data }
    expect(await post(JSON.stringify(asked))).toEqual({ status: 200, body: { result: {} } })
  })

  it.each<[string, string, object]>([
    ['a channel without end', `status:org_1:${'u'.repeat(60_000)}`, {}],
    ['a channel of marks', `status:org_1:a${'\u0301'.repeat(60_000)}`, {}],
    [
      'lists without end',
      'status:org_1:user_2',
      { data: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) },
    ],
    ['a wide meta', 'status:org_1:user_2', { meta: { org: 'org_1', more: Array(20_000).fill(1) } }],
    ['a long organization', 'status:org_1:user_2', { meta: { org: 'o'.repeat(16_385) } }],
  ])('denies %s with its 200', async (_case, channel, more) => {
    const asked = { user: 'user_1', channel, meta: { org: 'org_1' }, ...more }
    expect(await post(JSON.stringify(asked))).toEqual(denied)
  })

  it('denies a channel of another kind by its kind, whatever else there is', async () => {
    const asked = { channel: 'org:org_1', meta: { org: 'o'.repeat(60_000) } }
    expect(await post(JSON.stringify(asked))).toEqual(notAllowed)
  })

  it('names no request where none is logged', async () => {
    expect((await post('{')).body).not.toHaveProperty('requestId')
  })
})
