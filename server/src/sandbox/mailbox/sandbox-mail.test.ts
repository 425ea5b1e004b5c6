import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { listSandboxMails, sandboxMail } from './sandbox-mail.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.pool.query('delete from sandbox_mails'))

const clock = { now: () => new Date('2026-11-21T12:00:00Z') }
const mail = {
  to: 'ada@example.com',
  subject: 'Your code',
  text: 'Your code is 123456.',
  html: '<p>123456</p>',
}

async function detailsOf(text: string) {
  await sandboxMail(database.db, clock).send({ ...mail, text })
  const [newest] = await listSandboxMails(database.db)
  return { code: newest?.code, link: newest?.link }
}

describe('the sandbox mailbox', () => {
  it('keeps what it was sent, newest first', async () => {
    const port = sandboxMail(database.db, clock)
    await port.send(mail)
    await port.send({ ...mail, to: 'bob@example.com', text: 'Hello' })
    expect(await listSandboxMails(database.db)).toEqual([
      {
        to: 'bob@example.com',
        subject: 'Your code',
        text: 'Hello',
        html: '<p>123456</p>',
        at: '2026-11-21T12:00:00.000Z',
      },
      { ...mail, code: '123456', at: '2026-11-21T12:00:00.000Z' },
    ])
  })

  it('shows one address only, however it is written', async () => {
    const port = sandboxMail(database.db, clock)
    await port.send(mail)
    await port.send({ ...mail, to: 'bob@example.com' })
    const found = await listSandboxMails(database.db, { to: ' Ada@Example.com ' })
    expect(found.map(({ to }) => to)).toEqual(['ada@example.com'])
    expect(await listSandboxMails(database.db, { to: 'eve@example.com' })).toEqual([])
    expect(await listSandboxMails(database.db, { to: '' })).toHaveLength(2)
  })

  it.each([
    ['Code: 123456', '123456', undefined],
    ['Code 1234567890, valid 10 minutes', '1234567890', undefined],
    ['12345 is too short, 12345678901 too long', undefined, undefined],
    [
      'Open https://office.example/join?t=9876543210, please',
      undefined,
      'https://office.example/join?t=9876543210',
    ],
    ['(http://localhost:3000/a).', undefined, 'http://localhost:3000/a'],
    ['<https://a.example/x> or https://b.example', undefined, 'https://a.example/x'],
    ['https://a.example/123456\n\n654321', '654321', 'https://a.example/123456'],
    ['javascript:alert(1) ftp://x', undefined, undefined],
  ])('finds code and link in %j', async (text, code, link) => {
    expect(await detailsOf(text)).toEqual({ code, link })
  })

  it('keeps the newest 500', async () => {
    await database.pool.query(
      `insert into sandbox_mails (recipient, subject, text_body, html_body, received_at)
       select 'a@example.com', n::text, '', '', now() from generate_series(1, 600) n`,
    )
    await sandboxMail(database.db, clock).send(mail)
    const mails = await listSandboxMails(database.db)
    expect(mails).toHaveLength(500)
    expect([mails[0]?.subject, mails[1]?.subject, mails.at(-1)?.subject]).toEqual(['Your code', '600', '102'])
  })

  it('is no more reachable inside a transaction than a real mail server', async () => {
    const sent = transaction(database.db, () => sandboxMail(database.db, clock).send(mail))
    await expect(sent).rejects.toThrow('inside a database transaction')
  })
})
