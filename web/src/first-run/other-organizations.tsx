import { organizationsOf, type User } from '@atrium/client/session'
import { session } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/state.tsx'
import { useFirstRunWords } from '../words/first-run.ts'

interface OtherOrganizationsProps {
  user: Pick<User, 'organizationMemberships'>
  onEnter(): void
}

/**
 * A person without an active organization may still be a member of others, after a removal from one; or an organization
 * may have invited the address of a new account.
 */
export function OtherOrganizations({ user, onEnter }: OtherOrganizationsProps) {
  const words = useFirstRunWords()
  const enter = useAction(async (organizationId: string) => {
    await session.switchOrganization(organizationId)
    onEnter()
  })
  const accept = useAction(async (organizationId: string) => {
    await session.acceptWaiting(organizationId)
    onEnter()
  })
  const { active, waiting } = organizationsOf(user)
  if (active.length + waiting.length === 0) return null
  return (
    <div className="outside-form">
      {active.map(({ id, name }) => (
        <Button key={id} look="primary" wide busy={enter.busy} onPress={() => void enter.run(id)}>
          {words.goTo(name)}
        </Button>
      ))}
      {waiting.map(({ id, name }) => (
        <Button key={id} look="primary" wide busy={accept.busy} onPress={() => void accept.run(id)}>
          {words.acceptOf(name)}
        </Button>
      ))}
      <Problem>{enter.problem ?? accept.problem}</Problem>
    </div>
  )
}
