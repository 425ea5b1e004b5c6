import type { Person } from '@atrium/client/people'
import { usePeople } from '@atrium/react'
import { useSession } from './use-session.ts'

/** The caller as the others see them, but with the true status; undefined until the members are read. */
export function useOwnPerson(): Person | undefined {
  const session = useSession()
  const { people } = usePeople()
  return session.state === 'signed-in' ? people.find(({ id }) => id === session.user.id) : undefined
}
