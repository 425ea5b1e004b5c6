import type { SignInEnd } from '@atrium/client/sign-in'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { pagePaths } from '../../page-paths.ts'
import { session } from '../live/office-client.ts'
import { notices } from '../ui/overlays/notices.ts'
import { useSignInWords } from '../words/sign-in.ts'
import { nextAddress } from './next-address.ts'

export type SignedIn = Extract<SignInEnd, { state: 'signed-in' }>

/** Goes on into the office after signing in. A new account asks for a name first. */
export function useArrival(): (
  end: Pick<SignedIn, 'joined'>,
  options?: { next?: string; isNew?: boolean },
) => Promise<void> {
  const words = useSignInWords()
  const navigate = useNavigate()
  const { history } = useRouter()
  return async ({ joined }, { next, isNew } = {}) => {
    const now = await session.refresh()
    // who has joined another organization wants to be there, and not where they were
    if (joined?.state === 'joined' && now.state === 'signed-in')
      if (now.user.currentOrganizationId !== joined.organizationId)
        await session.switchOrganization(joined.organizationId)
    if (joined && joined.state !== 'joined')
      notices.show({ text: words.notJoined[joined.state], tone: 'bad' })
    if (isNew) await navigate({ to: pagePaths.firstRun, replace: true })
    else history.replace(nextAddress(next))
  }
}
