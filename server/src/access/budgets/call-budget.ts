import type { LimitName } from '@atrium/contract'
import { MINUTE_SECONDS } from '../../platform/clock.ts'
import { type Pace, type SteadyRates, steadyRates, type Turn } from '../../platform/limits/steady-rate.ts'
import type { AnyCaller } from '../caller.ts'
import type { OrganizationLimits } from './organization-limits.ts'

/** A person, and the organization in which they are at work, if any. */
export interface AtWork {
  user: { id: string }
  organization: { id: string } | null
}

export type Calling = AnyCaller | AtWork

/** Calls that people and programs make: each node counts them for itself, little by little. */
export interface CallBudget {
  /**
   * Takes a call, from each budget that it draws on, as long as it is allowed; of visitors from none. Undefined where no
   * turn has to be waited for, as nearly always.
   */
  take(caller: Calling, onTurn: (turn: Turn) => Promise<void> | undefined): Promise<unknown> | undefined
  /** Takes some that were made already. */
  charge(caller: Calling, calls: number): void
  /** Seconds until a caller that waited may go on, after what was charged meanwhile. */
  overdrawnSeconds(caller: Calling): number | undefined
}

type CallLimit = Extract<
  LimitName,
  'calls-per-person' | 'calls-per-token' | 'token-calls' | 'calls-per-directory'
>

/** What a call draws on. */
interface Source {
  rates: SteadyRates
  key: string
  pace: Pace
}

/** A front end makes some forty calls when it opens, and a person may open two. */
const OPENING_CALLS = 100
/** What comes beyond waits its turn, as long as that is soon. */
const PATIENCE_SECONDS = 10
const NONE: readonly Source[] = []

interface Paces {
  readonly limits: Pick<OrganizationLimits, 'of' | 'own'>
  readonly ofDeployment: Readonly<Record<CallLimit, Omit<Source, 'key'>>>
  /** Of organizations and people with a limit of their own. */
  readonly ofOrganizations: SteadyRates
}

export function callBudget(limits: Pick<OrganizationLimits, 'of' | 'own'>): CallBudget {
  const usual = (name: CallLimit) => ({
    rates: steadyRates({ seconds: MINUTE_SECONDS }),
    pace: paceOf(limits.of(undefined, name)),
  })
  const ofDeployment: Record<CallLimit, Omit<Source, 'key'>> = {
    'calls-per-person': usual('calls-per-person'),
    'calls-per-token': usual('calls-per-token'),
    'token-calls': usual('token-calls'),
    'calls-per-directory': usual('calls-per-directory'),
  }
  const paces: Paces = { limits, ofDeployment, ofOrganizations: steadyRates({ seconds: MINUTE_SECONDS }) }
  return {
    take(caller, onTurn) {
      const turns = sourcesOf(paces, caller).flatMap(
        ({ rates, key, pace }) => onTurn(rates.take(key, pace)) ?? [],
      )
      return turns.length === 0 ? undefined : Promise.all(turns)
    },
    charge(caller, calls) {
      for (const { rates, key, pace } of sourcesOf(paces, caller)) rates.charge(key, calls, pace)
    },
    overdrawnSeconds(caller) {
      const [first] = sourcesOf(paces, caller)
      return first?.rates.overdrawnSeconds(first.key, first.pace)
    },
  }
}

// nearly always there is nothing to make but one object
function sourceOf(
  { limits, ofDeployment, ofOrganizations }: Paces,
  name: CallLimit,
  organization: string | undefined,
  key: string,
): Source {
  const points = limits.own(organization, name, name === 'calls-per-person' ? key : undefined)
  if (points === undefined) return { ...ofDeployment[name], key }
  // apart from the person's calls elsewhere; at another pace it begins again: a higher one helps at once
  return {
    rates: ofOrganizations,
    key: `${name} ${points} ${key} in ${organization}`,
    pace: paceOf(points),
  }
}

// the first source decides how long a caller waits
function sourcesOf(paces: Paces, caller: Calling): readonly Source[] {
  if ('bot' in caller) {
    const { id } = caller.organization
    return [
      sourceOf(paces, 'calls-per-token', id, caller.bot.tokenId),
      sourceOf(paces, 'token-calls', id, id),
    ]
  }
  if ('user' in caller) return [sourceOf(paces, 'calls-per-person', caller.organization?.id, caller.user.id)]
  if ('token' in caller) {
    const { id } = caller.organization
    if (caller.token.kind === 'scim') return [sourceOf(paces, 'calls-per-directory', id, caller.token.id)]
    // together too: a new token brings no new budget
    return [sourceOf(paces, 'calls-per-token', id, caller.token.id), sourceOf(paces, 'token-calls', id, id)]
  }
  return NONE
}

function paceOf(points: number): Pace {
  const burst = callsAtOnce(points)
  // where all of a minute may come at once, there is nothing to wait for
  return { points, burst, patienceSeconds: burst < points ? PATIENCE_SECONDS : 0 }
}

/** How many of the calls of a minute may come together: those of ten seconds, or what an opening front end needs. */
function callsAtOnce(perMinute: number): number {
  return Math.max(Math.ceil(perMinute / 6), Math.min(perMinute, OPENING_CALLS))
}
