import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Directory, newDirectory, provisioned, scimClient } from '../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

describe('/scim/v2', () => {
  let office: TestOffice
  let directory: Directory
  beforeAll(async () => {
    office = await openTestOffice()
    directory = await newDirectory(office)
  })
  afterAll(() => office.close())

  const at = (path: string, init?: RequestInit) => fetch(`${office.baseUrl}/scim/v2${path}`, init)

  it('lets no caller in without its token, whatever else they bring', async () => {
    const cookie = `atrium_session=${directory.founder.cookie}`
    const headers: Record<string, string>[] = [
      {},
      { cookie },
      { cookie, authorization: 'Bearer atrscim_wrong' },
      { cookie, authorization: `Bearer ${directory.token.slice(0, -1)}x` },
      { cookie, authorization: 'Bearer' },
      { cookie, authorization: `Basic ${btoa(`x:${directory.token}`)}` },
      { authorization: directory.token },
    ]
    for (const given of headers)
      for (const path of ['/Users', '/ServiceProviderConfig', '/nothing', '/Users/1']) {
        const answer = await at(path, { headers: given })
        expect(answer.status).toBe(401)
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
        expect(answer.headers.get('content-type')).toMatch(/^application\/scim\+json/)
        expect(await answer.json()).toEqual({ schemas: [ERROR], status: '401', detail: expect.any(String) })
      }
    const posted = await at('/Users', { method: 'POST', headers: { cookie }, body: '{' })
    expect(posted.status).toBe(401)
  })

  it('says what it speaks', async () => {
    const { scim } = directory
    expect((await scim.get('/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: true },
      etag: { supported: true },
      changePassword: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
    const { body: types } = await scim.get('/ResourceTypes')
    expect(types).toMatchObject({
      totalResults: 2,
      Resources: [{ endpoint: '/Users' }, { endpoint: '/Groups' }],
    })
    expect((await scim.get('/ResourceTypes/User')).body).toEqual(types.Resources[0])
    const { body: schemas } = await scim.get('/Schemas')
    for (const schema of schemas.Resources)
      expect((await scim.get(`/Schemas/${schema.id}`)).body).toEqual(schema)
    expect(
      schemas.Resources[0].attributes.find(({ name }: { name: string }) => name === 'roles'),
    ).toMatchObject({
      mutability: 'readOnly',
    })
    expect(await scim.get('/Schemas/nothing')).toMatchObject({ status: 404 })
    expect(await scim.get('/Schemas?filter=id%20pr')).toMatchObject({ status: 403 })
  })

  it('refuses an address that is no text in its own form', async () => {
    for (const token of [directory.token, 'atrscim_wrong']) {
      const answer = await at('/Users/%FF', { headers: { authorization: `Bearer ${token}` } })
      expect(await answer.json()).toMatchObject({ schemas: [ERROR], status: '400' })
    }
  })

  it('takes both content types, and refuses in its own form what is neither or no JSON', async () => {
    const { scim, domain } = directory
    const send = (type: string, body: string) => scim.send('POST', '/Users', body, { 'content-type': type })
    const user = (name: string) => JSON.stringify({ userName: `${name}@${domain}` })
    expect((await send('application/json', user('one'))).status).toBe(201)
    expect((await send('application/scim+json; charset=utf-8', user('two'))).status).toBe(201)
    expect(await send('text/plain', user('three'))).toMatchObject({ status: 415, body: { schemas: [ERROR] } })
    const nested = `{"userName":"deep@${domain}","title":${'['.repeat(200)}${']'.repeat(200)}}`
    const wide = `{"userName":"wide@${domain}","photos":[${Array(20_000).fill(1).join()}]}`
    for (const type of ['application/json', 'application/scim+json'])
      for (const body of ['{"userName":', nested, wide])
        expect(await send(type, body)).toMatchObject({
          status: 400,
          body: { status: '400', scimType: 'invalidSyntax' },
        })
    for (const body of ['[]', '"x"', 'null', '{"schemas":["urn:other"],"userName":"x"}'])
      expect(await send('application/scim+json', body)).toMatchObject({
        status: 400,
        body: { scimType: 'invalidSyntax' },
      })
    const latin = await at('/Users', {
      method: 'POST',
      headers: { authorization: `Bearer ${directory.token}`, 'content-type': 'application/scim+json' },
      body: Buffer.from('{"userName":"\xe4"}', 'latin1'),
    })
    expect(await latin.json()).toMatchObject({ status: '400', scimType: 'invalidSyntax' })
    const polluting = `{"userName":"p@${domain}","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`
    expect((await send('application/scim+json', polluting)).status).toBe(201)
    expect({}).not.toHaveProperty('polluted')
    const large = JSON.stringify({ userName: 'x'.repeat(1_100_000) })
    expect(await send('application/scim+json', large)).toMatchObject({ status: 413, body: { status: '413' } })
  })

  it('refuses in its own form what is not served', async () => {
    const { scim } = directory
    for (const path of ['/nothing', '', '/Users/1/emails', '/users'])
      expect(await scim.get(path)).toMatchObject({ status: 404, body: { schemas: [ERROR], status: '404' } })
    const wrong = await scim.send('PUT', '/Users', {})
    expect(wrong).toMatchObject({ status: 405, body: { status: '405' } })
    expect(wrong.headers.get('allow')).toMatch(/GET.*POST/)
    expect(await scim.send('POST', '/Bulk', {})).toMatchObject({ status: 501, body: { status: '501' } })
    expect(await scim.get('/Me')).toMatchObject({ status: 501 })
    expect(await scim.get('/Users/%zz')).toMatchObject({ status: 400 })
    expect(await scim.get('/Users?filter=%ff')).toMatchObject({
      status: 400,
      body: { scimType: 'invalidSyntax' },
    })
  })

  it('refuses a page of another origin as everywhere', async () => {
    const headers = { origin: 'https://evil.example', authorization: `Bearer ${directory.token}` }
    expect((await at('/Users', { headers })).status).toBe(403)
  })

  it('has a budget for each connection', async () => {
    const narrow = await openTestOffice({ beside: office, settings: { RATE_LIMIT_PER_DIRECTORY: '1' } })
    try {
      const { token } = await directory.founder.browser.call('createDirectoryConnection', { name: 'Other' })
      const [one, other] = [scimClient(narrow, directory.token), scimClient(narrow, token)]
      expect((await one.get('/Users')).status).toBe(200)
      const refused = await one.get('/Users')
      expect(refused).toMatchObject({ status: 429, body: { schemas: [ERROR], status: '429' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await other.get('/Users')).status).toBe(200)
    } finally {
      await narrow.close()
    }
  })

  it('ends with the organization', async () => {
    const gone = await newDirectory(office)
    await provisioned(gone)
    await gone.founder.browser.call('deleteOrganization', { organizationId: gone.founder.organizationId })
    expect(await gone.scim.get('/Users')).toMatchObject({ status: 401 })
  })

  it('keeps what was said over a restart', async () => {
    const { id } = await provisioned(directory, { externalId: 'kept' })
    const again = await openTestOffice({ beside: office })
    try {
      const { body } = await scimClient(again, directory.token).get(`/Users/${id}`)
      expect(body).toMatchObject({ externalId: 'kept', active: true })
    } finally {
      await again.close()
    }
  })
})
