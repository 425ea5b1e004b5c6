import {
  type Attribute,
  type Complex,
  isComplex,
  type Place,
  placeOf,
  type ResourceKind,
  type Value,
} from './attributes.ts'
import { invalid } from './faults.ts'
import type { Comparator, Comparison, Filter } from './filter.ts'

/** Whether something holds of a resource, or of one of several values. */
export type Test = (value: Complex) => boolean

/** Makes the test of a filter for a kind of resource. @throws ScimFault invalidFilter */
export function testOf(kind: ResourceKind, filter: Filter): Test {
  return compile(filter, placesOf(kind))
}

/**
 * The test of what stands in the brackets of the path of a patch: names are those of its attribute. What the standard
 * knows and we do not keep is let pass there, and never there.
 */
export function valueTestOf(kind: ResourceKind, attribute: Attribute, filter: Filter): Test {
  return compile(filter, (name) => partOf(knownPlace(kind, `${attribute.name}.${name}`)))
}

/** @throws ScimFault invalidFilter. Undefined: it is known, and nothing has it. */
type Places = (name: string) => Place | undefined

/**
 * The attributes of a search: those that are kept, and described in the schema. An empty answer for another would be a
 * lie about what a directory has told us and we have passed over.
 */
function placesOf(kind: ResourceKind): Places {
  return (name) => {
    const place = knownPlace(kind, name)
    if (place) return place
    throw invalid('invalidFilter', `Nothing can be looked for by ${name}: it is not kept`)
  }
}

/** Undefined where it is let pass. */
function knownPlace(kind: ResourceKind, name: string): Place | undefined {
  const place = placeOf(kind, name)
  if (place === undefined) throw invalid('invalidFilter', `A ${kind.name} has no attribute ${name}`)
  return place === 'let-pass' ? undefined : place
}

/** As what stands in the brackets sees it: a value is all there is. */
function partOf(place: Place | undefined): Place | undefined {
  return place?.sub && { attribute: place.sub, sub: undefined }
}

function compile(filter: Filter, places: Places): Test {
  switch (filter.kind) {
    case 'and': {
      const [one, other] = [compile(filter.one, places), compile(filter.other, places)]
      return (value) => one(value) && other(value)
    }
    case 'or': {
      const [one, other] = [compile(filter.one, places), compile(filter.other, places)]
      return (value) => one(value) || other(value)
    }
    case 'not': {
      const test = compile(filter.filter, places)
      return (value) => !test(value)
    }
    case 'present': {
      const place = places(filter.path)
      return (value) => place !== undefined && valuesAt(place, value).some(isPresent)
    }
    case 'value':
      return compileValuePath(filter, places)
    case 'compare':
      return compileComparison(filter, places)
  }
}

function compileValuePath(filter: Extract<Filter, { kind: 'value' }>, places: Places): Test {
  const place = places(filter.path)
  if (!place) return () => false
  const { attribute, sub } = place
  if (sub || attribute.type !== 'complex') throw invalid('invalidFilter', `${filter.path} has no parts`)
  const parts: Places = (name) => partOf(places(`${attribute.name}.${name}`))
  const test = compile(filter.filter, parts)
  const after = filter.sub ? compile(filter.sub.test, parts) : () => true
  return (value) => valuesAt(place, value).some((one) => isComplex(one) && test(one) && after(one))
}

function compileComparison(filter: Extract<Filter, { kind: 'compare' }>, places: Places): Test {
  const { operator, value: wanted } = filter
  const found = places(filter.path)
  if (!found) return () => (operator === 'ne' ? wanted !== null : operator === 'eq' && wanted === null)
  const place = { ...found, sub: found.sub ?? valuePartOf(found.attribute) }
  const attribute = place.sub ?? place.attribute
  if (attribute.type === 'complex')
    throw invalid('invalidFilter', `${filter.path} is compared by one of its parts`)
  const compare = comparison(attribute, operator, wanted)
  if (wanted === null) {
    const isAbsent = (value: Complex) => !valuesAt(place, value).some(isPresent)
    return operator === 'eq' ? isAbsent : (value) => !isAbsent(value)
  }
  const { name } = place.attribute
  return (value) => {
    const only = value[name]
    // what most hold, a million times in a patch of a large group: no list is made of it
    if (!place.sub && typeof only === 'string' && only !== '') return compare(only)
    const values = valuesAt(place, value).filter(isPresent)
    // what is not there is not equal to anything
    return values.length === 0 ? operator === 'ne' : values.some(compare)
  }
}

/** Of several complex values their `value` is compared where no part is named. */
function valuePartOf({ type, multiValued, subAttributes }: Attribute): Attribute | undefined {
  return type === 'complex' && multiValued ? subAttributes?.find(({ name }) => name === 'value') : undefined
}

function comparison(
  attribute: Attribute,
  operator: Comparator,
  wanted: Comparison,
): (value: Value) => boolean {
  const unfit = () => invalid('invalidFilter', `${attribute.name} cannot be compared like this`)
  if (wanted === null) {
    if (operator !== 'eq' && operator !== 'ne') throw unfit()
    return () => false
  }
  if (attribute.type === 'boolean') {
    const flag = typeof wanted === 'string' ? flagOf(wanted) : wanted
    if (typeof flag !== 'boolean' || (operator !== 'eq' && operator !== 'ne')) throw unfit()
    return (value) => (value === flag) === (operator === 'eq')
  }
  if (typeof wanted !== 'string') throw unfit()
  if (attribute.type === 'dateTime' && ORDERED.has(operator)) return momentComparison(operator, wanted, unfit)
  const fold = (text: string) => (attribute.caseExact ? text : text.toLowerCase())
  const folded = fold(wanted)
  return (value) => typeof value === 'string' && compareTexts(operator, fold(value), folded)
}

const ORDERED: ReadonlySet<Comparator> = new Set(['eq', 'ne', 'gt', 'ge', 'lt', 'le'])

function momentComparison(operator: Comparator, wanted: string, unfit: () => Error) {
  const moment = Date.parse(wanted)
  if (Number.isNaN(moment)) throw unfit()
  return (value: Value) => typeof value === 'string' && holds(operator, Date.parse(value) - moment)
}

function compareTexts(operator: Comparator, value: string, wanted: string): boolean {
  if (operator === 'co') return value.includes(wanted)
  if (operator === 'sw') return value.startsWith(wanted)
  if (operator === 'ew') return value.endsWith(wanted)
  return holds(operator, value === wanted ? 0 : value < wanted ? -1 : 1)
}

function holds(operator: Comparator, difference: number): boolean {
  if (operator === 'eq') return difference === 0
  if (operator === 'ne') return difference !== 0
  if (operator === 'gt') return difference > 0
  if (operator === 'ge') return difference >= 0
  return operator === 'lt' ? difference < 0 : difference <= 0
}

/** Entra writes booleans as text. */
export function flagOf(text: string): boolean | undefined {
  const word = text.toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : undefined
}

/** Every value at a place; of something that is not there, none. */
export function valuesAt({ attribute, sub }: Place, resource: Complex): Value[] {
  const found = listOf(resource[attribute.name])
  if (!sub) return found
  return found.flatMap((value) => (isComplex(value) ? listOf(value[sub.name]) : []))
}

function listOf(value: Value | undefined): Value[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** Empty text and empty objects are as good as nothing. */
function isPresent(value: Value): boolean {
  if (value === null || value === '') return false
  return !isComplex(value) || Object.keys(value).length > 0
}
