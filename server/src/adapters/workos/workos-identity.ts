import { createHash, randomBytes } from 'node:crypto'
import type { WorkOS } from '@workos-inc/node'
import type { Clock } from '../../platform/clock.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { IdentityUserId } from '../../platform/ids.ts'
import { queueMail } from '../../platform/mail/mail-queue.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import type { AssertedIdentity } from '../../ports/asserted-identity.ts'
import type { IdentityPort, RedirectWay, SocialProvider } from '../../ports/identity.ts'
import type { MailMessage } from '../../ports/mail.ts'
import { requireUserId } from './answers.ts'
import { type Authenticated, authenticated, chosen } from './authentication.ts'
import type { BackgroundSender } from './background-sender.ts'
import { listConnected } from './connections.ts'
import { ask, errorsOf, malformed, orGone } from './failures.ts'
import { joiningMail, noAccountMail, singleSignOnMail } from './mails.ts'
import { isTaken, workosMemberships } from './memberships.ts'
import { workosOrganizations } from './organizations.ts'

export interface WorkosIdentityNeeds {
  workos: WorkOS
  clientId: string
  db: Db
  clock: Clock
  /** Seals the mails that are ours to send: it mails the codes itself. */
  mailRing: KeyRing
  frontendUrl: string
  /** For what an answer must not wait for. */
  sender: BackgroundSender
}

/** Subjects are its user ids, for every way in: it links them itself. */
const ISSUER = 'https://api.workos.com'
const PROVIDERS = { 'provider-a': 'GoogleOAuth', 'provider-b': 'MicrosoftOAuth' } as const satisfies Record<
  SocialProvider,
  string
>
const MAIL_SECONDS = 10 * 60
const CONNECTIONS_FRESH_MS = 60_000

/** The identity port served by WorkOS. The owners of domains are read from our own directory. */
export function workosIdentity(needs: WorkosIdentityNeeds): IdentityPort {
  const { workos, clientId } = needs
  const users = workos.userManagement
  const knownConnections = new Map<string, { active: boolean; until: number }>()

  const findUser = async (email: string): Promise<IdentityUserId | undefined> => {
    const found = await ask('listUsers', () => users.listUsers({ email, limit: 1 }))
    const [user] = found.data
    return user && requireUserId(user.id)
  }
  return {
    // Which social providers are switched on is known to its dashboard only.
    waysIn: ['code', 'sso', ...(Object.keys(PROVIDERS) as SocialProvider[])],
    connections: null,
    async sendCode({ email, language, hasAccount, joining, singleSignOnOnly }) {
      const now = needs.clock.now()
      const addressee = { to: email, language, frontendUrl: needs.frontendUrl }
      const times = { mailClass: 'code', now, notAfter: secondsAfter(now, MAIL_SECONDS) } as const
      const mail = (message: MailMessage) => queueMail(needs.db, needs.mailRing, message, times)
      if (singleSignOnOnly) needs.sender.begin(() => mail(singleSignOnMail(addressee)))
      else if (!hasAccount) needs.sender.begin(() => mail(noAccountMail(addressee)))
      else {
        if (joining !== undefined) needs.sender.begin(() => mail(joiningMail(addressee, joining)))
        // The answer carries the code: it goes no further than this line.
        needs.sender.begin(
          async () => void (await ask('createMagicAuth', () => users.createMagicAuth({ email }))),
        )
      }
    },
    async proveByCode({ email, code }) {
      const proven = await authenticated('authenticateWithMagicAuth', () =>
        users.authenticateWithMagicAuth({ clientId, email, code: code.trim() }),
      )
      if (proven && 'obstacle' in proven) return proven
      if (proven?.email.toLowerCase() !== email) return undefined
      return {
        email,
        askedBy: null,
        session: proven.session,
        choice: proven.choice,
        // WorkOS has done so
        spend: async () => true,
      }
    },
    async chooseOrganization({ choice, organization }) {
      const selection = { clientId, pendingAuthenticationToken: choice, organizationId: organization }
      return await chosen(() => users.authenticateWithOrganizationSelection(selection))
    },
    async createUser({ email, knownAs }) {
      try {
        const made = await ask('createUser', () => users.createUser({ email }), isEmailTaken)
        return requireUserId(made.id)
      } catch (error) {
        if (!isEmailTaken(error)) throw error
        const theirs = knownAs ?? (await findUser(email))
        if (theirs) return theirs
        throw malformed('user')
      }
    },
    async changeEmail({ user, email }) {
      try {
        const change = { userId: user, email, emailVerified: true }
        await ask('updateUser', () => users.updateUser(change), isEmailTaken)
        return true
      } catch (error) {
        if (isEmailTaken(error)) return false
        throw error
      }
    },
    async deleteUser({ user }) {
      await orGone('deleteUser', () => users.deleteUser(user))
    },
    ...workosOrganizations(workos),
    ...workosMemberships(workos),
    async startRedirect({ way, state, redirectUri, loginHint }) {
      const codeVerifier = randomBytes(32).toString('base64url')
      const redirectURL = users.getAuthorizationUrl({
        clientId,
        ...selectorOf(way),
        redirectUri,
        state,
        codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        codeChallengeMethod: 'S256',
        ...(loginHint === undefined ? {} : { loginHint }),
      })
      // Its connections are behind one issuer: codes of others do not come back here.
      return { redirectURL, redirectUri, secrets: JSON.stringify({ codeVerifier }) }
    },
    async finishRedirect({ way, callbackUrl, state, secrets }) {
      const code = callbackUrl.searchParams.get('code')
      if (!code || callbackUrl.searchParams.get('state') !== state) return undefined
      const { codeVerifier } = JSON.parse(secrets) as { codeVerifier: string }
      const proven = await authenticated('authenticateWithCode', () =>
        users.authenticateWithCode({ clientId, code, codeVerifier }),
      )
      if (!proven || 'obstacle' in proven) return proven
      // Its connections belong to organizations: who comes by one must come into the one that was asked for.
      if (way.kind === 'sso' && proven.organization !== way.organization) return undefined
      return toAssertedIdentity(proven)
    },
    async hasSingleSignOn(organization) {
      const known = knownConnections.get(organization)
      if (known && known.until > Date.now()) return known.active
      const found = await ask('listConnections', () =>
        workos.sso.listConnections({ organizationId: organization, limit: 100 }),
      )
      const active = found.data.some((connection) => connection.state === 'active')
      knownConnections.set(organization, { active, until: Date.now() + CONNECTIONS_FRESH_MS })
      return active
    },
    listSingleSignOn: () => listConnected(workos),
    logoutUrl: ({ returnTo, session }) =>
      session === null ? returnTo : users.getLogoutUrl({ sessionId: session, returnTo }),
  }
}

/** It has a user under the address already. */
function isEmailTaken(error: unknown): boolean {
  return isTaken(error) || errorsOf(error).includes('email_not_available')
}

function selectorOf(way: RedirectWay): { organizationId: string } | { provider: string } {
  return way.kind === 'sso' ? { organizationId: way.organization } : { provider: PROVIDERS[way.kind] }
}

function toAssertedIdentity(proven: Authenticated): AssertedIdentity {
  const { userId, email, emailVerified, firstName, lastName, session, choice } = proven
  const authoritative = { emailVerified, emailAuthoritative: true }
  return { issuer: ISSUER, subject: userId, email, ...authoritative, firstName, lastName, session, choice }
}
