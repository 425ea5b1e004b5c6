import type { User } from '@atrium/client/session'
import { session } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/state.tsx'
import { de } from '../words/de/first-run.ts'
import { en } from '../words/en/first-run.ts'
import { useWords } from '../words/use-words.ts'

interface OtherOrganizationsProps {
  memberships: User['organizationMemberships']
  onEnter(): void
}

/** Whoever is in none at the moment may belong to others: removed from one, they go on in another. */
export function OtherOrganizations({ memberships, onEnter }: OtherOrganizationsProps) {
  const words = useWords({ en, de })
  const enter = useAction(async (organizationId: string) => {
    await session.switchOrganization(organizationId)
    onEnter()
  })
  const active = memberships.filter(({ status }) => status === 'active')
  if (active.length === 0) return null
  return (
    <div className="outside-form">
      {active.map(({ organization }) => (
        <Button
          key={organization.id}
          look="primary"
          wide
          busy={enter.busy}
          onPress={() => void enter.run(organization.id)}
        >
          {words.goTo(organization.name)}
        </Button>
      ))}
      <Problem>{enter.problem}</Problem>
    </div>
  )
}
