import { type AuditEntry, type AuditTarget, recordAttempt } from '../../../access/audit/audit-trail.ts'
import type { TokenCaller } from '../../../access/caller.ts'
import { normalizeEmail } from '../../../directory/email-address.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { answerTo } from '../../../platform/http/error-reply.ts'
import { parseInternalId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { isObject } from '../../../platform/outside/outside-fields.ts'
import { DoneBeside, ScimFault } from '../protocol/faults.ts'
import { ownValue } from '../protocol/read-resource.ts'

interface Needs {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
}

/** What was asked for. */
export interface RefusedRequest {
  method: string
  /** As it is declared, below `/scim/v2`: `/Users/:id`. Undefined where nothing is served there. */
  url: string | undefined
  params: unknown
  body: unknown
}

/** Longer ones are no addresses. */
const ADDRESS_MAX = 320

/**
 * Writes down what was refused to a directory, and why: once an hour where it asks for the same over and over. Not what is
 * to be sent again as it is (429, 503). That it cannot be written down is logged, and changes no answer.
 */
export async function noteRefusal(
  needs: Needs,
  caller: TokenCaller,
  request: RefusedRequest,
  error: unknown,
): Promise<void> {
  const cause = error instanceof DoneBeside ? error.cause : error
  const reason = reasonOf(cause)
  if (reason === undefined) return
  const about = cause instanceof ScimFault ? cause.about : undefined
  const done = error instanceof DoneBeside ? { done: error.done } : {}
  const email = addressOf(request)
  const entry: AuditEntry = {
    action: 'directory.refused',
    target: targetOf(caller, request, { about, isKnown: reason !== 'not-found' }),
    detail: { request: nameOf(request), reason, ...done, ...(email === undefined ? {} : { email }) },
  }
  try {
    await transaction(needs.db, (tx) =>
      recordAttempt(tx, caller.organization.id, caller, needs.clock.now(), entry),
    )
  } catch (err) {
    needs.log.warn({ err, requestId: caller.requestId }, 'a refusal to a directory could not be written down')
  }
}

/** The HTTP server's own refusals too: of a type, a size or a form that it does not take. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ScimFault) return error.word
  const { status, body, defect } = answerTo(error, '')
  return defect || status === 429 || status >= 500 ? undefined : body.error
}

/** Whom or what it is about: nothing of another organization is named. */
function targetOf(
  caller: TokenCaller,
  { url, params }: RefusedRequest,
  { about, isKnown }: { about: string | undefined; isKnown: boolean },
): AuditTarget {
  if (about !== undefined) return { kind: 'user', id: about }
  const id = parseInternalId(isObject(params) ? String(params.id) : '')
  if (id !== undefined && isKnown && url === '/Users/:id') return { kind: 'user', id }
  if (id !== undefined && isKnown && url === '/Groups/:id') return { kind: 'directory-group', id }
  return { kind: 'directory-connection', id: caller.token.id }
}

function nameOf({ method, url }: RefusedRequest): string {
  return url === undefined ? method : `${method} ${url.replace('/:id', '')}`
}

/** The address of the user who was to be made. */
function addressOf({ method, url, body }: RefusedRequest): string | undefined {
  if (method !== 'POST' || url !== '/Users' || !isObject(body)) return undefined
  const userName = ownValue(body, 'userName')
  if (typeof userName !== 'string' || userName.length > ADDRESS_MAX) return undefined
  return normalizeEmail(userName)
}
