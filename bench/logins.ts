import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Contest, Sample } from './benchmark.ts'
import { applyLoad } from './load.ts'
import { connected } from './noisy-tenants.ts'
import { openBare, openContest, openProduction, pinSides, underLoad } from './opening.ts'
import { keyedHash, seal } from './sealing.ts'
import type { ServerProcess } from './server-process.ts'

const BASELINE = fileURLToPath(new URL('logins-baseline.ts', import.meta.url))
const CONNECTIONS = 10
/** Each signs in once in a sample. */
const PEOPLE = 10_000
const CODE = '271828'
/** The browser that everybody uses. */
const BROWSER = `brw_${randomBytes(32).toString('base64url')}`
/** What is measured is what a call costs; one address and one browser make them all. */
const NO_LIMITS = [
  'RATE_LIMIT_CODES_PER_EMAIL',
  'RATE_LIMIT_CODES_PER_EMAIL_HOUR',
  'RATE_LIMIT_GUESSES_PER_ADDRESS',
  'RATE_LIMIT_GUESSES_PER_EMAIL_HOUR',
  'RATE_LIMIT_GUESSES_PER_EMAIL_DAY',
]
const ISSUER = 'https://issuer.example'

interface Login {
  name: string
  path: string
  does: string
  /** What the n-th person sends. */
  body(n: number): object
  /** Before each sample: everybody may sign in again. */
  prepare(databaseUrl: string, secretKey: string): Promise<void>
}

const emailOf = (n: number) => `login-${n}@example.com`
const tokenOf = (n: number) => `code_${String(n).padStart(43, '0')}`
const sha256 = (text: string) => createHash('sha256').update(text).digest()

export const signInByMail = login({
  name: 'sign-in',
  path: '/auth/sign-in',
  does: 'a code is made, kept and put into the queue of mails, which are not taken',
  body: (n) => ({ email: emailOf(n) }),
  prepare: async () => {},
})

export const finalizeMagicAuth = login({
  name: 'finalize-magic-auth',
  path: '/auth/finalize-magic-auth',
  does: 'a mailed code becomes a session',
  body: (n) => ({ email: emailOf(n), code: CODE }),
  prepare: putCodes,
})

export const finalizeOauth = login({
  name: 'finalize-oauth',
  path: '/auth/finalize-oauth',
  does: 'who comes back from a provider has a session',
  body: (n) => ({ code: tokenOf(n) }),
  prepare: putReturned,
})

function login(one: Login): Benchmark {
  return {
    name: one.name,
    describe: `POST ${one.path} (${one.does}; ${PEOPLE} people of one organization), as production serves it, against bare node:http + pg with the same hashes and the statements that it cannot do without`,
    unit: 'requests/s',
    goal: { ratioMin: 0.4 },
    prepare: ({ seconds }) => contest(one, seconds),
  }
}

function contest({ name, path, body, prepare }: Login, seconds: number): Promise<Contest> {
  return openContest(async (ends) => {
    const secretKey = randomBytes(48).toString('base64')
    const { office, running, person, base } = await openProduction(ends, {
      SECRET_KEY: secretKey,
      ...Object.fromEntries(NO_LIMITS.map((setting) => [setting, '0'])),
    })
    const databaseUrl = await office.databaseUrl()
    await employ(databaseUrl, person.organizationId)
    const bare = await openBare(ends, BASELINE, [databaseUrl, secretKey, name])
    pinSides(ends, running, bare)
    const headers = { 'content-type': 'application/json', cookie: `atrium_browser=${BROWSER}` }
    const side = async (url: string, { pid }: ServerProcess, duration: number): Promise<Sample> => {
      await prepare(databaseUrl, secretKey)
      let n = 0
      const next = () => {
        n += 1
        assert(n <= PEOPLE, 'more people sign in than there are')
        return { headers, body: JSON.stringify(body(n)) }
      }
      return await applyLoad({ method: 'POST', url, pid, next, connections: CONNECTIONS, seconds: duration })
    }
    return await underLoad(seconds, {
      subject: (duration) => side(`${base}${path}`, running, duration),
      baseline: (duration) => side(`${bare.base}${path}`, bare, duration),
    })
  })
}

/** People with a proven address and an account at a provider. */
async function employ(databaseUrl: string, organizationId: string): Promise<void> {
  await connected(databaseUrl, async (client) => {
    await client.query(
      `with people as (
         insert into users (identity_user_id, email, display_name, email_verified_at, created_at, updated_at)
         select 'user_' || lpad(n::text, 26, '0'), 'login-' || n || '@example.com', 'Person ' || n, now(), now(), now()
         from generate_series(1, $2::int) n returning id, email),
       linked as (
         insert into linked_identities (issuer, subject, user_id, created_at)
         select $3, email, id, now() from people)
       insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
       select o.id, p.id, 'member', 'active', now(), now()
       from people p, organizations o where o.identity_organization_id = $1`,
      [organizationId, PEOPLE, ISSUER],
    )
    await client.query('vacuum analyze')
  })
}

const everybody = Array.from({ length: PEOPLE }, (_, at) => at + 1)

async function putCodes(databaseUrl: string, secretKey: string): Promise<void> {
  const emails = everybody.map(emailOf)
  const hashes = emails.map((email) => keyedHash(secretKey, 'email-codes', 'email-code', email, CODE))
  await connected(databaseUrl, async (client) => {
    await client.query('truncate email_codes, code_requests')
    await client.query(
      `insert into email_codes (email, browser_hash, code_hash, attempts, created_at, expires_at)
       select email, $3, hash, 0, now(), now() + interval '10 minutes'
       from unnest($1::text[], $2::bytea[]) one (email, hash)`,
      [emails, hashes, sha256(BROWSER)],
    )
    await client.query(
      `insert into code_requests (email, browser_hash, created_at, expires_at)
       select email, $2, now(), now() + interval '1 hour' from unnest($1::text[]) email`,
      [emails, sha256(BROWSER)],
    )
    await client.query('vacuum analyze email_codes, code_requests')
  })
}

async function putReturned(databaseUrl: string, secretKey: string): Promise<void> {
  const identities = everybody.map((n) => {
    const asserted = { issuer: ISSUER, subject: emailOf(n), email: emailOf(n), emailVerified: true }
    const rest = { emailAuthoritative: false, firstName: '', lastName: '', session: null, choice: null }
    const text = JSON.stringify({ ...asserted, ...rest })
    return seal(secretKey, 'redirect-sign-in', text, ['redirect_sign_ins.sealed_identity', String(n)])
  })
  await connected(databaseUrl, async (client) => {
    await client.query('truncate redirect_sign_ins')
    await client.query(
      `insert into redirect_sign_ins (id, way, state_hash, browser_hash, sealed_secrets, created_at, expires_at,
         returned_at, code_hash, code_expires_at, sealed_identity)
       overriding system value
       select id, 'provider-a', hash, $4, '', now(), now() + interval '10 minutes', now(), hash,
         now() + interval '10 minutes', identity
       from unnest($1::bigint[], $2::bytea[], $3::bytea[]) one (id, hash, identity)`,
      [everybody, everybody.map((n) => sha256(tokenOf(n))), identities, sha256(BROWSER)],
    )
    await client.query('vacuum analyze redirect_sign_ins')
  })
}
