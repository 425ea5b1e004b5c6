import type { Static, TObject, TSchema } from 'typebox'
import { type ErrorWord, errorMeanings } from './errors.ts'
import type { InputNotes } from './input-sentence.ts'
import type { Permission } from './permissions.ts'

/** Methods that an operation may have. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** Whether a method changes nothing: it carries no body, and pages of any origin may send it. */
export function isSafe(method: Method): boolean {
  return method === 'GET'
}

/** What a bearer token of an organization was made for. */
export type BearerKind = 'service' | 'bot' | 'scim'

/**
 * Who may call an operation. Checked before the body is looked at: bearer token or session and CSRF first,
 * then the role in the active organization.
 */
export type Access =
  /** No session needed. */
  | { kind: 'public' }
  /**
   * A valid session; the caller may be without an active organization. `orReplaced`: for five seconds also the id that
   * a session had before it moved into another organization, as long as the session lives.
   */
  | { kind: 'session'; orReplaced?: true }
  /**
   * A session with an active organization, and the permission where not every role may. `orOneself` names the path
   * parameter with the id of a person: a caller may always act on themself. `serviceTokens`: a service token of the
   * organization may call it too, where it is made for this operation: its handler needs no person. `bots`: a bot may
   * call it as the member that it is.
   */
  | {
      kind: 'organization'
      permission?: Permission
      orOneself?: string
      serviceTokens?: true
      bots?: true
    }
  /** A session of a person with the permission in at least one organization; the input names which one. */
  | { kind: 'any-organization'; permission: Permission }
  /**
   * No session: a guest who is in a room, by the cookie of their place there. `inviteId` in the body names the link; a
   * session beside it is ignored. Who is not admitted now: 401.
   */
  | { kind: 'guest' }
  /** No session: a bearer token of an organization, of this kind. Service tokens are taken where people are too. */
  | { kind: 'bearer'; bearer: Exclude<BearerKind, 'service' | 'bot'> }

/** A budget that an operation draws on. Sizes are configuration (`RATE_LIMIT_…`). */
export type Budget = 'sign-in-per-address' | 'guest-per-address' | 'knocks-per-user' | 'reactions-per-user'

/** One operation: what the wire sees of it. Everything else about it is derived from this. */
export interface Operation {
  method: Method
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
  /** Error words that are this operation's own, beside those that follow from access and body. */
  errors?: readonly ErrorWord[]
  /** Statuses of refusals that have no word of their own. */
  refusals?: readonly number[]
  /** The status of input that does not fit its schema; 400 where not given. */
  invalidStatus?: 422
  budgets?: readonly Budget[]
  /** It makes something: the header Idempotency-Key is looked at. Never where a token or a secret is answered. */
  idempotent?: true
  /** An earlier path that is kept working: the operation that takes its place. */
  supersededBy?: string
  /** Does not exist in production. */
  developmentOnly?: boolean
  /** Exists only in the environments that PILOT_SIGN_UP_ENVIRONMENTS lists. */
  pilotOnly?: boolean
}

/**
 * Whether an operation takes a code from a mail. Wrong ones count as guesses; no other credential does: what is random
 * is found by no number of tries, and made-up ones would only lock others out.
 */
export function takesMailedCode({ body }: Pick<Operation, 'body'>): boolean {
  const fields: InputNotes[] = Object.values(body?.properties ?? {})
  return fields.some(({ isMailedCode }) => isMailedCode === true)
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
  const statuses = [...Object.keys(declared.replies).map(Number), ...errorsOf(declared).keys()]
  return [...new Set(statuses)].sort((a, b) => a - b)
}

/**
 * Every error word that an operation may refuse with, by status: its own, and those that follow from its method, its
 * access and its input. A refusal with another word is a defect, and fails in tests.
 */
export function errorsOf(declared: Operation): Map<number, ErrorWord[]> {
  const { access, invalidStatus = 400 } = declared
  const errors = new Map<number, ErrorWord[]>()
  const add = (word: ErrorWord, status: number = errorMeanings[word].status) => {
    const words = errors.get(status) ?? []
    if (!words.includes(word)) errors.set(status, [...words, word])
  }
  if (declared.body || declared.query || declared.params) add('invalid-input', invalidStatus)
  if (!isSafe(declared.method)) add('malformed-json', invalidStatus)
  if (!isSafe(declared.method) || declared.query) add('malformed-request')
  if (access.kind !== 'public') add('unauthenticated')
  add('cross-site')
  if (access.kind === 'organization' || access.kind === 'any-organization') add('no-active-organization')
  if ('permission' in access && access.permission) add('role-not-allowed')
  if (access.kind !== 'public') add('token-not-allowed')
  if (!isSafe(declared.method))
    for (const word of ['too-large', 'unsupported', 'encoded-body'] as const) add(word)
  if (declared.idempotent) for (const word of IDEMPOTENCY) add(word)
  for (const word of ALWAYS) add(word)
  for (const word of declared.errors ?? []) add(word)
  for (const status of declared.refusals ?? []) {
    const word = WORD_OF_STATUS[status]
    if (!word) throw new Error(`${declared.path}: a refusal with ${status} has no word`)
    add(word, status)
  }
  return errors
}

const IDEMPOTENCY = [
  'invalid-idempotency-key',
  'idempotency-key-reused',
  'idempotency-key-in-use',
] as const satisfies ErrorWord[]

const ALWAYS = [
  'rate-limited',
  'internal-error',
  'unavailable',
  'provider-unavailable',
  'database-unavailable',
] as const satisfies ErrorWord[]

/** The word of a refusal that has none of its own. */
const WORD_OF_STATUS: Readonly<Record<number, ErrorWord>> = {
  400: 'invalid',
  403: 'role-not-allowed',
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
  502: 'provider-unavailable',
}
