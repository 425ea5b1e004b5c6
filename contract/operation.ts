import type { Static, TObject, TSchema } from 'typebox'
import type { Permission } from './permissions.ts'

/**
 * Who may call an operation. Checked before the body is looked at: machine secret, session and CSRF first,
 * then the role in the active organization.
 */
export type Access =
  /** No session needed. */
  | { kind: 'public' }
  /** A valid session; the caller may be without an active organization. */
  | { kind: 'session' }
  /**
   * A session with an active organization, and the permission where not every role may. `orOneself` names the path
   * parameter with the id of a person: what it does to themself, everybody may.
   */
  | { kind: 'organization'; permission?: Permission; orOneself?: string }
  /** A session of somebody who holds the permission in at least one organization; the input names which one. */
  | { kind: 'any-organization'; permission: Permission }

/** A budget that an operation draws on. Sizes are configuration (`RATE_LIMIT_…`). */
export type Budget = 'codes-per-email' | 'sign-in-per-address' | 'guesses-per-address' | 'guest-per-address'

/** One operation: what the wire sees of it. Everything else about it is derived from this. */
export interface Operation {
  method: 'GET' | 'POST'
  /** OpenAPI form: `/members/{id}/update`. */
  path: string
  /** One line for a person who looks for it. */
  summary: string
  description?: string
  /** The chapter it belongs to, as in the reference. */
  chapter: string
  access: Access
  params?: TObject
  query?: TObject
  body?: TObject
  /** Success status → shape of its body; `null`: no body. */
  replies: Record<number, TSchema | null>
  /** Statuses of refusals that are this operation's own, beside those that follow from access and body. */
  refusals?: readonly number[]
  /** The status of input that does not fit its schema; 400 where not given. */
  invalidStatus?: 422
  budgets?: readonly Budget[]
  /** An earlier path that is kept working: the operation that takes its place. */
  supersededBy?: string
  /** Does not exist in production. */
  developmentOnly?: boolean
  /** Exists only in the environments that PILOT_SIGN_UP_ENVIRONMENTS lists. */
  pilotOnly?: boolean
}

/** Declares an operation and keeps its literal types. */
export function operation<const Declared extends Operation>(declared: Declared): Declared {
  return declared
}

type Fields<Schema> = Schema extends TObject ? Static<Schema> : unknown

/** What a handler is given: path parameters, query and body in one object. Their names never collide (tested). */
export type InputOf<Declared extends Operation> = Fields<Declared['params']> &
  Fields<Declared['query']> &
  Fields<Declared['body']>

/** What a handler answers: one of the declared success statuses with its body. */
export type ReplyOf<Declared extends Operation> = {
  [Status in keyof Declared['replies'] & number]: Declared['replies'][Status] extends TSchema
    ? { status: Status; body: Static<Declared['replies'][Status]> }
    : { status: Status; body?: undefined }
}[keyof Declared['replies'] & number]

/** Every status that an operation may answer with. An answer outside it is a defect, and fails in tests. */
export function statusesOf(declared: Operation): number[] {
  const statuses = new Set<number>([
    ...Object.keys(declared.replies).map(Number),
    ...(declared.refusals ?? []),
  ])
  // of an origin that may not call
  statuses.add(403)
  if (declared.method === 'POST') for (const status of [400, 413, 415]) statuses.add(status)
  if (declared.query || declared.params) statuses.add(400)
  if (declared.invalidStatus) statuses.add(declared.invalidStatus)
  if (declared.access.kind !== 'public') statuses.add(401)
  for (const status of [429, 500, 503]) statuses.add(status)
  return [...statuses].sort((a, b) => a - b)
}
