import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

it.each([
  ['as it is', (local: string) => `${local}@example.com`],
  ['in capitals', (local: string) => `${local.toUpperCase()}@Example.com`],
  ['of an international domain', (local: string) => `${local}@b\u00fccher.example`],
  ['with a letter that has its mark apart', (local: string) => `${local}e\u0301@example.com`],
])('the mailbox finds the mails of an address %s', async (_, spelled) => {
  const email = spelled(freshEmail().split('@')[0] ?? '')
  await office.browser().call('signUp', { email })
  const answer = await fetch(`${office.baseUrl}/sandbox/mail?to=${encodeURIComponent(email)}`, {
    headers: { accept: 'application/json' },
  })
  expect(await answer.json()).toHaveLength(1)
})
