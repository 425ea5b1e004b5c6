import { escapeHtml } from '../escape-html.ts'
import type { MailLanguage } from './mail-language.ts'

/** The frame around the content of every HTML mail. */
export function mailPage(content: string, language: MailLanguage): string {
  return `<!doctype html><html lang="${language}"><body style="font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:24px auto;padding:0 16px">${content}</body></html>`
}

/** A code that is to be read and typed, as a paragraph of its own. */
export function codeInMail(code: string): string {
  return `<p style="font:700 32px/1.2 ui-monospace,monospace;letter-spacing:6px;margin:24px 0">${escapeHtml(code)}</p>`
}

/** In the place of a name, after a preposition; and a name as each language quotes it. */
const ORGANIZATION: Record<MailLanguage, { unnamed: string; named(name: string): string }> = {
  en: { unnamed: 'the organization that invited you', named: (name) => `"${name}"` },
  de: { unnamed: 'der Organisation, die dich eingeladen hat', named: (name) => `„${name}“` },
}

/**
 * The name of an organization as mails repeat it. Strangers choose it: one that a mail program would make a link of is
 * not repeated.
 */
export function organizationInMail(name: string, language: MailLanguage): string {
  const words = ORGANIZATION[language]
  return /[:/\\@]|\w\.\w/.test(name) ? words.unnamed : words.named(name)
}
