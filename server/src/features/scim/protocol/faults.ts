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

/** One sentence for every bearer that is none: whose it was is nobody's business. */
const NOT_ADMITTED = 'This token is missing, unknown or was revoked'
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** A refusal in the form of SCIM. */
export class ScimFault extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.name = 'ScimFault'
    this.status = status
    this.scimType = scimType
  }
}

export function invalid(scimType: ScimType, detail: string): ScimFault {
  return new ScimFault(400, detail, scimType)
}

export function notFound(what: string): ScimFault {
  return new ScimFault(404, `There is no such ${what}`)
}

export interface FaultAnswer {
  status: number
  body: Record<string, unknown>
  headers: Record<string, string>
  /** Somebody must look at it. */
  defect: boolean
}

/** Whatever was thrown, in the form of SCIM. */
export function faultAnswer(error: unknown, requestId: string): FaultAnswer {
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
