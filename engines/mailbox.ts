import { eventually } from './waiting.ts'

/** The code that an office has mailed to somebody, from the mailbox of its sandbox; another node may still be at it. */
export function mailedCode(url: string, email: string): Promise<string> {
  const find = async () => {
    const inbox = await fetch(`${url}/sandbox/mail?to=${encodeURIComponent(email)}`, {
      headers: { accept: 'application/json' },
    })
    const mails = (await inbox.json()) as { code?: string }[]
    return mails.find((mail) => mail.code)?.code
  }
  return eventually(`a code for ${email}`, find, { withinMs: 10_000 })
}
