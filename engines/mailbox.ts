import { eventually } from './waiting.ts'

/**
 * The code that an office has mailed to an address, from the mailbox of its sandbox; another node may still be at it.
 * @param subject a part of the mail's
 */
export function mailedCode(url: string, email: string, subject = ''): Promise<string> {
  const find = async () => {
    const inbox = await fetch(`${url}/sandbox/mail?to=${encodeURIComponent(email)}`, {
      headers: { accept: 'application/json' },
    })
    // busy for a moment: asked again
    if (!inbox.ok) return undefined
    const mails = (await inbox.json()) as { code?: string; subject: string }[]
    return mails.find((mail) => mail.code && mail.subject.includes(subject))?.code
  }
  return eventually(`a code for ${email}`, find, { withinMs: 10_000 })
}
