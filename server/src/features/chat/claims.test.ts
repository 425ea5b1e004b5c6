import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf } from '../../../tests/chapters/chat.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'

const SECRET = 'the secret that signs the tokens of chat'
const BROKER_SECRET = 'the secret that signs connection tokens'

let office: TestOffice
let ada: Chatter
beforeAll(async () => {
  office = await openTestOffice({
    settings: { CHAT_TOKEN_SECRET: SECRET, BROKER_TOKEN_SECRET: BROKER_SECRET },
  })
  ada = await chatterOf(office, await newFounder(office))
})
afterAll(() => office.close())

const ask = async (authorization: string | undefined, path = 'messages') => {
  const answer = await fetch(`${office.baseUrl}/rest/v1/${path}`, {
    headers: authorization === undefined ? {} : { authorization },
  })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function sign(claims: Record<string, unknown>, { secret = SECRET, alg = 'HS256', hash = 'sha256' } = {}) {
  const text = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}

describe('a bearer token', () => {
  it('of the office is taken, again and again', async () => {
    for (let n = 0; n < 3; n++) expect((await ask(`Bearer ${ada.token}`)).status).toBe(200)
    expect((await ask(`bearer ${sign(claimsOf(ada.token))}`)).status).toBe(200)
  })

  it('is needed, even where there is nothing', async () => {
    for (const path of ['messages', 'rpc/get_recent_dms', 'users', 'a/b/c']) {
      const { status, body, headers } = await ask(undefined, path)
      expect(status).toBe(401)
      expect(body).toEqual({ code: 'PGRST302', message: expect.any(String), details: null, hint: null })
      expect(headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  it('is no cookie', async () => {
    const answer = await fetch(`${office.baseUrl}/rest/v1/messages`, {
      headers: { cookie: `atrium_session=${ada.cookie}` },
    })
    expect(answer.status).toBe(401)
  })

  const good = () => claimsOf(ada.token)
  it.each<[string, () => string | Promise<string>]>([
    ['another secret', () => sign(good(), { secret: 'x'.repeat(40) })],
    ['an empty secret', () => sign(good(), { secret: '' })],
    ['no signature', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(good())}.`],
    ['another algorithm', () => sign(good(), { alg: 'HS512', hash: 'sha512' })],
    ['an algorithm that the signature is not of', () => sign(good(), { alg: 'HS384' })],
    [
      'changed claims',
      () => {
        const [head, , signature] = ada.token.split('.')
        return `${head}.${encode({ ...good(), user_id: '2' })}.${signature}`
      },
    ],
    ['another audience', () => sign({ ...good(), aud: 'anon' })],
    ['no audience', () => sign({ ...good(), aud: undefined })],
    ['another role', () => sign({ ...good(), role: 'postgres' })],
    ['no role', () => sign({ ...good(), role: undefined })],
    ['no end', () => sign({ ...good(), exp: undefined })],
    ['no beginning', () => sign({ ...good(), iat: undefined })],
    ['a user that is a number', () => sign({ ...good(), user_id: 1 })],
    ['a user that is SQL', () => sign({ ...good(), user_id: '1 or true' })],
    ['no organization', () => sign({ ...good(), org_id: undefined })],
    ['an id beyond all ids', () => sign({ ...good(), org_id: '9999999999999999999' })],
    ['an end in the past', () => sign({ ...good(), exp: 1_000_000 })],
    [
      'the claims and the secret of a connection to the broker',
      async () => (await ada.browser.call('mintConnectionToken')).token,
    ],
    [
      'the secret of the broker',
      () =>
        new SignJWT(good())
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(BROKER_SECRET)),
    ],
    ['too many characters', () => sign({ ...good(), more: 'x'.repeat(5_000) })],
    ['nothing like a token', () => 'hello'],
  ])('with %s is refused', async (_name, token) => {
    const { status, body } = await ask(`Bearer ${await token()}`)
    expect(status).toBe(401)
    expect(body).toEqual({
      code: expect.stringMatching(/^PGRST30[13]$/),
      message: expect.any(String),
      details: null,
      hint: null,
    })
  })

  it('ends after an hour, also where it was known', async () => {
    const eve = await chatterOf(office, await newFounder(office))
    expect((await ask(`Bearer ${eve.token}`)).status).toBe(200)
    office.clock.advance(3_598)
    expect((await ask(`Bearer ${eve.token}`)).status).toBe(200)
    office.clock.advance(4)
    const { status, body, headers } = await ask(`Bearer ${eve.token}`)
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'PGRST303', message: 'JWT expired' })
    expect(headers.get('www-authenticate')).toContain('invalid_token')
    office.clock.advance(-3_602)
  })
})
