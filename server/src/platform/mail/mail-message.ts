/** One mail to one person. Always a text part; `html` beside it. */
export interface MailMessage {
  /** A normalized address. */
  to: string
  subject: string
  text: string
  html: string
}

/** Resolves when a mail was taken. @throws ProviderFailure with `retryable: false` where it will never be */
export type SendMail = (message: MailMessage) => Promise<void>
