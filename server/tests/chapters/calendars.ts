import { createHash, randomBytes } from 'node:crypto'
import type { AtriumClient } from '@atrium/client'
import { freshEmail, type TestOffice } from '../office.ts'
import { until } from '../until.ts'
import { surferOf } from './surfer.ts'

export const providers = ['A', 'B'] as const
export type Provider = (typeof providers)[number]

export function otherThan(provider: Provider): Provider {
  return provider === 'A' ? 'B' : 'A'
}

/** What a client keeps to itself while a person consents. */
export interface Pkce {
  state: string
  codeVerifier: string
  codeChallenge: string
}

export function newPkce(): Pkce {
  const codeVerifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  return { state: randomBytes(12).toString('base64url'), codeVerifier, codeChallenge }
}

/** Where a client is told to send the browser. */
export async function consentUrlOf(browser: AtriumClient, provider: Provider, pkce: Pkce): Promise<string> {
  const { state, codeChallenge } = pkce
  const ask = () => browser.request(`connectProvider${provider}Calendar`, { state, codeChallenge })
  let answer = await ask()
  // the stand-in is of this process: on a busy machine it may answer later than the office waits for it
  await until(async () => {
    if (answer.status === 503) answer = await ask()
    return answer.status !== 503
  })
  if (answer.status !== 200) throw new Error(`no consent: ${answer.status}`)
  return 'authData' in answer.body ? answer.body.authData.redirectUrl : answer.body.redirectUrl
}

/** A person consents at the stand-in of a provider. @returns what finalize takes */
export async function consent(
  office: TestOffice,
  browser: AtriumClient,
  provider: Provider,
  email = freshEmail(),
): Promise<{ code: string; codeVerifier: string; end: URL; pkce: Pkce }> {
  const pkce = newPkce()
  const end = await surferOf(office).logIn(await consentUrlOf(browser, provider, pkce), email)
  return { code: end.searchParams.get('code') ?? '', codeVerifier: pkce.codeVerifier, end, pkce }
}

/** Connects a calendar of the sandbox. @returns its account there */
export async function connectCalendar(
  office: TestOffice,
  browser: AtriumClient,
  provider: Provider,
): Promise<string> {
  const email = freshEmail()
  const { code, codeVerifier } = await consent(office, browser, provider, email)
  await browser.call(`finalizeProvider${provider}Calendar`, { code, codeVerifier })
  return email
}

/** Whether a person's profile says that they have connected a calendar of a provider. */
export async function isConnected(browser: AtriumClient, provider: Provider): Promise<boolean> {
  const { integrations } = await browser.call('getCurrentUser')
  return integrations[`provider${provider}Calendar`]?.connected ?? false
}
