import {
  attributesOf,
  type Complex,
  isComplex,
  type Place,
  placeOf,
  type ResourceKind,
  type Value,
} from './attributes.ts'
import { invalid } from './faults.ts'

/** Which attributes of a resource are answered: those that are asked for, or all but some. */
export interface Projection {
  attributes?: readonly string[] | undefined
  excludedAttributes?: readonly string[] | undefined
}

/** @throws ScimFault where both are said: they exclude each other */
export function requireOneProjection({ attributes, excludedAttributes }: Projection): void {
  if (attributes && excludedAttributes)
    throw invalid('invalidSyntax', 'Say attributes or excludedAttributes, not both')
}

/** Whether an attribute is answered at all, so that it need not be read where it is not. */
export function isAnswered(kind: ResourceKind, projection: Projection, name: string): boolean {
  return name in project(kind, { id: '', schemas: [], [name]: 'there' }, projection)
}

/** The attributes that are asked for. Unknown names are as good as absent. `id` and `schemas` are always there. */
export function project(kind: ResourceKind, resource: Complex, projection: Projection): Complex {
  const { attributes, excludedAttributes } = projection
  if (attributes) return picked(kind, resource, attributes)
  return excludedAttributes ? without(kind, resource, excludedAttributes) : resource
}

function placesOf(kind: ResourceKind, names: readonly string[]): Place[] {
  return names.map((name) => placeOf(kind, name.trim())).filter((place) => typeof place === 'object')
}

function picked(kind: ResourceKind, resource: Complex, names: readonly string[]): Complex {
  const places = placesOf(kind, names)
  const answer: Complex = {}
  for (const { name, returned } of attributesOf(kind)) {
    const value = resource[name]
    if (value === undefined) continue
    const matches = places.filter(({ attribute }) => attribute.name === name)
    const whole = name === 'schemas' || returned === 'always' || matches.some(({ sub }) => sub === undefined)
    if (whole) answer[name] = value
    else if (matches.length > 0) {
      const subs = new Set(matches.map(({ sub }) => sub?.name ?? ''))
      answer[name] = partsOf(value, (part) => subs.has(part))
    }
  }
  return answer
}

function without(kind: ResourceKind, resource: Complex, names: readonly string[]): Complex {
  const answer = { ...resource }
  for (const { attribute, sub } of placesOf(kind, names)) {
    const { name, returned } = attribute
    const value = answer[name]
    if (value === undefined || name === 'schemas' || returned === 'always') continue
    if (sub) answer[name] = partsOf(value, (part) => part !== sub.name)
    else delete answer[name]
  }
  return answer
}

function partsOf(value: Value, keep: (name: string) => boolean): Value {
  if (Array.isArray(value)) return value.map((one) => partsOf(one, keep))
  if (!isComplex(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => keep(name)))
}
