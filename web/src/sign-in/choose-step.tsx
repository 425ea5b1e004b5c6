import type { SignInEnd } from '@atrium/client/sign-in'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { Problem } from '../ui/state.tsx'
import { useSignInWords } from '../words/sign-in.ts'
import type { SignedIn } from './use-arrival.ts'

export interface ChooseStepProps {
  choice: Extract<SignInEnd, { state: 'choose' }>
  onSignedIn(end: SignedIn): Promise<void>
}

/** Of several organizations, the one to work in. */
export function ChooseStep({ choice, onSignedIn }: ChooseStepProps) {
  const words = useSignInWords()
  const choose = useAction(async (id: string) => onSignedIn(await choice.choose(id)))
  return (
    <>
      <PageHeading title={words.chooseTitle} about={words.chooseAbout} />
      <Problem>{choose.problem}</Problem>
      <ul className="outside-form">
        {choice.organizations.map(({ id, name }) => (
          <li key={id}>
            <Button wide busy={choose.busy} onPress={() => void choose.run(id)}>
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
