import { type OperationId, operations } from '@atrium/contract'

/** What a run has done. */
export interface Tally {
  steps: number
  /** Calls of operations, and which of them have succeeded. */
  calls: number
  succeeded: Set<OperationId>
}

export const newTally = (): Tally => ({ steps: 0, calls: 0, succeeded: new Set() })

const routes = Object.entries(operations).map(([id, { method, path }]) => ({
  id: id as OperationId,
  method,
  path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** A fetch that counts the operations it calls. */
export function tallied(tally: Tally): typeof globalThis.fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const method = init?.method ?? 'GET'
    const called = routes.find((route) => route.method === method && route.path.test(pathname))
    const answer = await fetch(input, init)
    if (!called) return answer
    tally.calls += 1
    if (answer.ok) tally.succeeded.add(called.id)
    return answer
  }
}
