import { isObject } from '../../../platform/outside/outside-fields.ts'
import {
  type Attribute,
  type Complex,
  isComplex,
  placeOf,
  type ResourceKind,
  type Value,
} from './attributes.ts'
import { invalid } from './faults.ts'
import { comparisonsIn, type Filter, requireFewComparisons } from './filter.ts'
import { readPath, type Target } from './patch-path.ts'
import {
  attempt,
  firstFault,
  type Note,
  ownValue,
  readRemoved,
  readValue,
  requireSchemasBounds,
  type Wanted,
} from './read-resource.ts'

const OPERATIONS_MAX = 200
const verbs = ['add', 'replace', 'remove'] as const
type Verb = (typeof verbs)[number]

/**
 * What a resource is to be after a patch (RFC 7644, section 3.5.2). Entra's capitals and Okta's objects without a path
 * are read as they are meant. A part of an operation that cannot be taken is passed over: the caller refuses the whole by
 * its fault.
 * @throws ScimFault where there are no operations
 */
export function patched(kind: ResourceKind, resource: Complex, body: unknown): Wanted {
  if (isObject(body)) requireSchemasBounds(ownValue(body, 'schemas'))
  const operations = isObject(body) ? ownValue(body, 'Operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalid('invalidSyntax', 'The body has no Operations')
  const copy = structuredClone(resource)
  const { note, first } = firstFault()
  // what takes access away is done all the same
  if (operations.length > OPERATIONS_MAX)
    note(invalid('invalidSyntax', `A patch has at most ${OPERATIONS_MAX} operations`))
  let comparisons = 0
  const unsaid = new Set(Object.keys(resource))
  const patching: Patching = {
    kind,
    resource: copy,
    note,
    unsaid,
    spend(target) {
      comparisons += costOf(copy, target)
      requireFewComparisons(comparisons)
    },
  }
  for (const operation of operations) attempt(note, () => apply(patching, operation))
  return { resource: copy, unsaid, fault: first() }
}

interface Patching {
  kind: ResourceKind
  resource: Complex
  note: Note
  /** Attributes that no operation has written. */
  unsaid: Set<string>
  /** Each may go through all members of a group, and an operation without a path has as many as fit into a body. */
  spend(target: Target): void
}

/** How many values are looked at, and how often each. */
function costOf(resource: Complex, { attribute, chosen }: Target): number {
  const values = Math.max(1, listIn(resource, attribute).length)
  return values * (chosen ? comparisonsIn(chosen.filter) : 1)
}

function apply(patching: Patching, operation: unknown): void {
  const { kind } = patching
  if (!isObject(operation)) throw invalid('invalidSyntax', 'An operation is not an object')
  const verb = verbOf(ownValue(operation, 'op'))
  const [path, value] = [ownValue(operation, 'path'), ownValue(operation, 'value')]
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw invalid('invalidPath', 'The path of an operation is not text')
    const target = readPath(kind, path)
    if (target !== 'let-pass') applyTo(patching, verb, target, value)
    return
  }
  if (verb === 'remove') throw invalid('noTarget', 'What is to be removed is not said')
  if (!isObject(value))
    throw invalid('invalidValue', 'An operation without a path has an object as its value')
  applyKeys(patching, verb, value)
}

function applyKeys(patching: Patching, verb: Verb, value: object): void {
  for (const [key, part] of Object.entries(value))
    attempt(patching.note, () => applyKey(patching, verb, key, part))
}

/** A key of an operation without path: a name or a path. What only the server says is left as it is: Okta repeats ids. */
function applyKey(patching: Patching, verb: Verb, key: string, value: unknown): void {
  const { kind } = patching
  if (/^urn:/i.test(key) && isObject(value)) {
    // the schema around its attributes; else an extension, with what it holds
    if (key.toLowerCase() === kind.schema.toLowerCase()) applyKeys(patching, verb, value)
    return
  }
  const isPath = /[.[:]/.test(key)
  const target = isPath || placeOf(kind, key) !== undefined ? readPath(kind, key) : 'let-pass'
  if (target === 'let-pass' || isByServer(writtenBy(target))) return
  applyTo(patching, verb, target, value)
}

function verbOf(op: unknown): Verb {
  const verb = typeof op === 'string' ? verbs.find((one) => one === op.toLowerCase()) : undefined
  if (verb) return verb
  throw invalid('invalidSyntax', 'The op of an operation is none of add, replace, remove')
}

function writtenBy({ attribute, sub }: Target): Attribute {
  return attribute.mutability === 'readOnly' ? attribute : (sub ?? attribute)
}

function isByServer({ mutability, isHeard }: Attribute): boolean {
  return mutability === 'readOnly' && !isHeard
}

function applyTo(patching: Patching, verb: Verb, target: Target, value: unknown): void {
  const { resource, note, spend, unsaid } = patching
  spend(target)
  const { attribute, sub, chosen } = target
  const written = writtenBy(target)
  if (isByServer(written)) throw invalid('mutability', `${written.name} is read-only`)
  if (verb === 'remove') remove(resource, target, value, note)
  else if (chosen) writeChosen(resource, verb, target, value)
  else if (sub) writePart(resource, { attribute, sub }, readValue(sub, value))
  else write(resource, verb, attribute, readValue(attribute, value, note))
  unsaid.delete(attribute.name)
}

/** A part: of several values, of all of them. */
function writePart(
  resource: Complex,
  { attribute, sub }: { attribute: Attribute; sub: Attribute },
  read: Value,
): void {
  const owners = attribute.multiValued ? listIn(resource, attribute) : [complexIn(resource, attribute)]
  if (owners.length === 0) throw invalid('noTarget', `${attribute.name} has no values`)
  for (const owner of owners) if (isComplex(owner)) put(owner, sub, read)
}

function write(owner: Complex, verb: Verb, attribute: Attribute, value: Value): void {
  const { name } = attribute
  if (value === null) put(owner, attribute, null)
  else if (attribute.multiValued) {
    const added = value as Value[]
    const before = verb === 'add' ? listIn(owner, attribute) : []
    owner[name] = onlyOnePrimary(withoutRepeats([...before, ...added]), added)
  } else if (isComplex(value)) {
    // parts that are not named stay
    Object.assign(complexIn(owner, attribute), value)
  } else owner[name] = value
}

/** Where nothing fits, `add` makes a value that does, and `replace` is refused. */
function writeChosen(resource: Complex, verb: Verb, target: Target, value: unknown): void {
  const { attribute, sub, chosen } = target
  const values = listIn(resource, attribute)
  const read = readValue(sub ?? { ...attribute, multiValued: undefined as never }, value)
  let found = values.filter((one): one is Complex => isComplex(one) && chosen?.test(one) === true)
  if (found.length === 0) {
    if (verb === 'replace' && !attribute.isHeard)
      throw invalid('noTarget', `No value of ${attribute.name} fits the path`)
    const made = madeBy(attribute, chosen?.filter)
    values.push(made)
    found = [made]
  }
  for (const one of found) {
    if (sub) put(one, sub, read)
    else if (isComplex(read)) Object.assign(one, read)
  }
  resource[attribute.name] = onlyOnePrimary(values, found)
}

/** What the filter of a path says of a value that is not there yet. */
function madeBy(attribute: Attribute, filter: Filter | undefined): Complex {
  if (filter?.kind === 'and') return { ...madeBy(attribute, filter.one), ...madeBy(attribute, filter.other) }
  if (filter?.kind !== 'compare' || filter.operator !== 'eq') return {}
  const sub = attribute.subAttributes?.find(({ name }) => name.toLowerCase() === filter.path.toLowerCase())
  return sub ? { [sub.name]: readValue(sub, filter.value) } : {}
}

function remove(resource: Complex, { attribute, sub, chosen }: Target, value: unknown, note: Note): void {
  if (sub) {
    const values = attribute.multiValued ? listIn(resource, attribute) : [complexIn(resource, attribute)]
    for (const one of values) if (isComplex(one) && (chosen?.test(one) ?? true)) put(one, sub, null)
    return
  }
  if (chosen) {
    const left = listIn(resource, attribute).filter((one) => !(isComplex(one) && chosen.test(one)))
    put(resource, attribute, left.length > 0 ? left : null)
    return
  }
  // Entra names what is to go beside the path, and not in it
  const isNamed = attribute.multiValued && value !== undefined && value !== null
  const keys = isNamed ? new Set(readRemoved(attribute, value, note).map(keyOf)) : undefined
  const left = keys ? listIn(resource, attribute).filter((one) => !keys.has(keyOf(one))) : []
  put(resource, attribute, left.length > 0 ? left : null)
}

/** Writes a value, or takes it away. */
function put(owner: Complex, attribute: Attribute, value: Value): void {
  if (value !== null) owner[attribute.name] = value
  else if (attribute.required && !attribute.staysWithout)
    throw invalid('mutability', `${attribute.name} cannot be removed`)
  else delete owner[attribute.name]
}

function listIn(owner: Complex, { name }: Attribute): Value[] {
  const value = owner[name]
  return Array.isArray(value) ? value : []
}

function complexIn(owner: Complex, { name }: Attribute): Complex {
  const value = owner[name]
  if (isComplex(value)) return value
  const made: Complex = {}
  owner[name] = made
  return made
}

/** What makes one of several values the same as another. */
function keyOf(value: Value): string {
  return isComplex(value) && typeof value.value === 'string' ? value.value : JSON.stringify(value)
}

function withoutRepeats(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()]
}

/** Where a value has become the primary one, no other is it any more. */
function onlyOnePrimary(values: Value[], written: readonly Value[]): Value[] {
  const primary = written.findLast((one) => isComplex(one) && one.primary === true)
  if (!primary) return values
  return values.map((one) =>
    isComplex(one) && one !== primary && one.primary === true ? { ...one, primary: false } : one,
  )
}
