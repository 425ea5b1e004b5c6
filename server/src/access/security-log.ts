import { networkOf } from '../platform/http/connections/network-address.ts'
import type { Log } from '../platform/log.ts'
import type { Visitor } from './caller.ts'

/** What a line of the security log is about. */
export type SecurityEvent =
  | 'sign-in'
  | 'sign-in-refused'
  | 'join-refused'
  | 'account-deleted'
  | 'operator-command'

/** Ids and words of ours only: no e-mail address, no secret, nothing that a stranger has written. */
export type SecurityFacts = Record<string, string | readonly string[] | null>

/** Says in one line of the log what happened, to whom, and from which network. Lines have `security`, to be found by. */
export function logSecurity(
  log: Pick<Log, 'info'>,
  security: SecurityEvent,
  facts: SecurityFacts,
  visitor?: Pick<Visitor, 'address' | 'requestId'>,
): void {
  const place = visitor ? { network: networkOf(visitor.address), requestId: visitor.requestId } : {}
  log.info({ security, ...facts, ...place }, SENTENCES[security])
}

const SENTENCES: Record<SecurityEvent, string> = {
  'sign-in': 'somebody has signed in',
  'sign-in-refused': 'a sign-in was refused',
  'join-refused': 'somebody was refused membership in an organization',
  'account-deleted': 'somebody has deleted their account',
  'operator-command': 'an operator has used a command',
}
