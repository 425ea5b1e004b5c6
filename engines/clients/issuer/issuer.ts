import { spawn } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { trySingleSignOn } from '../../keycloak/single-sign-on.ts'
import { type Ends, end, untilAnswers } from '../../processes.ts'
import { buildGo, sourceOf } from '../toolchains.ts'
import type { Walk } from '../walk.ts'

/** Another issuer than Keycloak, as the single sign-on of an organization: it says who comes by `userinfo` alone. */

const [OIDC, TEXT] = ['v3.52.0', 'v0.43.0']

export const ISSUERS: readonly Walk[] = [
  {
    software: `zitadel/oidc ${OIDC} (Go), the provider of its example`,
    needs: 'go',
    async walk(office, folder) {
      await copyFile(sourceOf('issuer/issuer.go'), join(folder, 'issuer.go'))
      const modules = [`github.com/zitadel/oidc/v3 ${OIDC}`, `golang.org/x/text ${TEXT}`]
      const [program, ...args] = await buildGo(folder, modules)
      const port = String(await freePort())
      const provider = spawn(program, args, { stdio: 'ignore', env: { ...process.env, PORT: port } })
      const ends: Ends = [() => end(provider)]
      try {
        const issuer = `http://localhost:${port}/`
        await untilAnswers(`${issuer}.well-known/openid-configuration`)
        const registration = { issuer, clientId: 'web', clientSecret: 'secret' }
        const its = { domain: 'zitadel.example', signOutPath: '/end_session' }
        await trySingleSignOn(office, { ...registration, ...its }, (_, work) => work())
      } finally {
        for (const close of ends) await close()
      }
    },
  },
]
