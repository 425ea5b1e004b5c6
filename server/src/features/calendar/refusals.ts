import { ProviderFailure, Refusal } from '../../platform/refusal.ts'

export function reauthRequired(): Refusal {
  return Refusal.of('calendar-reauth-required')
}

/** The provider did not answer, or not so that it could be understood: 502. */
export function calendarFailure(action: string, cause?: unknown): ProviderFailure {
  return new ProviderFailure('calendar', action, { retryable: false, cause })
}

/** @throws ProviderFailure 502 for every failure of the provider */
export async function asFailureOf<T>(action: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof ProviderFailure ? calendarFailure(action, error) : error
  }
}

export function noSuch(what: 'calendar' | 'event'): Refusal {
  return Refusal.of(`${what}-not-found`)
}
