import type { User } from '@atrium/client/session'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { type Ended, ended, signOut } from '../live/ended.ts'
import { officeAnswers } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { useSession, useStore } from '../live/use-session.ts'
import { Go } from '../shell/go.tsx'
import { Away } from '../shell/outside/away.tsx'
import { Outside } from '../shell/outside/outside.tsx'
import { Waiting } from '../shell/waiting.tsx'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/state.tsx'
import { useFirstRunWords } from '../words/first-run.ts'
import type { ChosenFace } from './chosen-face.ts'
import { type FirstKind, usualKinds } from './first-rooms.ts'
import { GrowingPlan } from './growing-plan.tsx'
import { InviteStep } from './invite-step.tsx'
import { MovedOrganizations } from './moved-organizations.tsx'
import { NameStep } from './name-step.tsx'
import { OrganizationStep } from './organization-step.tsx'
import { OtherOrganizations } from './other-organizations.tsx'
import { OwnDesk } from './own-desk.tsx'
import type { OwnFace } from './own-face.ts'
import { RoomsStep } from './rooms-step.tsx'
import { StepBars } from './step-bars.tsx'
import './first-run.css'

type Step = 'name' | 'organization' | 'invite' | 'rooms'

/** From an account to an office: name, organization, colleagues, rooms. A new member of one gives a name only. */
export function FirstRunScreen() {
  const session = useSession()
  const answers = useStore(officeAnswers)
  if (session.state === 'unknown') return answers ? <Waiting /> : <Away />
  if (session.state === 'signed-out') return <Go to={pagePaths.signIn} />
  return <Steps user={session.user} />
}

interface StepsProps {
  user: User
}

function Steps({ user }: StepsProps) {
  const words = useFirstRunWords()
  const navigate = useNavigate()
  const organizationEnded = organizationLeft(useStore(ended), user.moved)
  const { step, setStep, steps } = useStep(user.currentOrganizationId)
  const before = { id: user.id, name: user.displayName, url: user.avatarUrl ?? '' }
  const [name, setName] = useState(before.name)
  const [face, setFace] = useState<ChosenFace>({ url: before.url })
  const own = { id: user.id, name, url: face.url }
  const [chosen, setChosen] = useState(usualKinds)
  const [invited, setInvited] = useState(0)
  const invite = (count: number) => {
    setInvited(count)
    setStep('rooms')
  }
  const enter = () => {
    keepStep('')
    void navigate({ to: pagePaths.floor, replace: true })
  }
  return (
    <Outside wide view={<View {...{ step, chosen }} face={own} />}>
      {steps.length > 1 && <StepBars step={steps.indexOf(step)} steps={steps.length} />}
      {organizationEnded !== undefined && (
        <p role="status" className="outside-why">
          {words.membershipEnded(organizationEnded)}
        </p>
      )}
      <MovedOrganizations user={user} />
      {user.currentOrganizationId === '' && <OtherOrganizations user={user} onEnter={enter} />}
      {step === 'name' && (
        <NameStep
          {...{ before, name, chosen: face }}
          onName={setName}
          onChoose={setFace}
          onDone={() => (steps.length === 1 ? enter() : setStep('organization'))}
        />
      )}
      {step === 'organization' && <OrganizationStep onFounded={() => setStep('invite')} onJoined={enter} />}
      {step === 'invite' && <InviteStep onDone={invite} />}
      {step === 'rooms' && <RoomsStep {...{ invited, chosen }} onChoose={setChosen} onDone={enter} />}
      <Foot
        email={user.email}
        onBack={step === 'organization' || step === 'rooms' ? () => setStep(BEFORE[step]) : undefined}
      />
    </Outside>
  )
}

/** The step, and all of them: the one of a new member is the first one. */
function useStep(organizationId: string) {
  // of the moment of coming: an organization that is made here changes the session
  const [begun] = useState(() => keptStep(organizationId))
  const [joined] = useState(organizationId !== '' && !begun)
  const [step, setStep] = useState<Step>(begun ?? 'name')
  const steps: readonly Step[] = joined ? ['name'] : ['name', 'organization', 'invite', 'rooms']
  useEffect(() => {
    if (step === 'invite' || step === 'rooms') keepStep(`${organizationId} ${step}`)
  }, [step, organizationId])
  return { step, setStep, steps }
}

const NO_ROOMS: readonly FirstKind[] = []

function View({ step, chosen, face }: { step: Step; chosen: readonly FirstKind[]; face: OwnFace }) {
  if (step === 'name') return <OwnDesk face={face} />
  return <GrowingPlan chosen={step === 'rooms' ? chosen : NO_ROOMS} face={face} />
}

/** Of one that has moved another sentence tells. */
function organizationLeft(why: Ended | undefined, moved: User['moved']): string | undefined {
  if (why?.what !== 'membership') return undefined
  const hasMoved = moved?.some(({ organizationName }) => organizationName === why.organization)
  return hasMoved ? undefined : why.organization
}

/** An organization that was founded is not founded again. */
const BEFORE = { organization: 'name', rooms: 'invite' } as const

/** The ways that do not lead on. */
function Foot({ email, onBack }: { email: string; onBack: (() => void) | undefined }) {
  const words = useFirstRunWords()
  const leave = useAction(signOut)
  return (
    <>
      <div className="outside-foot">
        {onBack && (
          <Button small look="quiet" onPress={onBack}>
            {words.back}
          </Button>
        )}
        <span>{words.signedInAs(email)}</span>
        <Button small look="quiet" busy={leave.busy} onPress={() => void leave.run()}>
          {words.signOut}
        </Button>
      </div>
      <Problem>{leave.problem}</Problem>
    </>
  )
}

const KEY = 'atrium-first-run'

/** Where making this organization stood before a reload of the tab. */
function keptStep(organizationId: string): Step | undefined {
  try {
    const kept = sessionStorage.getItem(KEY)
    return (['invite', 'rooms'] as const).find((step) => kept === `${organizationId} ${step}`)
  } catch {
    return undefined
  }
}

function keepStep(kept: string): void {
  try {
    sessionStorage.setItem(KEY, kept)
  } catch {
    // forbidden: a reload goes to the office
  }
}
