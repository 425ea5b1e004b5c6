import { eventually } from './waiting.ts'

/** The code that an office has mailed to somebody, from the mailbox of its sandbox; another node may still be at it. */
export async function mailedCode(url: string, email: string): Promise<string> {
  let code: string | undefined
  const arrived = async () => {
    const inbox = await fetch(`${url}/sandbox/mail?to=${encodeURIComponent(email)}`, {
      headers: { accept: 'application/json' },
    })
    const mails = (await inbox.json()) as { code?: string }[]
    code = mails.find((mail) => mail.code)?.code
    return code !== undefined
  }
  await eventually(`a code for ${email}`, arrived, { withinMs: 20_000 })
  return code as unknown as string
}
