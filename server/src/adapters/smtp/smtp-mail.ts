import { createTransport } from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import { PARALLEL_MAILS } from '../../platform/mail/mail-queue.ts'
import { outside } from '../../platform/outside/outside.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { Secret } from '../../platform/secrets/secret.ts'
import type { MailPort } from '../../ports/mail.ts'

export interface SmtpMailOptions {
  /** `smtp://user:password@host:587` (STARTTLS where offered; `?requireTLS=true` insists) or `smtps://…`. */
  url: Secret
  /** One address, with or without a name: `Atrium <no-reply@example.com>`. */
  from: string
  /** In milliseconds. For tests. */
  timeouts?: { connect: number; silence: number; whole: number }
}

/** Connections are kept open for the next mail; `close` ends them. */
export type SmtpMail = MailPort & { close(): void }

/** Nothing that could be read as more than one address, or as anything else. */
const ONE_ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()\\,;"@]{1,253}$/u
const TIMEOUTS = { connect: 5_000, silence: 10_000, whole: 30_000 }

/** The mail port served by any SMTP server. @throws Error where `from` is not one address */
export function smtpMail({ url, from, timeouts = TIMEOUTS }: SmtpMailOptions): SmtpMail {
  const sender = parseSender(from)
  const transport = createTransport({
    url: url.reveal(),
    pool: true,
    maxConnections: PARALLEL_MAILS,
    maxRequeues: 1,
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.connect,
    socketTimeout: timeouts.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html }) {
      if (!ONE_ADDRESS.test(to)) throw failureOf('mail.send', { code: 'EENVELOPE', command: 'API' })
      const recipient = { name: '', address: to }
      const mail = {
        from: sender,
        to: recipient,
        // objects, never strings: nodemailer reads a string as a list of addresses, here too
        envelope: { from: sender, to: [recipient] },
        subject: onOneLine(subject),
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(timeouts.whole),
      }
      await call('mail.send', () => transport.sendMail(mail))
    },
    async check() {
      await call('mail.check', () => transport.verify())
    },
    close: () => transport.close(),
  }
}

function call<T>(action: string, work: () => Promise<T>): Promise<T> {
  return outside({ provider: 'smtp', action }, work, (error) => failureOf(action, error))
}

function parseSender(from: string): { name: string; address: string } {
  const [sender, ...others] = addressparser(from, { flatten: true })
  if (!sender || others.length > 0 || !ONE_ADDRESS.test(sender.address)) {
    throw new Error(`the sender of mails must be one address, not "${from}"`)
  }
  return { name: onOneLine(sender.name), address: sender.address }
}

function onOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** Only the recipient's own 5xx is final: everything else may be the server's bad day or our configuration. */
function failureOf(action: string, error: unknown): ProviderFailure {
  const { code, command, responseCode, response, message } = error as {
    message?: string
    code?: string
    command?: string
    responseCode?: number
    response?: string
  }
  // 'API': found out before any server was asked
  const refused =
    (command === 'RCPT TO' && (responseCode ?? 0) >= 500) || (code === 'EENVELOPE' && command === 'API')
  const enhanced = response?.match(/^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/)?.[1]
  const status = [code, responseCode, enhanced].filter(Boolean).join(' ')
  const cause = Object.assign(new Error(sentenceOf({ code, command, response, message }, status)), {
    code: status,
  })
  return new ProviderFailure('smtp', action, { retryable: !refused, cause })
}

/** What OpenSSL says where the other side answers in plain text. */
const NO_TLS = /wrong version number|packet length too long|http request/i

/** The words of the server are left behind: they repeat addresses. Before it has said any, they are those of the system. */
function sentenceOf(
  {
    code,
    command,
    response,
    message,
  }: Record<'code' | 'command' | 'response' | 'message', string | undefined>,
  status: string,
): string {
  if (command === 'CONN' && message && NO_TLS.test(message))
    return 'the mail server does not begin with TLS at that port: use smtp:// in place of smtps://, which goes over to TLS by itself'
  if (command === 'CONN' && response === undefined && message)
    return `the mail server cannot be reached: ${message}`
  if (code === 'EAUTH') return `the mail server refuses user or password (${status})`
  return `the mail server failed with ${status} at ${command ?? 'connecting'}`
}
