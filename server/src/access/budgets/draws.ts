import type { Limiter, Taken } from '../../platform/limits/rate-limit.ts'
import { rateLimited } from '../../platform/limits/rate-limited.ts'
import type { Visitor } from '../caller.ts'
import type { Draw } from './counted-limits.ts'

/** Opens a budget that all nodes count together. */
export interface OpenLimiter {
  shared(name: string, points: number, seconds: number): Limiter
  /** What was drawn can be given back. */
  refundable(name: string, points: number, seconds: number): Limiter
}

export type Drawn = Draw & { taken: Taken }

export async function draw({ limiter, key }: Draw, visitor: Pick<Visitor, 'tellLimit'>): Promise<void> {
  requireLeft(await limiter.take(key), visitor)
}

/** All of some budgets, or, where one is used up, none. */
export async function drawAll(
  draws: readonly Draw[],
  visitor: Pick<Visitor, 'tellLimit'>,
  points = 1,
): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  for (const one of draws) {
    const taken = await one.limiter.take(one.key, points)
    drawn.push({ ...one, taken })
    if (taken.allowed) continue
    await Promise.all(drawn.map(({ limiter, key }) => limiter.giveBack(key, points)))
    requireLeft(taken, visitor)
  }
  return drawn
}

export async function giveBack(drawn: Drawn[], visitor: Pick<Visitor, 'tellLimit'>): Promise<void> {
  await Promise.all(drawn.map(({ limiter, key }) => limiter.giveBack(key)))
  for (const { taken } of drawn) tell({ ...taken, remaining: taken.remaining + 1 }, visitor)
}

export function tell(taken: Taken, visitor: Pick<Visitor, 'tellLimit'>): void {
  if (taken.limit > 0) visitor.tellLimit(taken)
}

export function requireLeft(
  taken: Taken & { retrySeconds?: number },
  visitor: Pick<Visitor, 'tellLimit'>,
): void {
  tell(taken, visitor)
  if (taken.allowed) return
  throw rateLimited(Math.max(1, taken.retrySeconds ?? taken.resetSeconds))
}
