import type { User } from '@atrium/client/session'
import { useFirstRunWords } from '../words/first-run.ts'

interface MovedOrganizationsProps {
  user: Pick<User, 'email' | 'moved'>
}

/** Where an organization of the person is now, and the way there. */
export function MovedOrganizations({ user }: MovedOrganizationsProps) {
  const words = useFirstRunWords()
  return user.moved?.map(({ organizationName, url }) => {
    const { host } = new URL(url)
    return (
      <div key={`${organizationName} ${url}`} role="status" className="outside-form">
        <p className="outside-why">
          {words.moved(organizationName, host)} {words.movedAbout(user.email)}
        </p>
        <a className="button button-primary button-wide" href={url}>
          {words.goTo(host)}
        </a>
      </div>
    )
  })
}
