import { isSafe, serviceTokenScopes } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Directory, newDirectory } from '../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { type RecordedLog, recordedLog } from '../../../tests/recorded-log.ts'
import { eventually } from '../../../tests/until.ts'
import { newBearerToken } from '../../access/bearers/bearer-token.ts'
import { endpoints, unsupported } from './endpoints.ts'

const all = [...endpoints, ...unsupported].map(({ method, url }) => ({ method, url }))
const REFUSED = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: '401',
  detail: 'This token is missing, unknown or was revoked',
}

/** Everything that is served there, by the rules of the guard. */
describe('the guard', () => {
  let office: TestOffice
  let recorded: RecordedLog
  let directory: Directory
  /** Of the same organization, for everything that a program may; then one that was revoked, and one that has ended. */
  let others: string[]
  beforeAll(async () => {
    recorded = recordedLog()
    office = await openTestOffice({
      log: recorded.log,
      settings: { RATE_LIMIT_PER_DIRECTORY: '100000', RATE_LIMIT_PER_TOKEN: '0' },
    })
    directory = await newDirectory(office)
    const { browser } = directory.founder
    const service = await browser.call('createServiceToken', {
      name: 'All',
      operations: [...serviceTokenScopes],
    })
    const revoked = await browser.call('createDirectoryConnection', { name: 'Revoked' })
    await browser.call('revokeDirectoryConnection', { id: revoked.id })
    const ended = await browser.call('createDirectoryConnection', { name: 'Ended' })
    await office.database.pool.query('update bearer_tokens set expires_at = created_at where id = $1', [
      ended.id,
    ])
    others = [service.token, revoked.token, ended.token, newBearerToken('scim'), newBearerToken('service')]
  })
  afterAll(() => office.close())

  const at = (url: string) => `${office.baseUrl}/scim/v2${url.replaceAll(/:\w+/g, '1')}`

  it('is asked about every resource of the standard', () => {
    expect(all.map(({ method, url }) => `${method} ${url}`)).toEqual(
      expect.arrayContaining([
        'GET /Users',
        'PATCH /Groups/:id',
        'POST /.search',
        'GET /Schemas/:id',
        'POST /Bulk',
      ]),
    )
    expect(new Set(all.map(({ method, url }) => `${method} ${url}`)).size).toBe(all.length)
  })

  describe.each(all)('of $method $url', ({ method, url }) => {
    it('lets in no other bearer, and no session, whatever the body', async () => {
      const cookie = `atrium_session=${directory.founder.cookie}`
      const broken = isSafe(method) ? {} : { body: '{"broken' }
      const type = isSafe(method) ? {} : { 'content-type': 'application/scim+json' }
      for (const bearer of [undefined, '', 'nope', directory.founder.cookie, ...others]) {
        const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
        const headers = { cookie, ...type, ...authorization }
        const answer = await fetch(at(url), { method, headers, ...broken })
        expect([answer.status, await answer.json()], bearer).toEqual([401, REFUSED])
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      }
    })

    it('knows the owner of the token: a call of their budget, and their name in the log', async () => {
      const answer = await fetch(at(url), { method, headers: { authorization: `Bearer ${directory.token}` } })
      expect(answer.status).not.toBe(401)
      expect(answer.headers.get('ratelimit-limit')).toBe('100000')
      const found = () =>
        recorded.lines.some(
          (line) =>
            line.requestId === answer.headers.get('x-request-id') && line.program === directory.connectionId,
        )
      await eventually('a line of the log', 30_000, () => found())
    })
  })

  it('takes nothing of what service tokens may call', async () => {
    const { browser } = directory.founder
    const { token } = await browser.call('createServiceToken', { name: 'One', operations: ['listMembers'] })
    const narrow = await openTestOffice({
      beside: office,
      settings: { RATE_LIMIT_PER_TOKEN: '1', RATE_LIMIT_PER_DIRECTORY: '100000' },
    })
    try {
      for (let calls = 0; calls < 3; calls++) {
        const headers = { authorization: `Bearer ${directory.token}` }
        expect((await fetch(`${narrow.baseUrl}/scim/v2/Schemas`, { headers })).status).toBe(200)
      }
      const { data } = await narrow.program(token).call('listMembers')
      expect(data.length).toBeGreaterThan(0)
    } finally {
      await narrow.close()
    }
  })
})
