import assert from 'node:assert/strict'
import type { Place } from './place.ts'
import type { Scene } from './scene.ts'
import { encoded, send } from './send.ts'
import { MARKS, WORST_TEXTS, WORST_VALUES } from './texts.ts'

type Json = Record<string, unknown>

interface Attribute {
  name: string
  type: string
  multiValued: boolean
  subAttributes?: Attribute[]
}

const BODY_BYTES = 1_000 * 1_024
const ADDRESS_BYTES = 4 * 1_024
const MARK = 'the-worst-text-comes-here'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
/** Of a list, by GET and by `/.search`. */
const ASKED = ['filter', 'sortBy', 'sortOrder', 'attributes', 'excludedAttributes', 'startIndex', 'count']

/** Every attribute of every resource as the office itself publishes them, in each way of writing; and lists. */
export async function scimPlaces(scene: Scene): Promise<Place[]> {
  const kinds = [
    { path: '/Users', id: scene.scim.userId, attributes: await readAttributes(scene, 'User') },
    { path: '/Groups', id: scene.scim.groupId, attributes: await readAttributes(scene, 'Group') },
  ]
  return [
    ...kinds.flatMap(({ path, id, attributes }) => [
      ...attributes.flatMap((attribute, place) => written(scene, `${path}/${id}`, attribute, place === 0)),
      ...patched(scene, `${path}/${id}`),
      ...ASKED.map((name) => inAddress(scene, path, name)),
      wide(scene, `${path}/${id}`, attributes.find(({ multiValued }) => multiValued)?.name ?? 'members'),
    ]),
    ...ASKED.map((name) => inBody(scene, ['POST', '/.search'], name, { [name]: MARK }, name === 'filter')),
  ]
}

async function readAttributes({ url, scim }: Scene, kind: string): Promise<Attribute[]> {
  const answer = await fetch(`${url}${scim.path}/Schemas`, { headers: bearer(scim.token) })
  const { Resources } = (await answer.json()) as { Resources: { name: string; attributes: Attribute[] }[] }
  const found = Resources.find(({ name }) => name === kind)
  assert.ok(found, `no schema of ${kind}`)
  return found.attributes
}

/** By PUT, by itself and in each of its parts; by PATCH, as a value. */
function written(
  scene: Scene,
  path: string,
  { name, multiValued, subAttributes = [] }: Attribute,
  isFirst: boolean,
): Place[] {
  const whole = (value: unknown): Json => ({ ...BASE, [name]: multiValued ? [value] : value })
  const parts = subAttributes.map((sub) => [`${name}.${sub.name}`, { [sub.name]: MARK }] as const)
  return [[name, MARK] as const, ...parts].flatMap(([way, value], place) => {
    const operation = { op: 'replace', path: name, value: whole(value)[name] }
    const isRepresentative = isFirst && place === 0
    return [
      inBody(scene, ['PUT', path], way, whole(value), isRepresentative),
      inBody(scene, ['PATCH', path], way, { schemas: [PATCH], Operations: [operation] }, isRepresentative),
    ]
  })
}

const BASE: Json = {
  userName: 'peer@sso.example',
  displayName: 'Peer',
  emails: [{ value: 'peer@sso.example' }],
}

function patched(scene: Scene, path: string): Place[] {
  const operations = {
    op: { op: MARK, path: 'displayName', value: 'Peer' },
    path: { op: 'replace', path: MARK, value: 'Peer' },
    'path of a filter': { op: 'replace', path: `emails[value eq "${MARK}"].value`, value: 'Peer' },
  }
  return Object.entries(operations).map(([name, operation]) =>
    inBody(scene, ['PATCH', path], name, { schemas: [PATCH], Operations: [operation] }, name === 'path'),
  )
}

function wide(scene: Scene, path: string, name: string): Place {
  const place = inBody(scene, ['PATCH', path], `${name}, a value`, {}, true)
  return {
    ...place,
    worst: WORST_VALUES,
    prepare: (made) =>
      ask(
        scene,
        'PATCH',
        path,
        `{"schemas":["${PATCH}"],"Operations":[{"op":"add","path":"${name}","value":${made}}]}`,
      ),
  }
}

function inBody(
  scene: Scene,
  [method, path]: readonly [string, string],
  way: string,
  body: Json,
  isRepresentative: boolean,
): Place {
  const template = JSON.stringify(body)
  return {
    group: 'directory: bodies',
    name: `${method} ${path.replace(/\/\d[\w-]*$|\/[0-9a-f-]{36}$/, '/…')} ${way}`,
    worst: isRepresentative ? WORST_TEXTS : [MARKS],
    bytesMax: BODY_BYTES,
    // escaped twice where the text is within a filter: whatever it is then, it is as long
    prepare: (made) =>
      ask(
        scene,
        method,
        path,
        template.replace(MARK, () => JSON.stringify(made).slice(1, -1)),
      ),
  }
}

function inAddress(scene: Scene, path: string, name: string): Place {
  return {
    group: 'directory: addresses',
    name: `GET ${path} ?${name}`,
    worst: path === '/Users' && name === 'filter' ? WORST_TEXTS : [MARKS],
    bytesMax: ADDRESS_BYTES,
    prepare: (made) => ask(scene, 'GET', `${path}?${name}=${encoded(made)}`),
  }
}

function ask({ url, scim }: Scene, method: string, path: string, body?: string) {
  return send(url, {
    method,
    path: scim.path + path,
    headers: {
      ...bearer(scim.token),
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}
