import { answerTo } from '../../../platform/http/error-reply.ts'
import { Refusal } from '../../../platform/refusal.ts'

/** Why a request was refused, in the words of RFC 7644, section 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'tooMany'

/** One sentence for every refused bearer: it does not reveal the organization that a token belonged to. */
const NOT_ADMITTED = 'This token is missing, unknown or was revoked'
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Why, in one word, where SCIM has none of its own. */
type OwnWord =
  | 'domain-not-proven'
  | 'kept-out'
  | 'last-admin'
  | 'changed-meanwhile'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-supported'
  | 'not-acceptable'

/** As the audit trail and the administrators know it. */
export type RefusalWord = ScimType | OwnWord

/** A refusal in the form of SCIM. */
export class ScimFault extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined
  readonly word: RefusalWord
  /** The user of the refusal, where the request does not name them. */
  about: string | undefined

  constructor(status: number, detail: string, scimType?: ScimType, word?: OwnWord) {
    super(detail)
    this.name = 'ScimFault'
    this.status = status
    this.scimType = scimType
    this.word = word ?? scimType ?? 'not-acceptable'
  }
}

/** What was taken away, in one word: directories, the audit trail and administrators read it. */
export type DoneWord = 'deactivated' | 'role-lowered' | 'members-removed'

/** What takes access away was done, and something stands against the rest: the answer is that of the rest, and says so. */
export class DoneBeside extends Error {
  readonly done: DoneWord

  constructor(done: DoneWord, cause: unknown) {
    super(`${done}, but for the rest`, { cause })
    this.name = 'DoneBeside'
    this.done = done
  }
}

export function invalid(scimType: ScimType, detail: string): ScimFault {
  return new ScimFault(400, detail, scimType)
}

export function notFound(what: string): ScimFault {
  return new ScimFault(404, `There is no such ${what}`, undefined, 'not-found')
}

export interface FaultAnswer {
  status: number
  body: Record<string, unknown>
  headers: Record<string, string>
  /** The log shows it as a defect. */
  defect: boolean
}

/** Every error in the form of SCIM. */
export function faultAnswer(error: unknown, requestId: string): FaultAnswer {
  if (error instanceof DoneBeside) {
    const rest = faultAnswer(error.cause, requestId)
    return { ...rest, body: { ...rest.body, detail: `${rest.body.detail} (${error.done})` } }
  }
  if (error instanceof ScimFault) return answer(error.status, error.message, error.scimType)
  const { status, body, retryAfterSeconds, defect } = answerTo(error, requestId)
  const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  if (status === 401)
    return { ...answer(status, NOT_ADMITTED), headers: { 'www-authenticate': 'Bearer' }, defect }
  return { ...answer(status, body.message, scimTypeOf(error, status)), headers: retry, defect }
}

function answer(status: number, detail: string, scimType?: ScimType): FaultAnswer {
  const type = scimType === undefined ? {} : { scimType }
  return {
    status,
    body: { schemas: [ERROR_SCHEMA], status: String(status), ...type, detail },
    headers: {},
    defect: false,
  }
}

function scimTypeOf(error: unknown, status: number): ScimType | undefined {
  if (status !== 400) return undefined
  const word = error instanceof Refusal ? error.error : undefined
  return word === 'invalid-input' ? 'invalidValue' : 'invalidSyntax'
}
