import type { Person } from '@atrium/client/people'
import { createStore } from '@atrium/client/store'
import { keepIdsOfPerson, keptIdsOfPerson, whenPersonGoes } from './of-person.ts'

const NAME = 'followed'
const store = createStore<readonly string[]>(keptIdsOfPerson(NAME))
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
  keepIdsOfPerson(NAME, ids)
}
