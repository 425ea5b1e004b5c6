import { type Operation, operationEntries, SCIM_ACCESS, serviceTokenScopes } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { rows } from '../../../tests/operations/rows.ts'
import { type Stage, setStage } from '../../../tests/operations/stage.ts'
import { admit } from '../guard.ts'
import { newBearerToken } from './bearer-token.ts'

const guarded = operationEntries.filter(([, { access }]) => access.kind !== 'public')
const open = guarded.filter(([, { access }]) => access.kind === 'organization' && access.serviceTokens)
const forPeople = guarded.filter((entry) => !open.includes(entry))

/** Every operation of the contract, by the rules that hold for bearers. */
describe('bearers', () => {
  let office: TestOffice
  let beside: TestOffice
  let stage: Stage
  /** Made for all that there is to be made for. */
  let token: string
  beforeAll(async () => {
    office = await openTestOffice()
    beside = await openTestOffice({ beside: office })
    stage = await setStage(office)
    token = (await stage.serviceToken(...serviceTokenScopes)).token
  })
  afterAll(async () => {
    await beside.close()
    await office.close()
  })

  async function send(
    [, { method, path }]: (typeof guarded)[number],
    bearer: string,
    {
      headers = {},
      body,
      at = office,
    }: { headers?: Record<string, string>; body?: object | string; at?: TestOffice } = {},
  ) {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const response = await fetch(at.baseUrl + path.replaceAll(/\{\w+\}/g, '1'), {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: text ?? null,
    })
    const answered = await response.text()
    return {
      status: response.status,
      body: answered === '' ? undefined : JSON.parse(answered),
      cookies: response.headers.getSetCookie(),
    }
  }

  it('are taken by exactly the operations of an organization that say so', () => {
    expect(open.map(([id]) => id).sort()).toEqual([...serviceTokenScopes].sort())
    expect(open.length).toBeGreaterThanOrEqual(10)
  })

  it.each(guarded)(
    '%s answers 401 to one that is none of ours, beside a good session too',
    async (...entry) => {
      const cookie = `atrium_session=${stage.founder.cookie}`
      const body = entry[1].method === 'GET' ? {} : { body: '{"broken' }
      for (const bearer of [
        '',
        'nope',
        stage.founder.cookie,
        newBearerToken('service'),
        newBearerToken('scim'),
      ])
        expect(await send(entry, bearer, { headers: { cookie }, ...body })).toMatchObject({
          status: 401,
          body: { error: 'unauthenticated' },
        })
    },
  )

  it.each(forPeople)('%s is for people: 403, whatever the body', async (...entry) => {
    const body = entry[1].method === 'GET' ? {} : { body: '{"broken' }
    expect(await send(entry, token, body)).toMatchObject({
      status: 403,
      body: { error: 'token-not-allowed', message: expect.stringContaining('for people') },
    })
  })

  it.each(open)('%s is refused to a token that was made for another one', async (...entry) => {
    const others = serviceTokenScopes.filter((id) => id !== entry[0])
    const narrow = await stage.serviceToken(...others)
    expect(await send(entry, narrow.token, { body: '{"broken' })).toMatchObject({
      status: 403,
      body: { error: 'token-not-allowed', message: expect.stringContaining('not made for') },
    })
  })

  it.each(open)('%s succeeds with a token alone, from wherever no page sends it', async (...entry) => {
    const input = (await rows[entry[0]].input?.(stage, stage.founder)) ?? {}
    const answer = await send(entry, token, { body: input, headers: { 'sec-fetch-site': 'none' } })
    expect(Object.keys(entry[1].replies).map(Number), JSON.stringify(answer.body)).toContain(answer.status)
    // no session comes of it, and no other token
    expect(answer.cookies).toEqual([])
    expect(JSON.stringify(answer.body ?? null)).not.toMatch(/atr_|atrscim_|whsec_|inv_/)
  })

  it.each(open)('%s refuses one that was revoked or has expired, on every node', async (...entry) => {
    const [revoked, expired] = [await stage.serviceToken(entry[0]), await stage.serviceToken(entry[0])]
    const statuses = async (bearer: string) => {
      const answers = [office, beside].map((at) => send(entry, bearer, { at, body: '{"broken' }))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    // past the guard: it is the body that is refused
    for (const one of [revoked, expired]) expect(await statuses(one.token)).toEqual([400, 400])
    await stage.founder.browser.call('revokeServiceToken', { id: revoked.id })
    await office.database.pool.query('update bearer_tokens set expires_at = $2 where id = $1', [
      ...[expired.id, office.clock.now()],
    ])
    for (const one of [revoked, expired]) expect(await statuses(one.token)).toEqual([401, 401])
  })

  it.each(open)('%s takes no form', async (...entry) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await send(entry, token, { headers, body: 'a=b' })).toMatchObject({ status: 415 })
  })

  it('are refused to pages of other origins all the same', async () => {
    const [entry] = open
    if (!entry) throw new Error('no operation takes tokens')
    const headers = { origin: 'https://evil.example' }
    expect(await send(entry, token, { headers })).toMatchObject({
      status: 403,
      body: { error: 'cross-site' },
    })
  })

  it('of an operation for directories is theirs alone, and no session is taken there', async () => {
    const { needs, access } = office.office
    const guard = { db: needs.db, callers: access.callers, bearers: access.bearers, origins: [] }
    const declared: Operation = {
      method: 'PATCH',
      path: '/scim/v2/users',
      summary: 'An example',
      chapter: 'Examples',
      access: SCIM_ACCESS,
      replies: { 204: null },
    }
    const cookies = { read: () => stage.founder.cookie, hasAny: () => false, write() {}, remove() {} }
    const visitor = {
      ...{ requestId: '', address: '127.0.0.1', userAgent: undefined, language: 'en' as const },
      ...{ cookies, tellLimit() {} },
    }
    const enter = (bearer: string | undefined) =>
      admit(guard, ['patchSomething', declared], visitor, {
        bearer,
        contentType: undefined,
        origin: undefined,
        fetchSite: undefined,
      })
    const scim = newBearerToken('scim')
    await office.database.pool.query(
      `insert into bearer_tokens (organization_id, kind, name, token_hash, operations, created_at)
        select id, 'scim', 'Directory', sha256($2::bytea), '{}', now()
        from organizations where identity_organization_id = $1`,
      [stage.founder.organizationId, scim],
    )
    for (const bearer of [undefined, '', token, newBearerToken('scim')])
      await expect(enter(bearer)).rejects.toMatchObject({ kind: 'unauthenticated' })
    expect(await enter(scim)).toMatchObject({
      token: { kind: 'scim' },
      organization: { identityId: stage.founder.organizationId },
    })
  })
})
