import { type Operation, operationEntries } from '@atrium/contract'
import { openApiDocument } from '@atrium/contract/openapi'
import type { TSchema } from 'typebox'
import { cutByReader, type Place } from './place.ts'
import type { Scene } from './scene.ts'
import { encoded, send } from './send.ts'
import { MARKS, manyOf, WORST_TEXTS, WORST_VALUES } from './texts.ts'

/** What a schema says that is read here. */
interface Schema {
  type?: string
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  items?: Schema
  anyOf?: readonly Schema[]
  [keyword: string]: unknown
}

/** From the body down: names of fields, and `0` for an item of a list. */
type Way = readonly (string | 0)[]

interface Leaf {
  way: Way
  schema: Schema
}

type Json = Record<string, unknown>
type Read = Place & { reader: string }

/** What the office reads of a body at most, less the rest of it. */
const BODY_BYTES = 250 * 1_024
/** Of an address: Node takes 16 kB of head, and each byte of a text may be three of them. */
const ADDRESS_BYTES = 4 * 1_024
const MARK = 'the-worst-text-comes-here'
const INTERESTING = [
  'type',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'isName',
]

/** Every text of every operation, every list, and one body of each kind of access as a whole. */
export function operationPlaces(scene: Scene): Place[] {
  const examples = openApiDocument({ version: '0' }).paths
  const bodies: Read[] = []
  const lists: Read[] = []
  const addresses: Read[] = []
  const whole: Read[] = []
  for (const [id, declared] of operationEntries as readonly (readonly [string, Operation])[]) {
    if (declared.access.kind === 'bearer') continue
    const at = { scene, id, declared, example: exampleOf(examples, declared, scene) }
    for (const leaf of leavesOf(declared.body)) {
      if (leaf.schema.type === 'string') bodies.push(inBody(at, leaf))
      else lists.push(listInBody(at, leaf))
    }
    if (declared.body) whole.push(wholeBody(at))
    for (const name of Object.keys(declared.query?.properties ?? {})) addresses.push(inQuery(at, name))
    for (const name of Object.keys(declared.params?.properties ?? {})) addresses.push(inPath(at, name))
  }
  return [
    ...cutByReader(bodies, [MARKS]),
    ...cutByReader(lists, WORST_VALUES.slice(0, 1)),
    ...cutByReader(whole, []),
    ...cutByReader(addresses, [MARKS]),
  ].filter(({ worst }) => worst.length > 0)
}

interface At {
  scene: Scene
  id: string
  declared: Operation
  example: Json
}

function exampleOf(
  paths: ReturnType<typeof openApiDocument>['paths'],
  { path, method, access }: Operation,
  { guest }: Scene,
): Json {
  const described = paths[path]?.[method.toLowerCase()] as
    | {
        requestBody?: {
          content: Record<string, { example?: Json; examples?: Record<string, { value: Json }> }>
        }
      }
    | undefined
  const content = described?.requestBody?.content['application/json']
  const example = content?.example ?? Object.values(content?.examples ?? {})[0]?.value ?? {}
  return access.kind === 'guest' ? { ...example, inviteId: guest.inviteId } : example
}

/** Texts and lists of a body, however deep. */
function leavesOf(schema: TSchema | undefined, way: Way = []): Leaf[] {
  if (!schema) return []
  const { type, anyOf = [], properties = {}, patternProperties = {}, items } = schema as Schema
  const inner = (next: Schema, step: string | 0) => leavesOf(next as TSchema, [...way, step])
  if (type === 'string') return [{ way, schema: schema as Schema }]
  return [
    ...(type === 'array' ? [{ way, schema: schema as Schema }] : []),
    ...anyOf.flatMap((option) => leavesOf(option as TSchema, way)),
    ...Object.entries(properties).flatMap(([name, next]) => inner(next, name)),
    ...Object.values(patternProperties).flatMap((next) => inner(next, 'key')),
    ...(items ? inner(items, 0) : []),
  ]
}

/** An operation's own example with something else in one place of it. */
function withValue(example: Json, way: Way, value: unknown): Json {
  const body = structuredClone(example)
  let at: Record<string | number, unknown> = body
  for (const [place, step] of way.entries()) {
    if (place === way.length - 1) at[step] = value
    else {
      const present = at[step]
      const isList = way[place + 1] === 0
      if (Array.isArray(present) !== isList || typeof present !== 'object' || present === null)
        at[step] = isList ? [] : {}
      at = at[step] as Record<string | number, unknown>
    }
  }
  return body
}

function readerOf(schema: Schema): string {
  const said = Object.fromEntries(INTERESTING.map((keyword) => [keyword, schema[keyword]]))
  return JSON.stringify([said, schema.enum !== undefined])
}

const nameOf = ({ id }: At, way: Way) => `${id} ${way.map((step) => (step === 0 ? '[]' : step)).join('.')}`

function inBody(at: At, { way, schema }: Leaf): Read {
  const template = JSON.stringify(withValue(at.example, way, MARK))
  return {
    group: 'bodies: texts',
    name: nameOf(at, way),
    reader: readerOf(schema),
    worst: WORST_TEXTS,
    bytesMax: BODY_BYTES - template.length,
    prepare: (made) =>
      ask(
        at,
        template.replace(JSON.stringify(MARK), () => JSON.stringify(made)),
      ),
  }
}

function listInBody(at: At, { way, schema }: Leaf): Read {
  const template = JSON.stringify(withValue(at.example, way, MARK))
  const example = way.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], at.example)
  const item = Array.isArray(example) && example.length > 0 ? example[0] : 'item'
  return {
    group: 'bodies: lists',
    name: nameOf(at, way),
    reader: readerOf({ ...schema, of: schema.items?.type }),
    worst: [...WORST_VALUES, manyOf(item)],
    bytesMax: BODY_BYTES - template.length,
    prepare: (made) =>
      ask(
        at,
        template.replace(JSON.stringify(MARK), () => made),
      ),
  }
}

/** Beside what the operation takes: fields that it does not know, and what is not the object that it takes. */
function wholeBody(at: At): Read {
  const template = JSON.stringify({ ...withoutEffect(at.example), [MARK]: 0 })
  return {
    group: 'bodies: shapes',
    name: `${at.id} {…}`,
    reader: at.declared.access.kind,
    worst: WORST_VALUES,
    bytesMax: BODY_BYTES - template.length,
    prepare(made) {
      const members = made.startsWith('{') ? made.slice(1, -1) : `"x":${made}`
      return ask(
        at,
        template.replace(`"${MARK}":0`, () => members),
      )
    },
  }
}

/** An example in which nothing fits, so that nothing is done. */
function withoutEffect(example: Json): Json {
  return Object.fromEntries(Object.keys(example).map((name) => [name, null]))
}

function inQuery(at: At, name: string): Read {
  return {
    group: 'addresses',
    name: `${at.id} ?${name}`,
    reader: readerOf(at.declared.query?.properties[name] as Schema),
    worst: WORST_TEXTS,
    bytesMax: ADDRESS_BYTES,
    prepare: (made) => ask(at, undefined, `${at.declared.path}?${name}=${encoded(made)}`),
  }
}

function inPath(at: At, name: string): Read {
  return {
    group: 'addresses',
    name: `${at.id} {${name}}`,
    reader: readerOf(at.declared.params?.properties[name] as Schema),
    worst: WORST_TEXTS,
    bytesMax: ADDRESS_BYTES,
    prepare: (made) =>
      ask(
        at,
        undefined,
        at.declared.path.replace(`{${name}}`, () => encoded(made)),
      ),
  }
}

function ask({ scene, declared, example }: At, body: string | undefined, path = declared.path) {
  const given = body ?? (declared.body ? JSON.stringify(withoutEffect(example)) : undefined)
  const caller = declared.access.kind === 'guest' ? scene.guest.headers : scene.signedIn()
  return send(scene.url, {
    method: declared.method,
    path: path.replaceAll(/\{\w+\}/g, '1'),
    headers: { ...caller, ...(given === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(given === undefined ? {} : { body: given }),
  })
}
