import { session } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { useSession } from '../live/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/state.tsx'
import { de } from '../words/de/shell.ts'
import { en } from '../words/en/shell.ts'
import { useWords } from '../words/use-words.ts'

/** The other organizations of the person, and the way out. */
export function SessionMenu() {
  const { status: words } = useWords({ en, de })
  const signedIn = useSession()
  const leave = useAction(() => session.signOut())
  const change = useAction((organizationId: string) => session.switchOrganization(organizationId))
  if (signedIn.state !== 'signed-in') return null
  const { currentOrganizationId, organizationMemberships } = signedIn.user
  const others = organizationMemberships.filter(
    ({ organization, status }) => organization.id !== currentOrganizationId && status === 'active',
  )
  return (
    <div className="session-menu">
      {others.map(({ organization }) => (
        <Button
          key={organization.id}
          look="quiet"
          busy={change.busy}
          onPress={() => void change.run(organization.id)}
        >
          {words.switchTo(organization.name)}
        </Button>
      ))}
      <Button look="quiet" icon="sign-out" busy={leave.busy} onPress={() => void leave.run()}>
        {words.signOut}
      </Button>
      <Problem>{leave.problem ?? change.problem}</Problem>
    </div>
  )
}
