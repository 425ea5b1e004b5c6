import { keepOfPerson, keptOfPerson } from '../live/of-person.ts'

/** What somebody wants open in a room. */
export interface OpenChoice {
  microphone: boolean
  camera: boolean
}

const NAME = 'open-devices'
const BOTH: OpenChoice = { microphone: true, camera: true }

/** What somebody had open last in this tab, so that nobody who was muted is heard after a reload; both at first. */
export function keptChoice(): OpenChoice {
  try {
    const kept = JSON.parse(keptOfPerson(NAME) ?? '{}') as Partial<Record<keyof OpenChoice, unknown>>
    return { microphone: kept.microphone !== false, camera: kept.camera !== false }
  } catch {
    return BOTH
  }
}

export function keepChoice(change: Partial<OpenChoice>): void {
  keepOfPerson(NAME, JSON.stringify({ ...keptChoice(), ...change }))
}
