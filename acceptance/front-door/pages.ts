import assert from 'node:assert/strict'
import { operationEntries, realtimeEvents } from '@atrium/contract'
import { expectMediaType, expectStatus, parseJson } from '../expect.ts'
import { personWith } from '../person.ts'
import { type RawAnswer, sendRaw } from '../raw-http.ts'
import type { Steps } from '../steps.ts'
import type { Office } from '../walk.ts'

/** What lies beside the operations: the developer's door, health, the reference, the front page. */
export async function pages(office: Office, { check }: Steps): Promise<void> {
  const get = (path: string, accept: string): Promise<RawAnswer> =>
    sendRaw(office.url + path, { headers: { accept } })

  await check('the developer signs in without a mail, as admin of an organization', () => developer(office))
  await check('/health/live and /health/ready', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await get(path, 'application/json')
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      parseJson(answer)
    }
  })
  await check('/openapi.json describes every operation', async () => {
    const answer = await get('/openapi.json', 'application/json')
    assert.equal(answer.status, 200)
    const document = parseJson(answer) as {
      openapi: string
      paths: Record<string, Record<string, Described>>
    }
    assert.match(document.openapi, /^3\.1\./)
    for (const [id, { method, path }] of operationEntries) {
      assert.equal(document.paths[path]?.[method.toLowerCase()]?.operationId, id)
    }
  })
  await check('/asyncapi.json describes every event', async () => {
    const answer = await get('/asyncapi.json', 'application/json')
    assert.equal(answer.status, 200)
    const document = parseJson(answer) as { asyncapi: string; components: { messages: object } }
    assert.match(document.asyncapi, /^3\./)
    assert.deepEqual(Object.keys(document.components.messages), Object.keys(realtimeEvents))
  })
  await check('/docs and / are pages', async () => {
    for (const path of ['/docs', '/']) {
      const answer = await get(path, 'text/html,application/xhtml+xml,*/*;q=0.8')
      assert.equal(answer.status, 200, path)
      expectMediaType(answer, 'text/html')
      assert.match(answer.text, /<html/i)
    }
  })
  await check('/ answers JSON to a program', async () => {
    const answer = await get('/', 'application/json')
    assert.equal(answer.status, 200)
    assert.equal(typeof parseJson(answer), 'object')
  })
  await check('/sandbox/mail is a page for people', async () => {
    const answer = await get('/sandbox/mail', 'text/html')
    assert.equal(answer.status, 200)
    expectMediaType(answer, 'text/html')
  })
}

interface Described {
  operationId: string
}

async function developer(office: Office): Promise<void> {
  const { client } = personWith(office, '')
  const { body } = expectStatus(await client.request('devSignIn'), 200)
  assert.deepEqual(Object.keys(body.user).sort(), ['email', 'id'])
  const user = await client.call('getCurrentUser')
  assert.deepEqual({ id: user.id, email: user.email }, body.user)
  const active = user.organizationMemberships.find(
    ({ organization }) => organization.id === user.currentOrganizationId,
  )
  assert.equal(active?.role, 'admin')
}
