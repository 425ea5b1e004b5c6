import { randomInt } from 'node:crypto'
import type { Budgets } from '../../access/budgets/budgets.ts'
import type { SignedInCaller } from '../../access/caller.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { queueMails } from '../../platform/mail/mail-queue.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { keyedHash, type RotatingKey } from '../../platform/secrets/secret.ts'
import type { MailMessage } from '../../ports/mail.ts'
import { type Attempt, type ConfirmationPurpose, keepConfirmation, tryConfirmation } from './store.ts'

const CODE_DIGITS = 6
const LIFETIME_SECONDS = 10 * 60
const TRIES_MAX = 5

export interface ConfirmationNeeds {
  db: Db
  clock: Clock
  /** Keys the hash of codes: a plain hash of six digits is undone at once. */
  accountCodeKeys: RotatingKey
  mailRing: KeyRing
  budgets: Pick<Budgets, 'drawCode'>
}

/** A code that is mailed, and how long it works. */
export interface MailedCode {
  code: string
  minutes: number
}

/**
 * Mails codes that confirm what the caller has begun, and nothing else: they are no sign-in.
 * @param request.newEmail normalized; where the account shall have another address
 * @throws Refusal too-many
 */
export async function askForConfirmation(
  needs: ConfirmationNeeds,
  caller: SignedInCaller,
  request: {
    purpose: ConfirmationPurpose
    newEmail?: string
    mailsOf(code: MailedCode, newCode: MailedCode): MailMessage[]
  },
): Promise<Date> {
  const { purpose, newEmail } = request
  const { id: user, email } = caller.user
  for (const address of [email, ...(newEmail === undefined ? [] : [newEmail])])
    await needs.budgets.drawCode(caller, address)
  const now = needs.clock.now()
  const expiresAt = secondsAfter(now, LIFETIME_SECONDS)
  const [code, newCode] = [freshCode(), freshCode()]
  const { current } = needs.accountCodeKeys
  const renewed =
    newEmail === undefined
      ? {}
      : { renewed: { email: newEmail, codeHash: hashOf(current, user, 'new', newCode) } }
  const codeHash = hashOf(current, user, 'current', code)
  const minutes = LIFETIME_SECONDS / 60
  const mails = request.mailsOf({ code, minutes }, { code: newCode, minutes })
  await transaction(needs.db, async (tx) => {
    await keepConfirmation(tx, { user, purpose, email, codeHash, ...renewed, expiresAt }, now)
    await queueMails(tx, needs.mailRing, mails, {
      mailClass: 'code',
      now,
      notAfter: expiresAt,
      about: user,
    })
  })
  return expiresAt
}

/** Codes that are right, and the addresses they were mailed to. */
export interface Proof {
  attempt: Attempt
  email: string
  newEmail: string | null
}

/**
 * Spends a try. What is done by right codes uses them up (`useConfirmation`), in the transaction that does it.
 * @param newCode where the account shall have another address
 * @throws Refusal invalid, in one way for every way in which codes may not fit
 */
export async function proveByCodes(
  needs: Pick<ConfirmationNeeds, 'db' | 'clock' | 'accountCodeKeys'>,
  { user }: Pick<SignedInCaller, 'user'>,
  entry: { purpose: ConfirmationPurpose; code: string; newCode?: string },
): Promise<Proof> {
  const { purpose, code, newCode } = entry
  const { all } = needs.accountCodeKeys
  const codeHashes = all.map((key) => hashOf(key, user.id, 'current', code))
  const newCodeHashes =
    newCode === undefined ? undefined : all.map((key) => hashOf(key, user.id, 'new', newCode))
  const attempt = { user: user.id, purpose, codeHashes, newCodeHashes }
  const proven = await tryConfirmation(needs.db, attempt, TRIES_MAX, needs.clock.now())
  if (!proven || proven.email !== user.email) throw Refusal.of('invalid-code')
  return { attempt, ...proven }
}

function freshCode(): string {
  return randomInt(0, 10 ** CODE_DIGITS)
    .toString()
    .padStart(CODE_DIGITS, '0')
}

function hashOf(key: Uint8Array, user: string, address: 'current' | 'new', code: string): Buffer {
  return keyedHash(key, 'account-code', user, address, code.trim())
}
