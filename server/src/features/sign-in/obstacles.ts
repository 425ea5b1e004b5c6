import { Refusal } from '../../platform/refusal.ts'
import type { Obstructed } from '../../ports/identity.ts'

/** What the identity provider let a user have, where nothing stands in between. @throws Refusal that says what does */
export function unobstructed<Let extends object>(answer: Let | Obstructed | undefined): Let | undefined {
  if (!answer || !('obstacle' in answer)) return answer
  throw obstructedBy(answer.obstacle)
}

/** What stands between a user and a session, in words. */
export function obstructedBy(obstacle: Obstructed['obstacle']): Refusal {
  // a session that would not do is told the same word in other words
  const message = 'This organization requires its own way of signing in'
  return Refusal.of(obstacle, obstacle === 'sign-in-method-not-accepted' ? { message } : {})
}
