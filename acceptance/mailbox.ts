import assert from 'node:assert/strict'
import { parseJson } from './expect.ts'
import { waitFor } from './patience.ts'
import { sendRaw } from './raw-http.ts'
import type { Office } from './walk.ts'

/** A mail in the sandbox inbox. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  code?: string
  link?: string
  at: string
}

const MAIL_WITHIN_MS = 20_000

/** The mails to an address, newest first. */
export async function mailsTo(office: Office, email: string): Promise<Mail[]> {
  const answer = await sendRaw(`${office.url}/sandbox/mail?to=${encodeURIComponent(email)}`, {
    headers: { accept: 'application/json' },
  })
  assert.equal(answer.status, 200, 'the sandbox inbox answers: is this an office for development or tests?')
  return parseJson(answer) as Mail[]
}

/** The mail that `cause` leads to: the newest, once there is one more than before. */
export async function nextMail(office: Office, email: string, cause: () => Promise<unknown>): Promise<Mail> {
  const before = (await mailsTo(office, email)).length
  await cause()
  return await waitFor(`a mail to ${email}`, MAIL_WITHIN_MS, async () => {
    const mails = await mailsTo(office, email)
    return mails.length > before ? mails[0] : undefined
  })
}

/** The code of the mail that `cause` leads to. */
export async function nextCode(
  office: Office,
  email: string,
  cause: () => Promise<unknown>,
): Promise<string> {
  const { code, subject } = await nextMail(office, email, cause)
  assert.match(code ?? '', /^\d{6}$/, `a code of six digits is in the mail "${subject}"`)
  return code ?? ''
}

/** The first mail to an address that has had none. */
export async function firstMail(office: Office, email: string): Promise<Mail> {
  return await waitFor(`a mail to ${email}`, MAIL_WITHIN_MS, async () => (await mailsTo(office, email))[0])
}
