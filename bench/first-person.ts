import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

const MAIL_WITHIN_MS = 20_000

/** A person with a session and one organization, and nothing else. */
export interface FirstPerson {
  /** Value of the header `cookie`. */
  cookie: string
  userId: string
  organizationId: string
}

/** Signs a person up in an open office for development, as a browser would. */
export async function signUp(url: string): Promise<FirstPerson> {
  const email = `bench-${randomBytes(6).toString('hex')}@example.com`
  await post(`${url}/auth/sign-up`, { email })
  const signedIn = await post(`${url}/auth/finalize-magic-auth`, {
    email,
    code: await mailedCode(url, email),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const { user } = (await signedIn.json()) as { user: { id: string } }
  const created = await post(`${url}/api/v1/organizations/create`, { name: 'Bench & Sons' }, cookie)
  const { id } = (await created.json()) as { id: string }
  return { cookie, userId: user.id, organizationId: id }
}

/** Waits for the code that an office for development mailed. */
export async function mailedCode(url: string, email: string): Promise<string> {
  const until = Date.now() + MAIL_WITHIN_MS
  while (Date.now() < until) {
    const inbox = `${url}/sandbox/mail?to=${encodeURIComponent(email)}`
    const answer = await fetch(inbox, { headers: { accept: 'application/json' } })
    const mails = (await answer.json()) as { code?: string }[]
    if (mails[0]?.code) return mails[0].code
    await pause(50)
  }
  throw new Error(`no code was mailed to ${email}`)
}

async function post(url: string, body: unknown, cookie = ''): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
