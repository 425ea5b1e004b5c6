import { organizationsOf } from '@atrium/client/session'
import { Link, useNavigate } from '@tanstack/react-router'
import { pagePaths } from '../../page-paths.ts'
import { signOut } from '../live/ended.ts'
import { session } from '../live/office-client.ts'
import { useMay } from '../live/permissions.ts'
import { useAction } from '../live/use-action.ts'
import { useSession } from '../live/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Problem } from '../ui/state.tsx'
import { useShellWords } from '../words/shell.ts'

/** The other organizations of the person, those that invite them, and the way out. */
export function SessionMenu({ onGo }: { onGo(): void }) {
  const { status: words, ...names } = useShellWords()
  const may = useMay()
  const signedIn = useSession()
  const leave = useAction(signOut)
  const navigate = useNavigate()
  // a room, or a conversation, is one of the organization that one leaves
  const arrive = async () => {
    onGo()
    await navigate({ to: pagePaths.floor })
  }
  const change = useAction(async (organizationId: string) => {
    await session.switchOrganization(organizationId)
    await arrive()
  })
  const accept = useAction(async (organizationId: string) => {
    await session.acceptWaiting(organizationId)
    await arrive()
  })
  if (signedIn.state !== 'signed-in') return null
  const { active, waiting } = organizationsOf(signedIn.user)
  const others = active.filter(({ id }) => id !== signedIn.user.currentOrganizationId)
  return (
    <div className="session-menu">
      <Place to={pagePaths.settings} icon="settings" label={names.settings} onGo={onGo} />
      {may('EditOrganization') && (
        <Place to={pagePaths.administration} icon="administration" label={names.administration} onGo={onGo} />
      )}
      {others.map(({ id, name }) => (
        <Button key={id} look="quiet" busy={change.busy} onPress={() => void change.run(id)}>
          {words.switchTo(name)}
        </Button>
      ))}
      {waiting.map(({ id, name }) => (
        <Button key={id} look="quiet" busy={accept.busy} onPress={() => void accept.run(id)}>
          {words.acceptOf(name)}
        </Button>
      ))}
      <Button look="quiet" icon="sign-out" busy={leave.busy} onPress={() => void leave.run()}>
        {words.signOut}
      </Button>
      <Problem>{leave.problem ?? change.problem ?? accept.problem}</Problem>
    </div>
  )
}

interface PlaceProps {
  to: (typeof pagePaths)['settings' | 'administration']
  icon: IconName
  label: string
  onGo(): void
}

/** Where one goes now and then: in a small window the bar at the bottom has no room for it. */
function Place({ to, icon, label, onGo }: PlaceProps) {
  return (
    <Link to={to} className="button button-quiet session-menu-place" onClick={onGo}>
      <Icon name={icon} size={18} />
      {label}
    </Link>
  )
}
