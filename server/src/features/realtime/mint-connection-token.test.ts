import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'

const SECRET = 'a secret that only this test and its broker know'

describe('mintConnectionToken', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({
      settings: {
        BROKER_TOKEN_SECRET: SECRET,
        BROKER_PUBLIC_URL: 'wss://broker.example/connection/websocket',
      },
    })
  })
  afterAll(() => office.close())

  const identityIdOf = async (id: string) => {
    const { rows } = await office.database.pool.query('select identity_user_id from users where id = $1', [
      id,
    ])
    return rows[0].identity_user_id as string
  }

  it('signs who connects, the channels of theirs, and their organization', async () => {
    const founder = await newFounder(office)
    const before = Math.floor(office.clock.now().getTime() / 1_000)
    const { token, expiresAt, url } = await founder.browser.call('mintConnectionToken')
    const user = await identityIdOf(founder.id)
    const org = founder.organizationId

    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
    const { payload } = await jwtVerify(token, new TextEncoder().encode(SECRET))
    expect(payload).toEqual({
      sub: user,
      channels: [`user:${org}:${user}`, `org:${org}`],
      meta: { org },
      info: { sid: expect.stringMatching(/^\d+$/), membership: expect.stringMatching(/^\d+$/) },
      iat: expect.any(Number),
      exp: expiresAt,
    })
    expect(expiresAt - before).toBeGreaterThanOrEqual(600)
    expect(expiresAt - before).toBeLessThan(605)
    expect(url).toBe('wss://broker.example/connection/websocket')
  })

  it('ends with the session where that ends earlier, and so does the token for chat', async () => {
    const founder = await newFounder(office)
    const endsAt = new Date(office.clock.now().getTime() + 300_000)
    await office.database.pool.query('update sessions set absolute_expires_at = $2 where user_id = $1', [
      founder.id,
      endsAt,
    ])
    office.office.callers.forgetAll()
    const second = Math.floor(endsAt.getTime() / 1_000)
    expect((await founder.browser.call('mintConnectionToken')).expiresAt).toBe(second)
    expect(decodeJwt((await founder.browser.call('mintChatToken')).token).exp).toBe(second)
  })

  it('follows a switch of the organization', async () => {
    const founder = await newFounder(office)
    const second = await founder.browser.call('createOrganization', { name: 'Second' })
    await office.database.pool.query(
      `update sessions set active_organization_id =
         (select id from organizations where identity_organization_id = $1) where user_id = $2`,
      [second.id, founder.id],
    )
    await expect
      .poll(async () => decodeJwt((await founder.browser.call('mintConnectionToken')).token).meta)
      .toEqual({ org: second.id })
  })

  it('is refused without a session', async () => {
    expect(await office.browser().request('mintConnectionToken')).toMatchObject({ status: 401 })
  })

  it('is refused without an active organization', async () => {
    const { browser } = await newPerson(office)
    expect(await browser.request('mintConnectionToken')).toMatchObject({
      status: 403,
      body: { error: 'no-active-organization' },
    })
  })
})
