import assert from 'node:assert/strict'
import { expectRefusal, parseJson } from '../expect.ts'
import { patientFetch } from '../patience.ts'
import { cookieHeaderOf, newcomer, type Person, signedUp } from '../person.ts'
import { postJson, sendRaw } from '../raw-http.ts'
import type { Steps } from '../steps.ts'
import type { Office } from '../walk.ts'

const EVIL = 'https://evil.example'
const TOO_LARGE_BYTES = 4 * 1024 * 1024

/** What the wire refuses whatever the operation, and what it drops. */
export async function wire(office: Office, steps: Steps): Promise<void> {
  const joan = await steps.step('a fourth person signs up', () => signedUp(office, 'joan'))
  await crossSite(office, steps, joan)
  await contentTypes(office, steps)
  await bodies(office, steps, joan)
  await order(office, steps)
}

async function crossSite(office: Office, { check }: Steps, joan: Person): Promise<void> {
  const cookie = cookieHeaderOf(office, joan)
  const body = JSON.stringify({ displayName: 'Mallory' })
  await check("another site's page is refused, with and without a session", async () => {
    for (const headers of [
      { origin: EVIL },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: `${office.url}.evil.example` },
    ]) {
      const answer = await postJson(`${office.url}/user/update`, body, { cookie, ...headers })
      expectRefusal(answer, 403)
      const email = JSON.stringify({ email: newcomer(office).email })
      expectRefusal(await postJson(`${office.url}/auth/sign-in`, email, headers), 403)
    }
    assert.notEqual((await joan.client.call('getCurrentUser')).displayName, 'Mallory')
  })
  await check(
    'nor can it read what needs no session, and it is told the setting that would let it',
    async () => {
      const answer = await sendRaw(`${office.url}/health/live`, { headers: { origin: EVIL } })
      expectRefusal(answer, 403)
      assert.match(answer.text, /ALLOWED_ORIGINS/)
      assert.equal(answer.headers.get('access-control-allow-origin'), EVIL)
    },
  )
  await check('so is its request without a body', async () => {
    const answer = await sendRaw(`${office.url}/auth/sign-out`, {
      method: 'POST',
      headers: { cookie, origin: EVIL },
    })
    expectRefusal(answer, 403)
    await joan.client.call('getCurrentUser')
  })
  await check("another site's preflight leads to that refusal, and is not remembered", async () => {
    const answer = await sendRaw(`${office.url}/user/update`, {
      method: 'OPTIONS',
      headers: {
        origin: EVIL,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    assert.equal(answer.status, 204)
    assert.equal(answer.headers.get('access-control-max-age'), '0')
  })
  const { own } = office
  if (!own) return
  await check("the office's own pages may call, with credentials", async () => {
    const headers = { cookie, origin: own.url, 'sec-fetch-site': 'same-origin' }
    const answer = await postJson(`${office.url}/user/update`, '{"displayName":"Joan Clarke"}', headers)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('access-control-allow-origin'), own.url)
    assert.equal(answer.headers.get('access-control-allow-credentials'), 'true')
    assert.match(answer.headers.get('vary') ?? '', /\borigin\b/i)
  })
}

async function contentTypes(office: Office, { check }: Steps): Promise<void> {
  const url = `${office.url}/auth/sign-in`
  const json = JSON.stringify({ email: newcomer(office).email })
  const post = (contentType: string | undefined, body?: string) =>
    sendRaw(url, {
      method: 'POST',
      headers: contentType === undefined ? {} : { 'content-type': contentType },
      ...(body === undefined ? {} : { body }),
    })
  await check('a form is refused, empty ones included', async () => {
    for (const form of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
    ]) {
      expectRefusal(await post(form, json), 415)
      expectRefusal(await post(form), 415)
    }
  })
  await check('so is a body of no declared type, and one that only looks like JSON', async () => {
    expectRefusal(await post(undefined, json), 415)
    expectRefusal(await post('application/jsonp', json), 415)
    expectRefusal(await post('text/plain; application/json', json), 415)
  })
  await check('JSON may name its character set', async () => {
    const answer = await patientFetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: json,
    })
    assert.equal(answer.status, 200, await answer.text())
  })
}

async function bodies(office: Office, { check }: Steps, joan: Person): Promise<void> {
  const url = `${office.url}/user/update`
  const headers = { cookie: cookieHeaderOf(office, joan) }
  await check('malformed JSON is refused', async () => {
    for (const body of ['{"displayName":', '{displayName: "x"}', '']) {
      expectRefusal(await postJson(url, body, headers), 400)
    }
  })
  await check('so is JSON that is no object, and a value of another type: nothing is coerced', async () => {
    const values = ['null', '[]', '"Joan"', '{}', '{"displayName":12345}', '{"displayName":["Joan"]}']
    for (const body of [...values, '{"displayName":null}'])
      expectRefusal(await postJson(url, body, headers), 400)
  })
  await check('unknown fields are dropped', async () => {
    const before = await joan.client.call('getCurrentUser')
    const body = {
      displayName: 'Joan C.',
      email: 'x@evil.example',
      id: '1',
      role: 'admin',
      ['__proto__']: { a: 1 },
    }
    const answer = await postJson(url, JSON.stringify(body), headers)
    assert.equal(answer.status, 200, answer.text)
    const { updatedAt: _, ...after } = parseJson(answer) as typeof before
    const { updatedAt: __, ...expected } = { ...before, displayName: 'Joan C.' }
    assert.deepEqual(after, expected)
  })
  await check(
    'a body that is too large is refused, and who sends all of it gets to read the answer',
    async () => {
      const body = JSON.stringify({ displayName: 'x'.repeat(TOO_LARGE_BYTES) })
      // several times: an office that hangs up while it is still being written to loses some of its answers
      for (let sent = 0; sent < 5; sent += 1) expectRefusal(await postJson(url, body, headers), 413)
      await joan.client.call('getCurrentUser')
    },
  )
}

async function order(office: Office, { check }: Steps): Promise<void> {
  await check('without a session it is 401, whatever the body', async () => {
    for (const body of ['{"displayName":"Somebody"}', '{"displayName":1}', '{"']) {
      expectRefusal(await postJson(`${office.url}/user/update`, body), 401)
    }
    const cookie = 'atrium_session=nonsense; __Host-atrium_session=nonsense'
    expectRefusal(await sendRaw(`${office.url}/user/get`, { method: 'POST', headers: { cookie } }), 401)
  })
  await check('what is not there is 404, in the same shape', async () => {
    expectRefusal(await sendRaw(`${office.url}/no/such/path`), 404)
    expectRefusal(await postJson(`${office.url}/no/such/path`, '{}'), 404)
  })
  await check('an address that cannot be read is 400, in the same shape', async () => {
    expectRefusal(await sendRaw(`${office.url}/%zz`), 400)
  })
  await check('a refusal tells nothing of the inside', async () => {
    const answers = await Promise.all([
      postJson(`${office.url}/auth/sign-in`, '{"email":1}'),
      postJson(`${office.url}/user/get`, '{}'),
      sendRaw(`${office.url}/no/such/path`),
    ])
    for (const { text } of answers) assert.doesNotMatch(text, /stack|node_modules|\.ts\b|at \w+ \(/)
  })
}
