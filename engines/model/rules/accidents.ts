import { endLine } from '../effects.ts'
import { lookAround } from '../looks.ts'
import { picked, type Rule } from '../rule.ts'
import type { World } from '../world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** "7 days idle, 30 days absolute." */
const IDLE_MS = 7 * DAY_MS
const LONGEST_MS = 30 * DAY_MS

const isAnybodyInside = ({ organizations }: World) =>
  organizations.some(({ rooms }) => rooms.some(({ inside }) => inside.size > 0))

const clock: Rule = {
  name: 'time passes',
  written:
    'decisions, Session: 7 days idle, 30 days in all; Invitations: 7 days; Guests: a link’s validity is for asking',
  weight: 0.5,
  plan(world, drawn) {
    if (isAnybodyInside(world)) return undefined
    const [label, byMs] = picked(
      [
        ['two hours', 2 * HOUR_MS],
        ['three days', 3 * DAY_MS],
        ['eight days', 8 * DAY_MS],
      ] as const,
      drawn.one,
    ) ?? ['an hour', HOUR_MS]
    return {
      says: `${label} pass`,
      async act() {
        await world.settle()
        for (const person of world.people)
          for (const device of person.devices) endLine(person, device, 'closed')
        world.office.moveClock(byMs)
        // who was admitted and did not come has left
        for (const { rooms } of world.organizations) for (const room of rooms) room.timesEmpty += 1
        const now = world.now()
        for (const { devices } of world.people)
          for (const device of devices) {
            const { session } = device
            if (session && (now - session.usedAt > IDLE_MS || now - session.startedAt > LONGEST_MS))
              device.session = undefined
          }
      },
    }
  },
}

const kill: Rule = {
  name: 'the office is killed',
  written: 'what was acknowledged is there after kill -9, sessions included; clients come back by themselves',
  weight: 0.1,
  plan(world) {
    if (world.hasHadAccident || isAnybodyInside(world)) return undefined
    return {
      says: 'the office is killed (kill -9) and opened again',
      async act() {
        await world.settle()
        world.hasHadAccident = true
        await world.office.reopen()
        for (const { devices } of world.people) for (const { line } of devices) await line?.startAgain()
      },
    }
  },
}

const look: Rule = {
  name: 'somebody looks around',
  written: 'every list says what the steps before have made true',
  weight: 3,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    if (!caller.session) return undefined
    return {
      says: `${caller.name} looks around`,
      async act() {
        await world.settle()
        await lookAround(world, caller)
      },
    }
  },
}

export const accidentRules: readonly Rule[] = [clock, kill, look]
