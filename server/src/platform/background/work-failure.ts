import { ProviderFailure } from '../refusal.ts'

/** What may be kept of any failure. Not its message: others repeat addresses, subjects and secrets in theirs. */
export function describeBriefly(error: unknown): string {
  const { code } = ((error instanceof ProviderFailure ? error.cause : error) ?? {}) as { code?: unknown }
  return [
    error instanceof Error ? error.name : 'unknown',
    ...(error instanceof ProviderFailure ? [error.provider, error.action] : []),
    ...(typeof code === 'string' && /^[A-Z0-9_. ]{1,40}$/.test(code) ? [code] : []),
  ].join(' ')
}
