import type { Role } from '@atrium/contract'
import type { Expected } from './caller.ts'
import type { Drawn } from './drawn.ts'
import type { World } from './world.ts'

export interface Plan {
  /** The step as a sentence. */
  says: string
  /** Does it at the office, compares what that answers, and keeps what is true from then on. */
  act(): Promise<void>
}

export interface Rule {
  name: string
  /** Where it is written, in words: a reader holds it against that. */
  written: string
  /** How often it is taken; 1 where not given. */
  weight?: number
  /** What it would do now; undefined where there is nothing to do. Changes nothing. */
  plan(world: World, drawn: Drawn): Plan | undefined
}

/** Counts round in a list. */
export function picked<Item>(list: readonly Item[], place: number): Item | undefined {
  return list[list.length === 0 ? 0 : place % list.length]
}

export const ROLES: readonly Role[] = ['member', 'moderator', 'admin', 'guest']
export const refused = (status: number, error: string): Expected => ({ status, error })
