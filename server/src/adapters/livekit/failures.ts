import { deepestCause } from '../../platform/outside/deepest-cause.ts'
import { ProviderFailure } from '../../platform/refusal.ts'

const PROVIDER = 'livekit'

/** What an error of the SDK says, as far as anything may depend on it. Never by its text. */
export interface LivekitError {
  /** Twirp's word, such as `not_found`; undefined where no answer in Twirp's form came. */
  code: string | undefined
  /** Of HTTP; undefined where there was no answer at all: unreachable, cut off, too late. */
  status: number | undefined
}

export function livekitErrorOf(error: unknown): LivekitError {
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown }
  return {
    code: typeof code === 'string' && typeof status === 'number' ? code : undefined,
    status: typeof status === 'number' ? status : undefined,
  }
}

/** Room or participant are not there. */
export function isNotFound(error: unknown): boolean {
  const { code, status } = livekitErrorOf(error)
  return code === 'not_found' || (status === 404 && code === undefined)
}

/**
 * A failure in our words. Our key being refused is our own misconfiguration: trying again does not help. The text of
 * the vendor stays behind: it may hold tokens.
 */
export function livekitFailure(action: string, error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  const { code, status } = livekitErrorOf(error)
  const refused = status === 401 || status === 403 || code === 'unauthenticated'
  const says =
    status === undefined
      ? `no answer (${wordOf(deepestCause(error))})`
      : `it answered ${status}${code ? ` ${code}` : ''}`
  return new ProviderFailure(PROVIDER, action, { retryable: !refused, cause: new Error(says) })
}

/** The code of the system or of TLS (`ECONNREFUSED`), else what kind of error it is. */
function wordOf(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause
  const { code } = cause as { code?: unknown }
  return typeof code === 'string' ? code : cause.name
}

/** The other answer where what is asked of is not there. */
export async function orElse<Answer>(work: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  try {
    return await work
  } catch (error) {
    if (isNotFound(error)) return otherwise
    throw error
  }
}
