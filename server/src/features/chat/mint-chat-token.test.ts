import { CHAT_DATA_PATH, CHAT_FUNCTIONS, CHAT_TABLES } from '@atrium/contract'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, newPerson } from '../../../tests/people.ts'

const SECRET = 'the secret that signs the tokens of chat'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice({ settings: { CHAT_TOKEN_SECRET: SECRET } })
})
afterAll(() => office.close())

describe('mintChatToken', () => {
  it('gives access to everything that the reference names', async () => {
    const { browser } = await newFounder(office)
    const { token } = await browser.call('mintChatToken')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${office.baseUrl}${CHAT_DATA_PATH}/${path}`, { ...init, headers })
    for (const name of CHAT_TABLES) expect((await ask(name)).status, name).toBe(200)
    for (const name of CHAT_FUNCTIONS) {
      const answer = await ask(`rpc/${name}`, { method: 'POST', body: '{}' })
      expect([200, 404], name).toContain(answer.status)
      // without its parameters a function is not found, as PostgREST has it; that there is one is its hint
      if (answer.status === 404) expect(await answer.text(), name).toContain(`public.${name}`)
    }
  })

  it('signs the claims of the interface, and what it was minted from, for an hour', async () => {
    const founder = await newFounder(office)
    const guest = await newMember(office, founder, 'guest')
    const { token, ...rest } = await guest.browser.call('mintChatToken')
    expect(rest).toEqual({})
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
    const { payload } = await jwtVerify(token, new TextEncoder().encode(SECRET), {
      currentDate: office.clock.now(),
    })
    const { rows } = await office.database.pool.query(
      'select id from organizations where identity_organization_id = $1',
      [founder.organizationId],
    )
    const { iat, exp } = payload
    expect(payload).toEqual({
      aud: 'authenticated',
      role: 'authenticated',
      iat,
      exp,
      user_id: guest.id,
      org_id: rows[0].id,
      // beside those of the interface: what it ends with
      sid: expect.stringMatching(/^\d+$/),
      membership: expect.stringMatching(/^\d+$/),
    })
    expect(exp).toBe((iat as number) + 3_600)
    expect(Math.abs((iat as number) - office.clock.now().getTime() / 1_000)).toBeLessThan(10)
  })

  it('is for those who are signed in and at work in an organization', async () => {
    expect((await office.browser().request('mintChatToken')).status).toBe(401)
    const newcomer = await newPerson(office)
    const refused = await newcomer.browser.request('mintChatToken')
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ error: 'no-active-organization' })
  })

  it('follows a switch of the organization', async () => {
    const founder = await newFounder(office, 'First')
    const before = await founder.browser.call('mintChatToken')
    const { id } = await founder.browser.call('createOrganization', { name: 'Second' })
    await founder.browser.call('switchOrganization', { email: founder.email, organizationId: id })
    const after = await founder.browser.call('mintChatToken')
    const orgOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()).org_id
    expect(orgOf(after.token)).not.toBe(orgOf(before.token))
  })
})
