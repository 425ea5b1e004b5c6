/** One attribute as a schema describes it (RFC 7643, section 7). */
export interface Attribute {
  name: string
  type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex'
  multiValued?: true
  description: string
  required?: true
  /** Needed once: taken away later, what it was stays, and the rest of the change is made. */
  staysWithout?: true
  caseExact?: true
  /** `readWrite` where not given. */
  mutability?: 'readOnly' | 'immutable'
  /** Only the server says it; a patch of it is read all the same, and its reader decides what follows. */
  isHeard?: true
  /** `default` where not given. */
  returned?: 'always'
  uniqueness?: 'server'
  canonicalValues?: readonly string[]
  referenceTypes?: readonly string[]
  subAttributes?: readonly Attribute[]
}

/** A kind of resource: what it is called, where it is, and what it has. */
export interface ResourceKind {
  name: 'User' | 'Group'
  endpoint: '/Users' | '/Groups'
  schema: string
  description: string
  attributes: readonly Attribute[]
  /** Of the standard, in lower case, and not kept here: what a directory says of them is let pass. */
  letPass: ReadonlySet<string>
}

/** A value of a resource, or a resource: JSON, of which every object was made by us. */
export type Value = string | number | boolean | null | Value[] | Complex
export interface Complex {
  [name: string]: Value
}

/** Every schema but the standard's own: extensions bear the names that vendors and their customers give them. */
const EXTENSION = /^urn:(?!ietf:params:scim:schemas:core:)/i

/** What every resource has beside the attributes of its schema. */
const COMMON: readonly Attribute[] = [
  {
    name: 'schemas',
    type: 'reference',
    multiValued: true,
    caseExact: true,
    description: '',
    mutability: 'readOnly',
  },
  {
    name: 'id',
    type: 'string',
    caseExact: true,
    description: '',
    mutability: 'readOnly',
    returned: 'always',
  },
  { name: 'externalId', type: 'string', caseExact: true, description: '' },
  {
    name: 'meta',
    type: 'complex',
    description: '',
    mutability: 'readOnly',
    subAttributes: [
      { name: 'resourceType', type: 'string', caseExact: true, description: '', mutability: 'readOnly' },
      { name: 'created', type: 'dateTime', description: '', mutability: 'readOnly' },
      { name: 'lastModified', type: 'dateTime', description: '', mutability: 'readOnly' },
      { name: 'location', type: 'reference', caseExact: true, description: '', mutability: 'readOnly' },
      { name: 'version', type: 'string', caseExact: true, description: '', mutability: 'readOnly' },
    ],
  },
]

export function isComplex(value: Value | undefined): value is Complex {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The attribute of a name, in any case. */
export function attributeNamed(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const lower = name.toLowerCase()
  return attributes.find((attribute) => attribute.name.toLowerCase() === lower)
}

/** All attributes of a kind, the common ones too. */
export function attributesOf(kind: ResourceKind): readonly Attribute[] {
  return [...COMMON, ...kind.attributes]
}

/** Where in a resource something is. */
export interface Place {
  attribute: Attribute
  sub: Attribute | undefined
}

/**
 * The place that a dotted name means, with or without the schema before it.
 * @returns `let-pass` where the standard knows it and we keep nothing of it; undefined where it is unknown
 */
export function placeOf(kind: ResourceKind, name: string): Place | 'let-pass' | undefined {
  const bare = withoutSchema(kind, name)
  if (bare === undefined) return 'let-pass'
  const [first = '', second, ...rest] = bare.split('.')
  if (rest.length > 0) return undefined
  const attribute = attributeNamed(attributesOf(kind), first)
  if (!attribute) return kind.letPass.has(first.toLowerCase()) ? 'let-pass' : undefined
  if (second === undefined) return { attribute, sub: undefined }
  const sub = attributeNamed(attribute.subAttributes ?? [], second)
  if (sub) return { attribute, sub }
  return kind.letPass.has(`${first}.${second}`.toLowerCase()) ? 'let-pass' : undefined
}

/** Undefined where it is of an extension. */
function withoutSchema({ schema }: ResourceKind, name: string): string | undefined {
  const lower = name.toLowerCase()
  if (lower.startsWith(`${schema.toLowerCase()}:`)) return name.slice(schema.length + 1)
  return EXTENSION.test(name) ? undefined : name
}
