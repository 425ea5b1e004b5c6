import { type Caller, type Expected, refusalFirst, type Worker } from '../caller.ts'
import { calling } from '../calling.ts'
import { statusesOf } from '../effects.ts'
import { picked, type Rule, refused } from '../rule.ts'
import type { Organization, Person, Status } from '../state.ts'
import type { Knock, World } from '../world.ts'

const KNOCK_MS = 30_000
const MARGIN_MS = 8_000
const REACHABLE: readonly Status[] = ['online', 'away']

/** Whether a person can be reached; undefined where the rules cannot know. */
function isReachable(organization: Organization, person: Person): boolean | undefined {
  const can = statusesOf(organization, person).map((status) => REACHABLE.includes(status))
  return can.every((one) => one === can[0]) ? can[0] : undefined
}

/** Neither oneself nor who is no member. */
const toWhom = (caller: Worker, target: Person): Expected | undefined =>
  caller.organization.members.has(target) ? undefined : refused(404, 'member-not-found')

const waits = (world: World, { outcome, endsAt }: Knock) => outcome === undefined && endsAt > world.now()

const knock: Rule = {
  name: 'somebody knocks',
  written:
    'decisions, /api/v1/knock: not-reachable for offline, invisible and busy alike; 30 s, one at a time for a pair',
  weight: 2,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const target = world.target(drawn, caller)
    if (target === caller.person) return undefined
    const refusal = refusalFirst(caller) ?? toWhom(caller as Worker, target)
    const organization = caller.organization as Organization
    const reachable = refusal ? false : isReachable(organization, target)
    const isWaiting = world.knocks.some(
      (one) => one.from === caller.person && one.to === target && waits(world, one),
    )
    if (reachable === undefined || isWaiting) return undefined
    const state = reachable ? 'waiting' : 'not-reachable'
    return calling(world, caller, {
      id: 'knock',
      input: { userId: target.id },
      says: `knocks for ${target.name}`,
      expected: refusal ?? { status: 200, body: { state } },
      after({ knockId: id }: { knockId: string }) {
        if (!reachable) return
        const endsAt = world.now() + KNOCK_MS
        world.knocks.push({
          ...{ id, from: caller.person, to: target, organization, endsAt },
          outcome: undefined,
        })
        world.tellPerson(target, organization, 'knock.received', { knockId: id, from: caller.person.id })
      },
    })
  },
}

const answer: Rule = {
  name: 'a knock is answered, or taken back',
  written:
    'decisions, knock/answer and cancel: by whom it is for, or from; the same answer again 204, another one 409; others 404',
  weight: 3,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const one = picked(world.knocks, drawn.one)
    // when it expires is told by a clock of the office; near that, nothing is asked
    if (!one || world.now() > one.endsAt - MARGIN_MS) return undefined
    const outcome = drawn.yes
      ? (picked(['accept', 'later', 'no'] as const, drawn.other) ?? 'no')
      : 'cancelled'
    const expected = refusalFirst(caller) ?? answered(caller as Worker, one, outcome)
    return calling(world, caller, {
      id: drawn.yes ? 'answerKnock' : 'cancelKnock',
      input: { knockId: one.id, ...(drawn.yes ? { answer: outcome } : {}) },
      says: drawn.yes
        ? `answers ${one.from.name}’s knock: ${outcome}`
        : `takes the knock of ${one.from.name} back`,
      expected,
      after() {
        if (one.outcome !== undefined) return
        one.outcome = outcome
        for (const person of new Set([one.from, one.to]))
          world.tellPerson(person, one.organization, 'knock.ended', { knockId: one.id, outcome })
      },
    })
  },
}

function answered({ person, organization }: Worker, one: Knock, outcome: string): Expected {
  const mine = outcome === 'cancelled' ? one.from : one.to
  if (mine !== person || organization !== one.organization) return refused(404, 'knock-not-found')
  const isOver = one.outcome !== undefined && one.outcome !== outcome
  return isOver ? refused(409, 'knock-ended') : { status: 204 }
}

const wave: Rule = {
  name: 'somebody waves',
  written: 'decisions, Talk: /api/v1/wave → 204 for every member, told to the reachable, dropped for others',
  plan(world, drawn) {
    const caller: Caller = world.caller(drawn)
    const target = world.target(drawn, caller)
    if (target === caller.person) return undefined
    const refusal = refusalFirst(caller) ?? toWhom(caller as Worker, target)
    const organization = caller.organization as Organization
    const reachable = refusal ? false : isReachable(organization, target)
    if (reachable === undefined) return undefined
    return calling(world, caller, {
      id: 'wave',
      ...{
        input: { userId: target.id },
        says: `waves at ${target.name}`,
        expected: refusal ?? { status: 204 },
      },
      after() {
        if (reachable) world.tellPerson(target, organization, 'wave.received', { from: caller.person.id })
      },
    })
  },
}

export const knockRules: readonly Rule[] = [knock, answer, wave]
