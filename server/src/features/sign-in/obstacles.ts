import { Refusal, type RefusalKind } from '../../platform/refusal.ts'
import type { Obstructed } from '../../ports/identity.ts'

const WORDS: Record<Obstructed['obstacle'], [kind: RefusalKind, message: string]> = {
  'email-not-proven': ['invalid', 'Sign in with a code that is mailed to your address'],
  'second-factor-required': [
    'forbidden',
    'This account needs a second factor, which cannot be asked for here; ask your administrator for single sign-on, or for a sign-in without it',
  ],
  'single-sign-on-required': ['invalid', 'Sign in through your organization'],
  'sign-in-method-not-accepted': ['forbidden', 'This organization requires its own way of signing in'],
}

/** What the identity provider let somebody have, where nothing stands in between. @throws Refusal that says what does */
export function unobstructed<Let extends object>(answer: Let | Obstructed | undefined): Let | undefined {
  if (!answer || !('obstacle' in answer)) return answer
  throw obstructedBy(answer.obstacle)
}

/** What stands between somebody and a session, in words. */
export function obstructedBy(obstacle: Obstructed['obstacle']): Refusal {
  const [kind, message] = WORDS[obstacle]
  return new Refusal(kind, message, { error: obstacle })
}
