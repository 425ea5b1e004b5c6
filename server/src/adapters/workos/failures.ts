import { outside } from '../../platform/outside/outside.ts'
import { ProviderFailure } from '../../platform/refusal.ts'

const PROVIDER = 'workos'

/**
 * Calls WorkOS once: retries would keep the caller waiting.
 * @param expected failures that the caller wants to see as they are
 * @throws ProviderFailure without what WorkOS said, which repeats codes and addresses
 */
export async function ask<Result>(
  action: string,
  call: () => Promise<Result>,
  expected: (error: unknown) => boolean = () => false,
): Promise<Result> {
  const answer = await outside(
    { provider: PROVIDER, action },
    async () => {
      try {
        return { result: await call() }
      } catch (error) {
        // an answer like any other: nothing has failed
        if (expected(error)) return { error }
        throw error
      }
    },
    (error) => new ProviderFailure(PROVIDER, action, { retryable: true, cause: withoutContent(error) }),
  )
  if ('error' in answer) throw answer.error
  return answer.result
}

export function malformed(what: string): ProviderFailure {
  return new ProviderFailure(PROVIDER, 'answer', {
    retryable: true,
    cause: new Error(`the answer holds no ${what}`),
  })
}

export function statusOf(error: unknown): number | undefined {
  const { status } = (error ?? {}) as { status?: unknown }
  return typeof status === 'number' ? status : undefined
}

/** What was asked for is not there. */
function isGone(error: unknown): boolean {
  return statusOf(error) === 404
}

/** Calls WorkOS once, as `ask` does. Undefined where what was asked for is not there. */
export async function orGone<Result>(
  action: string,
  call: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await ask(action, call, isGone)
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** Its word for what is wrong: of its own errors `code`, of OAuth's `error`. */
export function codeOf(error: unknown): string | undefined {
  const { code, error: word } = (error ?? {}) as { code?: unknown; error?: unknown }
  return typeof code === 'string' ? code : typeof word === 'string' ? word : undefined
}

/** Its words for what is wrong in particular, beside or below `codeOf`. */
export function errorsOf(error: unknown): string[] {
  const { errors } = (error ?? {}) as { errors?: unknown }
  const particular = Array.isArray(errors) ? errors.map((one: unknown) => codeOf(one)) : []
  return [codeOf(error), ...particular].filter((word) => word !== undefined)
}

/** Enough to find the call in its log. */
function withoutContent(error: unknown): Error {
  const { requestID, name } = (error ?? {}) as { requestID?: unknown; name?: unknown }
  const known = [name, statusOf(error), codeOf(error), requestID].filter(
    (part) => (typeof part === 'string' && /^[\w.-]{1,64}$/.test(part)) || typeof part === 'number',
  )
  return new Error(known.join(' ') || 'no answer')
}
