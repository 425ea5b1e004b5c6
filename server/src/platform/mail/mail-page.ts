import type { MailLanguage } from './mail-language.ts'

/** The frame around the content of every HTML mail. */
export function mailPage(content: string, language: MailLanguage): string {
  return `<!doctype html><html lang="${language}"><body style="font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:24px auto;padding:0 16px">${content}</body></html>`
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
