import assert from 'node:assert/strict'
import { createAtriumClient } from '@atrium/client'
import { expectRefusal, expectStatus } from '../expect.ts'
import { mailsTo, nextCode, nextMail } from '../mailbox.ts'
import { newcomer, type Person, sessionOf } from '../person.ts'
import type { Steps } from '../steps.ts'
import type { Office } from '../walk.ts'

/** Emailed codes: which ones work, and what an answer gives away. */
export async function codes(office: Office, steps: Steps): Promise<void> {
  const mary = newcomer(office, 'mary')
  await newestOnly(office, steps, mary)
  await strangers(office, steps, mary)
  if (office.own) await limits(office, steps)
}

async function newestOnly(office: Office, { step, check }: Steps, mary: Person): Promise<void> {
  const { email, client } = mary
  const first = await step('a third person signs up', () =>
    nextCode(office, email, () => client.call('signUp', { email })),
  )
  const second = await step('a new code is mailed on request', () =>
    nextCode(office, email, async () => {
      const { body } = expectStatus(await client.request('resendMagicAuth', { email }), 200)
      assert.equal(body.code, 200)
      assert.ok(body.message)
    }),
  )
  await check('a wrong code is refused, and so is the earlier one', async () => {
    expectRefusal(await client.request('finalizeMagicAuth', { email, code: otherThan(second) }), 400)
    expectRefusal(await client.request('finalizeMagicAuth', { email, code: 'ABCDEF' }), 400)
    if (first !== second)
      expectRefusal(await client.request('finalizeMagicAuth', { email, code: first }), 400)
    assert.equal(sessionOf(mary), undefined)
  })
  await step('the newest code works', async () => {
    expectStatus(await client.request('finalizeMagicAuth', { email, code: second }), 200)
    await client.call('getCurrentUser')
  })
  await check('once', async () => {
    expectRefusal(await client.request('finalizeMagicAuth', { email, code: second }), 400)
  })
}

async function strangers(office: Office, { check }: Steps, mary: Person): Promise<void> {
  const stranger = newcomer(office, 'stranger')
  const { email, client } = stranger
  await check('an unknown address gets the same answer and a mail without a code', async () => {
    const known = expectStatus(await mary.client.request('signIn', { email: mary.email }), 200)
    const mail = await nextMail(office, email, async () => {
      const unknown = expectStatus(await client.request('signIn', { email }), 200)
      assert.deepEqual(unknown.body, known.body)
    })
    assert.equal(mail.code, undefined)
    assert.doesNotMatch(mail.text, /\b\d{6}\b/)
  })
  await check('asking for another code is answered the same too, and brings none', async () => {
    const known = expectStatus(await mary.client.request('resendMagicAuth', { email: mary.email }), 200)
    const unknown = expectStatus(await client.request('resendMagicAuth', { email }), 200)
    assert.deepEqual(unknown.body, known.body)
    for (const mail of await mailsTo(office, email)) assert.equal(mail.code, undefined)
  })
  await check('a guess at an unknown address is refused as a wrong code is', async () => {
    const guess = '000000'
    const unknown = expectRefusal(await client.request('finalizeMagicAuth', { email, code: guess }), 400)
    const known = expectRefusal(
      await mary.client.request('finalizeMagicAuth', { email: mary.email, code: guess }),
      400,
    )
    assert.deepEqual(unknown, known)
  })
  await check('what is no address is refused', async () => {
    for (const refused of [
      '',
      'nobody',
      'a@',
      '@b.example',
      'a b@c.example',
      'a@b.example\nBcc: c@d.example',
    ]) {
      const answer = await client.request('signIn', { email: refused })
      assert.equal(answer.status, 400, `${JSON.stringify(refused)} was answered ${answer.status}`)
    }
  })
}

/** Only at an office with known limits: the defaults. */
async function limits(office: Office, { check }: Steps): Promise<void> {
  const clumsy = newcomer(office, 'clumsy')
  await check('five wrong guesses spend a code', async () => {
    const { email, client } = clumsy
    const code = await nextCode(office, email, () => client.call('signUp', { email }))
    for (let guess = 1; guess <= 5; guess += 1) {
      const wrong = otherThan(code, guess)
      expectRefusal(await client.request('finalizeMagicAuth', { email, code: wrong }), 400)
    }
    expectRefusal(await client.request('finalizeMagicAuth', { email, code }), 400)
    assert.equal(sessionOf(clumsy), undefined)
  })
  await check('a code that comes from many places at once signs in one of them', async () => {
    const { email, client } = newcomer(office, 'racer')
    const code = await nextCode(office, email, () => client.call('signUp', { email }))
    const tries = Array.from({ length: 5 }, () =>
      newcomer(office).client.request('finalizeMagicAuth', { email, code }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [200, 400, 400, 400, 400])
  })
  const impatient = createAtriumClient({ baseUrl: office.url })
  const { email } = newcomer(office, 'eager')
  await check(
    'the sixth code within a minute is refused, and the answer says when to come back',
    async () => {
      for (let sent = 0; sent < 5; sent += 1) await impatient.call('signIn', { email })
      const refused = await impatient.request('signIn', { email })
      expectRefusal(refused, 429)
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      const names = [...refused.headers.keys()]
      assert.ok(
        names.some((name) => name.startsWith('ratelimit')),
        'there are RateLimit headers',
      )
    },
  )
}

/** Another code of six digits. */
function otherThan(code: string, distance = 1): string {
  return String((Number(code) + distance) % 1_000_000).padStart(6, '0')
}
