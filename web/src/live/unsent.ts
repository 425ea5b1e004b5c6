import { createStore } from '@atrium/client/store'

interface Question {
  /** How many messages would be lost. */
  count: number
  answer(isSure: boolean): void
}

/** What is asked before unsent messages are deleted; undefined while nothing is. */
export const unsentQuestion = createStore<Question | undefined>(undefined)

/** Signs out, and deletes what the person has not sent, after having asked. @returns false: they stay. */
export async function leavingUnsent(
  person: string | undefined,
  leave: () => Promise<unknown>,
): Promise<boolean> {
  if (person === undefined) {
    await leave()
    return true
  }
  const { forgetUnsent, unsentOf } = await import('@atrium/client/outbox')
  const count = await unsentOf(person)
  if (count > 0 && !(await ask(count))) return false
  await leave()
  await forgetUnsent(person)
  return true
}

function ask(count: number): Promise<boolean> {
  unsentQuestion.get()?.answer(false)
  return new Promise((resolve) => {
    const answer = (isSure: boolean) => {
      unsentQuestion.set(undefined)
      resolve(isSure)
    }
    unsentQuestion.set({ count, answer })
  })
}
