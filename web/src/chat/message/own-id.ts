import { useSession } from '../../live/use-session.ts'

/** The `User.id` of the person signed in; undefined as long as the session is not read. */
export function useOwnId(): string | undefined {
  const session = useSession()
  return session.state === 'signed-in' ? session.user.id : undefined
}
