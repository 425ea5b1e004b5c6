import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addressAt, joinAs, picture, put, shownAt, upload } from '../../../tests/chapters/uploads.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson, type Person } from '../../../tests/people.ts'
import { UPLOAD_BYTES_MAX } from '../../platform/http/input/upload-size.ts'

describe('createAvatarUploadTicket', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it.each([
    ['image/jpeg', 'jpg'],
    ['image/png', 'png'],
    ['image/webp', 'webp'],
  ])('gives an address for %s that is good for two minutes', async (contentType, extension) => {
    const { browser, id } = await newPerson(office)
    const ticket = await browser.call('createAvatarUploadTicket', { contentType })
    expect(ticket.tmpKey).toMatch(new RegExp(`^tmp/${id}/[0-9a-f-]{36}\\.${extension}$`))
    expect(ticket.expiresInSeconds).toBe(120)
    const url = addressAt(office, ticket.uploadUrl)
    expect((await put(url, new Uint8Array(3), 'text/html')).status).toBe(403)
    office.clock.advance(90)
    expect((await put(url, new Uint8Array(3), contentType)).status).toBe(200)
    office.clock.advance(31)
    expect((await put(url, new Uint8Array(3), contentType)).status).toBe(403)
  })

  it.each([
    'image/gif',
    'image/svg+xml',
    'IMAGE/PNG',
    'image/png; a=b',
    ' image/png',
    '',
    'png',
    'p'.repeat(300),
    'p'.repeat(200_000),
    `p${'\u0301'.repeat(31)}`,
  ])('answers 400 to the type %j', async (contentType) => {
    const { browser } = await newPerson(office)
    expect(await browser.request('createAvatarUploadTicket', { contentType })).toMatchObject({
      status: 400,
      body: { code: 400, error: 'unsupported-content-type' },
    })
  })

  it.each([{}, { contentType: null }, { contentType: 12 }, { contentType: ['image/png'] }])(
    'answers 422 to %j',
    async (body) => {
      const { browser } = await newPerson(office)
      expect(
        await browser.request('createAvatarUploadTicket', body as { contentType: string }),
      ).toMatchObject({
        status: 422,
        body: { code: 422, details: [{ field: 'contentType' }] },
      })
    },
  )

  it('answers 422 to a body that is no JSON', async () => {
    const { cookie } = await newPerson(office)
    const response = await fetch(`${office.baseUrl}/user/avatar/upload-ticket`, {
      method: 'POST',
      headers: { cookie: `atrium_session=${cookie}`, 'content-type': 'application/json' },
      body: '{',
    })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 422, error: 'malformed-json' })
  })

  it('answers 500 where the address cannot be made', async () => {
    const { browser } = await newPerson(office)
    const signing = vi.spyOn(office.office.needs.storage, 'signUpload')
    signing.mockRejectedValueOnce(new Error('canary'))
    const answer = await browser.request('createAvatarUploadTicket', { contentType: 'image/png' })
    signing.mockRestore()
    expect(answer).toMatchObject({ status: 500, body: { code: 500, error: 'internal-error' } })
    expect(JSON.stringify(answer.body)).not.toContain('canary')
    expect((await browser.request('createAvatarUploadTicket', { contentType: 'image/png' })).status).toBe(200)
  })

  it('is refused without a session, whatever the body', async () => {
    const answer = await office.browser().request('createAvatarUploadTicket', { contentType: 'x' })
    expect(answer).toMatchObject({ status: 401, body: { code: 401 } })
  })

  it('ends where a hundred uploads were begun and none finished, however many are begun at once', async () => {
    const { browser, id } = await newPerson(office)
    const ask = () => browser.request('createAvatarUploadTicket', { contentType: 'image/png' })
    await office.database.pool.query(
      `insert into upload_tickets (tmp_key, owner, created_at)
       select 'tmp/' || $1 || '/' || gen_random_uuid(), $1, $2 from generate_series(1, 90)`,
      [id, office.clock.now()],
    )
    const answers = await Promise.all(Array.from({ length: 30 }, ask))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array<number>(10).fill(200), ...Array<number>(20).fill(429)])
    expect(await ask()).toMatchObject({ status: 429, body: { error: 'too-many-open-uploads' } })
    office.clock.advance(24 * 60 * 60 + 1)
    expect((await ask()).status).toBe(200)
  })

  it('ends where more bytes could be uploaded than a person has in an hour, and says how many are left', async () => {
    const limited = await openTestOffice({
      beside: office,
      settings: { RATE_LIMIT_UPLOAD_BYTES_PER_USER: String(3 * UPLOAD_BYTES_MAX) },
    })
    try {
      const founder = await newFounder(limited)
      const others = [await newPerson(limited), await joinAs(limited, founder.organizationId, 'admin')]
      const ask = ({ browser }: Pick<Person, 'browser'>) =>
        browser.request('createAvatarUploadTicket', { contentType: 'image/png' })
      // what is refused for another reason costs nothing
      for (let count = 0; count < 5; count += 1)
        await founder.browser.request('createAvatarUploadTicket', { contentType: 'image/gif' })
      const answers = await Promise.all(Array.from({ length: 12 }, () => ask(founder)))
      const given = answers.filter(({ status }) => status === 200)
      expect(given).toHaveLength(3)
      const left = given.map(({ headers }) => Number(headers.get('ratelimit-remaining')) / UPLOAD_BYTES_MAX)
      expect(left.toSorted()).toEqual([0, 1, 2])
      const refused = answers.find(({ status }) => status === 429)
      expect(refused?.body).toMatchObject({ error: 'rate-limited' })
      expect(refused?.headers.get('ratelimit-limit')).toBe(String(3 * UPLOAD_BYTES_MAX))
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3_000)
      for (const other of others) expect((await ask(other)).status).toBe(200)

      // logos are their organization's, of whichever uploader
      const admins = [founder, others[1] as Person]
      const logos: number[] = []
      for (let count = 0; count < 4; count += 1) {
        const { browser } = admins[count % 2] as Person
        logos.push((await browser.request('createLogoUploadTicket', { contentType: 'image/png' })).status)
      }
      expect(logos).toEqual([200, 200, 200, 429])
    } finally {
      await limited.close()
    }
  })

  it('takes nothing of the bytes of an hour for a ticket that is refused', async () => {
    const limited = await openTestOffice({
      beside: office,
      settings: { RATE_LIMIT_UPLOAD_BYTES_PER_USER: String(UPLOAD_BYTES_MAX + 100_000) },
    })
    try {
      const { browser } = await newPerson(limited)
      const ask = async () =>
        (await browser.request('createAvatarUploadTicket', { contentType: 'image/png' })).status
      const tmpKey = await upload(limited, browser, await picture('png'))
      expect([await ask(), await ask(), await ask()]).toEqual([429, 429, 429])
      await browser.call('finalizeAvatarUpload', { tmpKey })
      expect(await ask()).toBe(200)
    } finally {
      await limited.close()
    }
  })

  it('counts what was really uploaded once that is known, and only once a ticket', async () => {
    const limited = await openTestOffice({
      beside: office,
      settings: {
        RATE_LIMIT_UPLOAD_BYTES_PER_USER: String(UPLOAD_BYTES_MAX + 100_000),
        AVATAR_UPLOAD_TRIES: '0',
      },
    })
    try {
      const { browser } = await newPerson(limited)
      // each ticket draws 8 MiB: the second one is given only because the rest of the first came back
      for (let count = 0; count < 3; count += 1) {
        const tmpKey = await upload(limited, browser, await picture('png'))
        expect((await browser.request('finalizeAvatarUpload', { tmpKey })).status).toBe(200)
      }
      const tmpKey = await upload(limited, browser, new Uint8Array(5_000))
      for (let count = 0; count < 2; count += 1)
        expect((await browser.request('finalizeAvatarUpload', { tmpKey })).status).toBe(
          count === 0 ? 400 : 404,
        )
      expect((await browser.request('createAvatarUploadTicket', { contentType: 'image/png' })).status).toBe(
        200,
      )
      expect((await browser.request('createAvatarUploadTicket', { contentType: 'image/png' })).status).toBe(
        429,
      )
    } finally {
      await limited.close()
    }
  })

  it('works on its earlier path, in the earlier shape', async () => {
    const { browser, id } = await newPerson(office)
    const answer = await browser.request('createEarlierAvatarUploadTicket', { contentType: 'image/png' })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        code: 200,
        message: expect.any(String),
        data: {
          tmpKey: expect.stringMatching(`^tmp/${id}/`),
          uploadUrl: expect.any(String),
          expiresInSeconds: 120,
        },
      },
    })
    expect(answer.headers.get('deprecation')).toBeTruthy()
    expect(answer.headers.get('link')).toContain('/user/avatar/upload-ticket')

    const tmpKey = await upload(office, browser, await picture('png'))
    const finalized = await browser.request('finalizeEarlierAvatarUpload', { tmpKey })
    expect(finalized).toMatchObject({ status: 200, body: { code: 200, message: expect.any(String) } })
    const { avatarUrl } = finalized.body as { avatarUrl: string }
    expect((await shownAt(office, avatarUrl)).status).toBe(200)
    expect(await browser.request('finalizeEarlierAvatarUpload', { tmpKey: 'tmp/0/x' })).toMatchObject({
      status: 403,
    })
  })
})
