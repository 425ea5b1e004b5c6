import { AtriumError } from '@atrium/client'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { Button } from '../ui/button.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Loading, Problem } from '../ui/state.tsx'
import { useSignInWords } from '../words/sign-in.ts'
import { InvitedSignUp } from './invited-sign-up.tsx'
import { NotRead } from './not-read.tsx'
import { useArrival } from './use-arrival.ts'

/** Where the invite link of an organization leads. Nothing is used up before the button is pressed. */
export function JoinScreen() {
  const words = useSignInWords()
  const token = useSearch({ strict: false }).invite_token ?? ''
  const [organization, setOrganization] = useState<string>()
  const [signUp, setSignUp] = useState(false)
  const arrive = useArrival()
  const look = useAction(async () => {
    setOrganization((await client.call('showInviteLink', { token })).organizationName)
  })
  const join = useAction(async () => {
    try {
      const { organizationId } = await client.call('joinOrganization', { inviteToken: token })
      await arrive({ joined: { organizationId, state: 'joined' } })
    } catch (error) {
      if (!(error instanceof AtriumError) || error.status !== 401) throw error
      setSignUp(true)
    }
  })
  const { run } = look
  useEffect(() => {
    if (token) void run()
  }, [token, run])

  if (token === '') return <Nothing about={words.joinNothing} />
  if (look.problem && look.refused) return <Nothing about={look.problem} />
  if (look.problem) return <NotRead title={look.problem} onAgain={run} />
  if (organization === undefined)
    return (
      <Outside>
        <Loading label={words.join} />
      </Outside>
    )
  const title = words.joinTitle(organization)
  return (
    <Outside>
      {signUp ? (
        <InvitedSignUp key="sign-up" title={title} inviteToken={token} />
      ) : (
        <>
          <PageHeading title={title} about={words.joinAbout} />
          <Problem>{join.problem}</Problem>
          <Button look="primary" wide busy={join.busy} onPress={() => void join.run()}>
            {words.join}
          </Button>
        </>
      )}
    </Outside>
  )
}

function Nothing({ about }: { about: string }) {
  const words = useSignInWords()
  return (
    <Outside>
      <PageHeading title={words.joinNowhere} about={about} />
      <a className="button button-primary" href={pagePaths.floor}>
        {words.toOffice}
      </a>
    </Outside>
  )
}
