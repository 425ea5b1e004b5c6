import { keepOfPerson, keptOfPerson } from '../live/of-person.ts'
import { session } from '../live/office-client.ts'

/** What a person wants open in a room. */
export interface OpenChoice {
  microphone: boolean
  camera: boolean
}

const NAME = 'open-devices'
/** On this device, of the last person who came into a room. */
const KEY = 'atrium-open-devices'
const BOTH: OpenChoice = { microphone: true, camera: true }

/**
 * What a person had open last, in this tab before all, so that no muted person is heard after a reload; then on this
 * device. Both at first.
 */
export function keptChoice(): OpenChoice {
  return parsed(keptOfPerson(NAME)) ?? keptOnDevice() ?? BOTH
}

/** What the same person had open here when they were in a room last; undefined: they never were. */
export function keptOnDevice(): OpenChoice | undefined {
  const text = onDevice()
  const { of } = (parsed(text) ?? {}) as { of?: unknown }
  return of !== undefined && of === person() ? parsed(text) : undefined
}

export function keepChoice(change: Partial<OpenChoice>): void {
  keepOfPerson(NAME, JSON.stringify({ ...keptChoice(), ...change }))
}

/** Keeps for the next room what is open in this one: they are in. Nothing is kept of guests. */
export function keepOnDevice({ microphone, camera }: OpenChoice): void {
  if (person() === '') return
  try {
    localStorage.setItem(KEY, JSON.stringify({ microphone, camera, of: person() }))
  } catch {
    // forbidden: they are asked each time
  }
}

function person(): string {
  const now = session.get()
  return now.state === 'signed-in' ? now.user.id : ''
}

function onDevice(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}

function parsed(text: string | undefined): OpenChoice | undefined {
  if (text === undefined) return undefined
  try {
    const kept = JSON.parse(text) as Partial<Record<keyof OpenChoice, unknown>>
    return { ...kept, microphone: kept.microphone !== false, camera: kept.camera !== false }
  } catch {
    return undefined
  }
}
