import type { Operation } from '@atrium/contract'
import { INPUT_BOUNDS } from '@atrium/contract/input-bounds'
import { inputSentence, schemaAt } from '@atrium/contract/input-sentence'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
  preValidationHookHandler,
  RouteOptions,
} from 'fastify'
import type { TSchema } from 'typebox'
import { invalidInput, Refusal } from '../../refusal.ts'
import { ANY_TEXT, ANY_VALUE, type Bounds, boundsOf, type OverBound, overBound } from './bounds.ts'

/** The parts of the input of a route, as the contract declares them. */
interface Declared extends Pick<Operation, 'params' | 'query' | 'invalidStatus'> {
  body?: TSchema
}

/** Of a route with input that the contract declares: the sentences for the person follow from there. */
export function boundedBy(declared: Declared): FastifyContextConfig {
  return { bounded: declared } as FastifyContextConfig
}

/** Of a route with a reader that judges texts itself: depth and width of its body alone are looked at. */
export const ANY_TEXTS: FastifyContextConfig = { bounded: 'any-texts' } as FastifyContextConfig

/** Without a schema: any value has the bounds of all input. */
const ANYTHING: Looked = { bounds: { params: ANY_VALUE, query: ANY_VALUE, body: ANY_VALUE }, declared: {} }
const STRUCTURE: Looked = { bounds: { params: ANY_TEXT, query: ANY_TEXT, body: ANY_TEXT }, declared: {} }

type Part = 'params' | 'query' | 'body'
const PARTS = ['params', 'query', 'body'] as const

/** What is looked at, and how it is called in a refusal. */
interface Looked {
  bounds: Readonly<Partial<Record<Part, Bounds>>>
  declared: Declared
}

/** One for each contract, for all servers of a process. */
const known = new WeakMap<Declared, Looked>()

function lookedAt(declared: Declared): Looked {
  const looked = known.get(declared) ?? {
    // what is not declared is not read either
    bounds: Object.fromEntries(
      PARTS.flatMap((part) => (declared[part] ? [[part, boundsOf(declared[part] as object)]] : [])),
    ),
    declared,
  }
  known.set(declared, looked)
  return looked
}

const ours = new WeakSet<object>()

/**
 * Every route looks at the size of its input before anything is validated, normalized or looked up, by the bounds that
 * its contract gives, or by those that hold for all. Before this the guard has decided who calls.
 */
export function boundInputs(server: FastifyInstance): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    const others = [route.preValidation ?? []].flat() as preValidationHookHandler[]
    // the route of HEAD has the hooks of its GET
    if (others.some((hook) => ours.has(hook))) return
    const check = checkOf((route.config as { bounded?: Declared | 'any-texts' } | undefined)?.bounded)
    ours.add(check)
    route.preValidation = [check, ...others]
  })
}

function checkOf(bounded: Declared | 'any-texts' | undefined): preValidationHookHandler {
  let looked = bounded === undefined ? ANYTHING : bounded === 'any-texts' ? STRUCTURE : undefined
  return (request, _reply, done) => {
    looked ??= lookedAt(bounded as Declared)
    done(refusalOfSize(looked, request))
  }
}

function refusalOfSize(looked: Looked, request: FastifyRequest): Refusal | undefined {
  const { bounds, declared } = looked
  for (const part of PARTS) {
    const value = request[part]
    const found = bounds[part] && isJson(value) ? overBound(value, bounds[part]) : undefined
    if (found && looked === STRUCTURE)
      return Refusal.of('malformed-json', { message: SENTENCES[found.rule] as string })
    if (found) return refusalOf(declared, part, found)
  }
  return undefined
}

/** Bodies of other kinds are bytes or streams; the others have no prototype of their own. */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'string'
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
}

const { depth, values, marksInARow, textUnits } = INPUT_BOUNDS
const SENTENCES: Readonly<Partial<Record<OverBound['rule'], string>>> = {
  depth: `Send JSON of at most ${depth} lists and objects within each other`,
  values: `Send JSON of at most ${values.toLocaleString('en')} values and names`,
  marksInARow: `Put at most ${marksInARow} combining marks in a row`,
  halfCharacters: 'Send text without halves of characters (unpaired surrogates)',
}
const TOO_LONG = `Send texts of at most ${textUnits.toLocaleString('en')} characters`

/** Names only what the schema knows: a key of the sender's may be what is too long. */
function refusalOf(declared: Declared, part: Part, { rule, path }: OverBound): Refusal {
  const named = knownPart(declared[part], path)
  const schema = named.length === path.length && declared[part] && schemaAt(declared[part], named)
  const field = named.join('.') || 'body'
  const message = SENTENCES[rule] ?? (schema ? inputSentence(schema, field) : TOO_LONG)
  return invalidInput([{ field, message }], {
    kind: declared.invalidStatus === 422 ? 'unprocessable' : 'invalid',
  })
}

function knownPart(schema: TSchema | undefined, path: readonly string[]): readonly string[] {
  let length = 0
  while (schema && length < path.length && schemaAt(schema, path.slice(0, length + 1))) length += 1
  return path.slice(0, length)
}
