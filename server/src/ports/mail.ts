import type { MailMessage } from '../platform/mail/mail-message.ts'

export type { MailMessage }

/**
 * Hands mails to a mail server. Used by the mail queue only: features append to the queue inside their own
 * transaction and never wait for a mail server.
 */
export interface MailPort {
  /**
   * Resolves when the server has taken the mail.
   * @throws ProviderFailure with `retryable: false` where this mail will never be taken (refused address).
   */
  send(message: MailMessage): Promise<void>
  /** Whether the server can be reached and accepts us. @throws ProviderFailure where not. */
  check(): Promise<void>
}
