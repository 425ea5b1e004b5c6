import { randomInt } from 'node:crypto'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { refuseInsideTransaction, transaction } from '../../platform/database/transaction.ts'
import { newIdentityId, trusted } from '../../platform/ids.ts'
import { queueMail } from '../../platform/mail-queue.ts'
import type { KeyRing } from '../../platform/sealed-column.ts'
import { keyedHash } from '../../platform/secret.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import { replaceCode, tryCode } from './code-store.ts'
import { codeMail, noAccountMail } from './mails.ts'

const CODE_DIGITS = 6
const CODE_LIFETIME_SECONDS = 10 * 60
const CODE_TRIES = 5

export interface LocalIdentityNeeds {
  db: Db
  clock: Clock
  /** Seals the mails that wait in the queue: they carry codes. */
  mailRing: KeyRing
  /** Keys the hash of codes: a plain hash of six digits is undone at once. */
  codeKey: Uint8Array
  frontendUrl: string
}

/** The identity port served by this office itself: e-mailed codes; ids of our own making. */
export function localIdentity(needs: LocalIdentityNeeds): IdentityPort {
  const hashOf = (email: string, code: string) => keyedHash(needs.codeKey, 'email-code', email, code)
  return {
    async sendCode({ email, hasAccount }) {
      refuseInsideTransaction('identity.sendCode')
      const now = needs.clock.now()
      const expiresAt = secondsAfter(now, CODE_LIFETIME_SECONDS)
      const code = randomInt(0, 10 ** CODE_DIGITS)
        .toString()
        .padStart(CODE_DIGITS, '0')
      // Without an account the same steps are taken with a code that nobody is told.
      const mail = hasAccount
        ? codeMail(needs, email, code, CODE_LIFETIME_SECONDS / 60)
        : noAccountMail(needs, email)
      await transaction(needs.db, async (tx) => {
        await replaceCode(tx, { email, hash: hashOf(email, code), expiresAt }, now)
        await queueMail(tx, needs.mailRing, mail, { now, notAfter: expiresAt })
      })
    },
    async proveByCode({ email, code }) {
      refuseInsideTransaction('identity.proveByCode')
      const attempt = { email, hash: hashOf(email, code.trim()), triesMax: CODE_TRIES }
      return (await tryCode(needs.db, attempt, needs.clock.now())) ? { email } : undefined
    },
    async createUser() {
      return trusted.identityUserId(newIdentityId('user', needs.clock.now()))
    },
    async createOrganization() {
      return trusted.identityOrganizationId(newIdentityId('org', needs.clock.now()))
    },
    // The directory is the only record of memberships and names here.
    async createMembership() {},
    async removeMembership() {},
    async renameOrganization() {},
    logoutUrl: ({ returnTo }) => returnTo,
  }
}
