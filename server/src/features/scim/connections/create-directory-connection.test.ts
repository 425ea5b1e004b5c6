import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scimClient } from '../../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, type Person } from '../../../../tests/people.ts'

describe('createDirectoryConnection', () => {
  let office: TestOffice
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice()
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  it('makes a token that is shown once, and says where to bring it', async () => {
    const answer = await founder.browser.request('createDirectoryConnection', { name: ' Entra ' })
    const url = `${office.office.config.baseUrl}/scim/v2`
    expect(answer).toMatchObject({
      status: 201,
      body: { token: expect.stringMatching(/^atrscim_[\w-]{49}$/), url },
    })
    const { id, token } = answer.body as { id: string; token: string }
    expect(await scimClient(office, token).get('/Users')).toMatchObject({
      status: 200,
      body: { totalResults: 1 },
    })
    const { rows } = await office.database.pool.query('select t::text as row from bearer_tokens t')
    expect(JSON.stringify(rows)).not.toContain(token)
    const made = (await auditOf(founder)).at(-1)
    expect(made).toMatchObject({
      action: 'directory-connection.created',
      actor: { kind: 'user', id: founder.id },
      target: { kind: 'directory-connection', id },
      detail: { name: 'Entra' },
    })
    expect(JSON.stringify(made)).not.toContain(token)
  })

  it('makes fifty and no more, of several at the same time', async () => {
    const other = await newFounder(office)
    const organization = 'select id from organizations where identity_organization_id = $1'
    await office.database.pool.query(
      `insert into bearer_tokens (organization_id, kind, name, token_hash, operations, created_at)
       select (${organization}), 'scim', 'One', sha256(n::text::bytea), '{}', now() from generate_series(1, 45) n`,
      [other.organizationId],
    )
    const create = () => other.browser.request('createDirectoryConnection', { name: 'One' })
    const answers = await Promise.all(Array.from({ length: 7 }, create))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 409)).toMatchObject(
      Array(2).fill({ body: { error: 'too-many-directory-connections' } }),
    )
    // service tokens are counted apart
    const token = await other.browser.request('createServiceToken', {
      name: 'T',
      operations: ['listMembers'],
    })
    expect(token.status).toBe(201)
  })

  it('refuses a name that cannot be seen', async () => {
    expect(await founder.browser.request('createDirectoryConnection', { name: '\u200b' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'name' }] },
    })
  })

  it('makes no token that any operation takes, and SCIM takes no service token', async () => {
    const { token } = await founder.browser.call('createDirectoryConnection', { name: 'Okta' })
    expect(await office.program(token).request('listMembers')).toMatchObject({ status: 401 })
    const service = await founder.browser.call('createServiceToken', {
      name: 'T',
      operations: ['listMembers'],
    })
    expect(await scimClient(office, service.token).get('/Users')).toMatchObject({ status: 401 })
  })
})
