import { organizationsOf, type SessionState } from '@atrium/client/session'
import { useEffect } from 'react'
import { pagePaths } from '../../../page-paths.ts'
import { session } from '../../live/office-client.ts'
import { useAction } from '../../live/use-action.ts'
import { useStore } from '../../live/use-session.ts'
import { callElsewhere } from '../../media/call-elsewhere.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Problem } from '../../ui/state.tsx'
import { useInsteadWords } from '../../words/instead.ts'
import { Waiting } from '../waiting.tsx'
import { Outside } from './outside.tsx'

interface OtherOrganizationProps {
  user: Extract<SessionState, { state: 'signed-in' }>['user']
  /** The organization that the address names, another one than the one that is open. */
  organizationId: string
}

/** In the place of what a push leads to in another organization: switches to it, and asks first where that ends a call. */
export function OtherOrganization({ user, organizationId }: OtherOrganizationProps) {
  const words = useInsteadWords()
  const call = useStore(callElsewhere)
  const change = useAction(() => session.switchOrganization(organizationId))
  const hasCall = call !== undefined
  useEffect(() => {
    if (!hasCall) void change.run()
  }, [change.run, hasCall])
  const name = organizationsOf(user).active.find(({ id }) => id === organizationId)?.name ?? ''
  if (!hasCall && change.problem === undefined) return <Waiting />
  return (
    <Outside>
      <PageHeading
        title={words.isIn(name)}
        about={hasCall ? words.switchEndsCall(call.roomName) : undefined}
      />
      <Problem>{change.problem}</Problem>
      <Button look="primary" busy={change.busy} onPress={() => void change.run()}>
        {words.switchTo(name)}
      </Button>
      <a className="button" href={pagePaths.floor}>
        {words.toOffice}
      </a>
    </Outside>
  )
}
