import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'

export interface MailStandIn {
  /** For SMTP_URL. */
  url: string
  /** The code in the latest mail to an address. */
  codeFor(email: string): Promise<string>
}

/** A mail server that takes everything, and shows it. */
export async function startMailStandIn(
  ends: Ends,
  at = { address: '127.0.0.1', port: 0 },
): Promise<MailStandIn> {
  const codes = new Map<string, string>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    async onData(stream, session, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const { text = '' } = await PostalMime.parse(Buffer.concat(chunks))
      const code = /\b\d{6}\b/.exec(text)?.[0]
      if (code) for (const { address } of session.envelope.rcptTo) codes.set(address, code)
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(at.port, at.address, resolve))
  ends.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://${at.address}:${port}`,
    codeFor: (email) => eventually(`a code for ${email}`, () => codes.get(email)),
  }
}
