import type { Person } from '@atrium/client/people'
import { createStore } from '@atrium/client/store'
import { keepOfPerson, keptOfPerson, whenPersonGoes } from './of-person.ts'

const NAME = 'followed'
const store = createStore<readonly string[]>(kept())
whenPersonGoes(() => store.set([]))

/** Colleagues to hear of as soon as they are free. Only this tab knows of it: the office is not told. */
export const followedPeople = {
  get: store.get,
  subscribe: store.subscribe,
  follow: (userId: string) => keep([...store.get().filter((id) => id !== userId), userId]),
  unfollow: (userId: string) => keep(store.get().filter((id) => id !== userId)),
}

/** In the office, and neither in a room nor in a meeting. */
export function isFree({ status, activity }: Pick<Person, 'status' | 'activity'>): boolean {
  return status === 'online' && activity === undefined
}

function keep(ids: readonly string[]): void {
  store.set(ids)
  keepOfPerson(NAME, JSON.stringify(ids))
}

function kept(): string[] {
  try {
    const ids: unknown = JSON.parse(keptOfPerson(NAME) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
