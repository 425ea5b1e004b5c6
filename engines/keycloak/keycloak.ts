import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { openOperatedOffice } from '../fresh-office.ts'
import { keep, keptAt } from '../kept.ts'
import { untilAnswers } from '../processes.ts'
import { trySingleSignOn } from './single-sign-on.ts'
import { openVisitor } from './visitor.ts'

const VERSION = '26.7.3'
const KEPT = [`keycloak-${VERSION}`, `keycloak-${VERSION}/bin/kc.sh`] as const
const REALM = 'atrium'
const SECRET = 'keycloak-client-secret'
const READY_WITHIN_MS = 240_000

/** A real OpenID Connect provider in place of a social one. */
export const keycloak: Engine = {
  name: 'keycloak',
  about: `Keycloak ${VERSION}, as provider B and as the single sign-on of an organization`,
  install: download,
  async try(check) {
    const ends: (() => Promise<unknown>)[] = []
    try {
      const issuer = await startKeycloak(ends)
      const office = await openOperatedOffice(
        {
          MICROSOFT_CLIENT_ID: 'atrium',
          MICROSOFT_CLIENT_SECRET: SECRET,
          MICROSOFT_ISSUER_URL: issuer,
        },
        ends,
      )
      await signIns(office.url, check)
      const registration = { issuer, clientId: 'atrium', clientSecret: SECRET }
      const keycloaks = { domain: 'keycloak.example', signOutPath: '/protocol/openid-connect/logout' }
      await trySingleSignOn(office, { ...registration, ...keycloaks }, check)
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

async function download(): Promise<string | undefined> {
  const archive = `~/.m2/repository/org/keycloak/keycloak-quarkus-dist/${VERSION}/keycloak-quarkus-dist-${VERSION}.zip`
  const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`
  try {
    await keep(...KEPT, async (draft) => {
      await run('mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false'])
      await run('sh', ['-c', `unzip -q -o ${archive}`], { cwd: draft })
    })
    return undefined
  } catch (error) {
    return `it cannot be had here: ${error instanceof Error ? error.message.slice(0, 300) : error}`
  }
}

/** A person with an address that Keycloak calls verified, and one without. */
const PEOPLE = [
  { username: 'ada', email: 'ada@keycloak.example', emailVerified: true },
  { username: 'eve', email: 'eve@keycloak.example', emailVerified: false },
]

async function startKeycloak(ends: (() => Promise<unknown>)[]): Promise<string> {
  const port = await freePort()
  const realm = {
    realm: REALM,
    enabled: true,
    sslRequired: 'none',
    clients: [
      {
        clientId: 'atrium',
        secret: SECRET,
        redirectUris: ['http://localhost/*', 'http://localhost:*', '*'],
        standardFlowEnabled: true,
        attributes: {
          'pkce.code.challenge.method': 'S256',
          'post.logout.redirect.uris': 'http://localhost:*',
        },
      },
    ],
    users: PEOPLE.map((person) => ({
      ...person,
      enabled: true,
      firstName: person.username,
      lastName: 'Keycloak',
      credentials: [{ type: 'password', value: 'password', temporary: false }],
    })),
  }
  const home = join(keptAt(...KEPT), '../..')
  await mkdir(join(home, 'data', 'import'), { recursive: true })
  await writeFile(join(home, 'data', 'import', 'atrium-realm.json'), JSON.stringify(realm))
  const address = ['--http-host=127.0.0.1', `--http-port=${port}`]
  const child = spawn(
    join(home, 'bin', 'kc.sh'),
    ['start-dev', '--db=dev-mem', '--cache=local', ...address, '--import-realm'],
    {
      stdio: 'ignore',
      // a script that starts Java: both are ended together
      detached: true,
      env: {
        ...process.env,
        KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
        KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin',
        JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
      },
    },
  )
  ends.push(async () => {
    if (child.exitCode !== null || child.pid === undefined) return
    const ended = once(child, 'exit')
    process.kill(-child.pid, 'SIGTERM')
    await ended
  })
  const issuer = `http://127.0.0.1:${port}/realms/${REALM}`
  await untilAnswers(`${issuer}/.well-known/openid-configuration`, READY_WITHIN_MS)
  return issuer
}

async function signIns(url: string, check: Check): Promise<void> {
  await check('somebody whose address is verified signs in, and is known again', async () => {
    const first = await signIn(url, 'ada')
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.deepEqual((await signIn(url, 'ada')).body, first.body)
  })
  await check('somebody whose address is not verified is sent to prove it', async () => {
    const answer = await signIn(url, 'eve')
    assert.equal(answer.status, 400)
    assert.equal((answer.body as { error?: string }).error, 'email-not-proven')
  })
}

async function signIn(url: string, username: string) {
  const { client, logIn } = openVisitor(url)
  const { authData } = await client.call('continueWithProviderB')
  const back = await logIn(authData.redirectURL, username, (at) => at.pathname === '/auth/complete')
  return await client.request('finalizeOauth', { code: back.searchParams.get('code') || back.search || '-' })
}
