import { type ComponentType, lazy } from 'react'
import { officeAnswers, readSession } from '../office-client.ts'

const AGAIN_MS = 2_000

/**
 * Loads a part of the page. One that cannot be had is asked for by no page again: where the office was built again
 * meanwhile, or has not answered, the page loads itself, as soon as there is an answer and nothing is lost by it.
 */
export async function patiently<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch {
    await readSession()
    while (!officeAnswers.get() || asksBeforeItGoes()) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      await readSession()
    }
    location.reload()
    return await new Promise(() => {})
  }
}

/** A component that is loaded when it is first shown. */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await patiently(load))[name] }))
}

/** As for messages of a private window, which are kept nowhere until they are sent. */
function asksBeforeItGoes(): boolean {
  return !dispatchEvent(new Event('beforeunload', { cancelable: true }))
}
