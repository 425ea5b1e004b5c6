import { ProviderFailure } from '../refusal.ts'

/** What was enqueued is not what the queue takes: no further try makes it so. */
export class UnusablePayload extends Error {
  constructor(reason: string) {
    super(`the payload ${reason}`)
    this.name = 'UnusablePayload'
  }
}

/** Whether every further try would fail as this one did. */
export function isHopeless(error: unknown): boolean {
  return error instanceof UnusablePayload
}

/** What may be kept of any failure. Not its message: others repeat addresses, subjects and secrets in theirs. */
export function describeBriefly(error: unknown): string {
  // its message is ours: it names the field, and never what it holds
  if (error instanceof UnusablePayload) return `${error.name}: ${error.message}`
  const { code } = ((error instanceof ProviderFailure ? error.cause : error) ?? {}) as { code?: unknown }
  return [
    error instanceof Error ? error.name : 'unknown',
    ...(error instanceof ProviderFailure ? [error.provider, error.action] : []),
    ...(typeof code === 'string' && /^[A-Z0-9_. ]{1,40}$/.test(code) ? [code] : []),
  ].join(' ')
}
