import { emailSentence } from '../platform/http/input/input-sentences.ts'
import { invalidInput } from '../platform/refusal.ts'
import { composed, unicodeHost } from '../platform/text/unicode.ts'
import { asciiDomain } from './domains/domain-name.ts'

const LENGTH_MAX = 254
/** As long as that, in any spelling. */
const SPELLING_MAX = 4 * LENGTH_MAX
const LOCAL_PART_MAX = 64
/** Unquoted local parts only: real addresses need no more, and headers stay safe. */
const LOCAL_PART = /^[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}\p{Cs}]+$/u

/**
 * An address in the one form it is stored, compared and mailed to: trimmed, NFC, lower case, domain in ASCII
 * (IDNA). Dots and plus signs stay: they make another mailbox. Undefined where it is no address.
 */
export function normalizeEmail(text: string): string | undefined {
  const trimmed = text.trim()
  const address = trimmed.length > SPELLING_MAX ? undefined : composed(trimmed)
  return address === undefined ? undefined : normalizedOf(address)
}

function normalizedOf(trimmed: string): string | undefined {
  const at = trimmed.lastIndexOf('@')
  const localPart = trimmed.slice(0, at).toLowerCase()
  const domain = asciiDomain(trimmed.slice(at + 1))
  if (at < 1 || domain === undefined) return undefined
  if (localPart.length > LOCAL_PART_MAX || !LOCAL_PART.test(localPart)) return undefined
  if (localPart.startsWith('.') || localPart.endsWith('.') || localPart.includes('..')) return undefined
  const email = `${localPart}@${domain}`
  return email.length > LENGTH_MAX ? undefined : email
}

/** How an address in its one form is written by people, and that form: an international domain has two. */
export function spellingsOf(email: string): string[] {
  const at = email.lastIndexOf('@')
  return [...new Set([email, `${email.slice(0, at)}@${unicodeHost(email.slice(at + 1))}`])]
}

/** @throws Refusal where the field holds no address */
export function requireEmail(text: string, field = 'email'): string {
  const email = normalizeEmail(text)
  if (email) return email
  throw invalidInput([{ field, message: emailSentence() }])
}

/** Whether a text is an address, as `normalizeEmail` reads it. */
export function isEmail(text: string): boolean {
  return normalizeEmail(text) !== undefined
}
