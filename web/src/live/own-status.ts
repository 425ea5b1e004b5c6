import type { Person } from '@atrium/client/people'
import { usePeople } from '@atrium/react'
import { useSession } from './use-session.ts'

/** The caller as the others see them, but with the true status; undefined until the members are read. */
export function useOwnPerson(): Person | undefined {
  const session = useSession()
  const ownId = session.state === 'signed-in' ? session.user.id : undefined
  return usePeople(({ people }) => people.find(({ id }) => id === ownId))
}
