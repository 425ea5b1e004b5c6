import { randomInt } from 'node:crypto'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { queueMail } from '../../platform/mail/mail-queue.ts'
import { outside } from '../../platform/outside/outside.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { keyedHash, type RotatingKey } from '../../platform/secrets/secret.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import { replaceCode, spendCode, tryCode } from './code-store.ts'
import { codeMail, noAccountMail, singleSignOnMail } from './mails.ts'

const CODE_DIGITS = 6
const CODE_LIFETIME_SECONDS = 10 * 60
const CODE_TRIES = 5
const NO_BROWSER = Buffer.alloc(0)

export interface MailedCodesNeeds {
  db: Db
  clock: Clock
  /** Seals the mails that wait in the queue: they carry codes. */
  mailRing: KeyRing
  /** Keys the hash of codes: a plain hash of six digits is undone at once. */
  codeKeys: RotatingKey
  frontendUrl: string
}

/** Sign-in by a code that is mailed. */
export function mailedCodes(needs: MailedCodesNeeds): Pick<IdentityPort, 'sendCode' | 'proveByCode'> {
  return {
    async sendCode({ email, language, hasAccount, browserHash, joining, singleSignOnOnly }) {
      const now = needs.clock.now()
      const expiresAt = secondsAfter(now, CODE_LIFETIME_SECONDS)
      const code = randomInt(0, 10 ** CODE_DIGITS)
        .toString()
        .padStart(CODE_DIGITS, '0')
      // Without an account the same steps are taken with a code that is not mailed.
      const addressee = { to: email, language }
      const mail = singleSignOnOnly
        ? singleSignOnMail(needs, addressee)
        : hasAccount
          ? codeMail(needs, addressee, { code, minutes: CODE_LIFETIME_SECONDS / 60, joining })
          : noAccountMail(needs, addressee)
      await likeOthers('sendCode', () =>
        transaction(needs.db, async (tx) => {
          const hash = hashOf(needs.codeKeys.current, email, code)
          await replaceCode(tx, { email, browserHash, hash, expiresAt }, now)
          await queueMail(tx, needs.mailRing, mail, { mailClass: 'code', now, notAfter: expiresAt })
        }),
      )
    },
    async proveByCode({ email, code, browserHash }) {
      const hashes = needs.codeKeys.all.map((key) => hashOf(key, email, code.trim()))
      const attempt = { email, browserHash, hashes, triesMax: CODE_TRIES }
      const right = await likeOthers('proveByCode', () => tryCode(needs.db, attempt, needs.clock.now()))
      // A code of an earlier release names no browser: it has asked for nothing else than to sign in.
      return (
        right && {
          email,
          askedBy: right.askedBy ?? NO_BROWSER,
          session: null,
          choice: null,
          spend: (tx) => spendCode(tx, right.id, needs.clock.now()),
        }
      )
    },
  }
}

function hashOf(key: Uint8Array, email: string, code: string): Buffer {
  return keyedHash(key, 'email-code', email, code)
}

/** What another provider is called for is called the same way here; errors of our own database stay what they are. */
function likeOthers<T>(action: string, work: () => Promise<T>): Promise<T> {
  return outside({ provider: 'local identity', action }, work, (error) => error)
}
