import { AtriumError, type SuccessBody } from '@atrium/client'
import { organizationsOf, type SessionState } from '@atrium/client/session'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { signOut } from '../live/ended.ts'
import { client, session } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { Button } from '../ui/button.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Loading, Problem } from '../ui/state.tsx'
import { localeNow } from '../words/language.ts'
import { useSignInWords } from '../words/sign-in.ts'
import { InvitedCode, signUpInvited } from './invited-sign-up.tsx'
import { NotRead } from './not-read.tsx'
import { useArrival } from './use-arrival.ts'

type Invitation = SuccessBody<'showInvitation'>

/** Where the links of mailed invitations lead. Looking at one uses nothing up: a button accepts it. */
export function InvitationScreen() {
  const words = useSignInWords()
  const token = useSearch({ strict: false }).invitation_token ?? ''
  const [invitation, setInvitation] = useState<Invitation>()
  const look = useAction(async () => setInvitation(await client.call('showInvitation', { token })))
  const { run } = look
  useEffect(() => {
    if (token) void run()
  }, [token, run])
  if (look.problem && !look.refused) return <NotRead title={look.problem} onAgain={run} />
  if (token === '' || look.problem)
    return (
      <Outside>
        <PageHeading title={words.noInvitation} about={look.problem ?? words.noInvitationAbout} />
        <ToOffice />
      </Outside>
    )
  if (!invitation)
    return (
      <Outside>
        <Loading label={words.noInvitation} />
      </Outside>
    )
  const { state } = invitation
  return (
    <Outside>
      {state === 'pending' ? (
        <Pending invitation={invitation} token={token} />
      ) : (
        <>
          <PageHeading
            title={words.invitationOver[state]}
            about={state === 'accepted' ? words.worksOnce : words.askForAnother}
          />
          <ToOffice />
        </>
      )}
    </Outside>
  )
}

function Pending({ invitation, token }: { invitation: Invitation; token: string }) {
  const words = useSignInWords()
  const { email, organizationName, inviterName, role, expiresAt } = invitation
  const [step, setStep] = useState<'accept' | 'another-person' | 'code'>('accept')
  const arrive = useArrival()
  const signUp = async () => {
    if ((await signUpInvited(email, token)) === 'code') setStep('code')
  }
  const accept = useAction(async () => {
    try {
      const before = activeOrganizations(await session.refresh())
      await client.call('acceptInvitation', { token })
      const after = activeOrganizations(await session.refresh())
      const organizationId = after.find((id) => !before.includes(id))
      await arrive(organizationId ? { joined: { organizationId, state: 'joined' } } : {})
    } catch (error) {
      if (!(error instanceof AtriumError)) throw error
      if (error.status === 401) return await signUp()
      if (error.error === 'invitation-for-another-address') setStep('another-person')
      throw error
    }
  })
  const goOn = useAction(async () => {
    if (await signOut()) await signUp()
  })
  if (step === 'code') return <InvitedCode email={email} onBack={() => setStep('accept')} />
  const until = new Intl.DateTimeFormat(localeNow(), { dateStyle: 'long', timeStyle: 'short' })
  return (
    <>
      <PageHeading
        title={words.invitationTitle(organizationName, inviterName)}
        about={words.invitationAbout(email, words.roles[role], until.format(new Date(expiresAt)))}
      />
      <Problem>{accept.problem ?? goOn.problem}</Problem>
      {step === 'accept' ? (
        <Button look="primary" wide busy={accept.busy} onPress={() => void accept.run()}>
          {words.accept}
        </Button>
      ) : (
        <Button look="primary" wide busy={goOn.busy} onPress={() => void goOn.run()}>
          {words.goOnAs(email)}
        </Button>
      )}
    </>
  )
}

function ToOffice() {
  const words = useSignInWords()
  return (
    <a className="button button-primary" href={pagePaths.floor}>
      {words.toOffice}
    </a>
  )
}

function activeOrganizations(now: SessionState): string[] {
  if (now.state !== 'signed-in') return []
  return organizationsOf(now.user).active.map(({ id }) => id)
}
