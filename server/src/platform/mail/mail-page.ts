/** The frame around the content of every HTML mail. */
export function mailPage(content: string): string {
  return `<!doctype html><html lang="en"><body style="font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:24px auto;padding:0 16px">${content}</body></html>`
}

/**
 * The name of an organization as mails repeat it. Strangers choose it: one that a mail program would make a link of is
 * not repeated.
 */
export function organizationInMail(name: string): string {
  return /[:/\\@]|\w\.\w/.test(name) ? 'the organization that invited you' : `"${name}"`
}
