import type { IncomingHttpHeaders } from 'node:http'
import { type Method, methods } from '@atrium/contract'
import { isObject } from '../../platform/outside/outside-fields.ts'
import type { DirectoryCaller, DirectoryNeeds, Preconditions } from './connections/directory-caller.ts'
import type { Complex, ResourceKind } from './protocol/attributes.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './protocol/discovery.ts'
import { notFound, ScimFault } from './protocol/faults.ts'
import { type ListQuery, listResponse, readListQuery, readProjection } from './protocol/listing.ts'
import { patched } from './protocol/patch.ts'
import { type Projection, project } from './protocol/projection.ts'
import { attempt, firstFault, readResource, readWhole, type Wanted } from './protocol/read-resource.ts'
import { GROUPS, USERS } from './protocol/resource-kinds.ts'
import { createUser } from './resources/create-user.ts'
import { MEMBERS_IN_ANSWER_MAX, requireAnswerable } from './resources/group-size.ts'
import { changeGroup, createGroup, deleteGroup, readGroup } from './resources/groups.ts'
import { listGroupResources, listUsers, searchAll } from './resources/lists.ts'
import { versionOf, withVersion } from './resources/resources.ts'
import { changeUser, deleteUser, matches, readUser } from './resources/users.ts'

export interface Answer {
  status: number
  body?: Complex
  headers?: Record<string, string>
}

/** What is read of a request. */
export interface ScimRequest {
  params: unknown
  query: unknown
  body?: unknown
  headers: IncomingHttpHeaders
}

export interface Endpoint {
  method: Method
  /** Below `/scim/v2`, in the words of Fastify: `/Users/:id`. */
  url: string
  handle(needs: DirectoryNeeds, caller: DirectoryCaller, request: ScimRequest): Promise<Answer>
}

/** What the standard has, and this office does not: 501. */
export const unsupported: readonly Pick<Endpoint, 'method' | 'url'>[] = ['/Bulk', '/Me'].flatMap((url) =>
  methods.map((method) => ({ method, url })),
)

/** All that is served. The trials of the guard go by it. */
export const endpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    url: '/ServiceProviderConfig',
    handle: async ({ scimUrl }) => ({ status: 200, body: serviceProviderConfig(scimUrl) }),
  },
  ...described('ResourceTypes', resourceTypes),
  ...described('Schemas', schemas),
  ...endpointsOf({
    kind: USERS,
    list: listUsers,
    create: createUser,
    read: readUser,
    change: changeUser,
    remove: deleteUser,
  }),
  ...endpointsOf({
    kind: GROUPS,
    list: listGroupResources,
    create: createGroup,
    read: readGroup,
    change: changeGroup,
    remove: deleteGroup,
  }),
  {
    method: 'POST',
    url: '/.search',
    async handle(needs, caller, { body }) {
      return { status: 200, body: await searchAll(needs, caller, readListQuery(body)) }
    },
  },
]

/** What says of itself what is spoken here: one after the other, and one alone. */
function described(name: string, allAt: (scimUrl: string) => Complex[]): Endpoint[] {
  return [
    {
      method: 'GET',
      url: `/${name}`,
      async handle({ scimUrl }, _caller, { query }) {
        // there is nothing in them to look for (RFC 7644, section 4)
        if (isObject(query) && 'filter' in query) throw new ScimFault(403, `${name} are not filtered`)
        const all = allAt(scimUrl)
        return { status: 200, body: listResponse(all, { totalResults: all.length, startIndex: 1 }) }
      },
    },
    {
      method: 'GET',
      url: `/${name}/:id`,
      async handle({ scimUrl }, _caller, request) {
        const found = allAt(scimUrl).find(({ id }) => id === idOf(request))
        if (!found) throw notFound(name)
        return { status: 200, body: found }
      },
    },
  ]
}

type Answering<Rest extends unknown[], Result = Complex> = (
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  ...rest: Rest
) => Promise<Result>

/** What is done with the resources of one kind. */
interface ResourceOperations {
  kind: ResourceKind
  list: Answering<[ListQuery]>
  create: Answering<[Complex]>
  read: Answering<[id: string]>
  change: Answering<[id: string, Preconditions, (resource: Complex) => Wanted]>
  remove: Answering<[id: string, Preconditions], void>
}

function endpointsOf(resources: ResourceOperations): Endpoint[] {
  return [...endpointsOfAll(resources), ...endpointsOfOne(resources)]
}

function endpointsOfAll({ kind, list, create }: ResourceOperations): Endpoint[] {
  return [
    {
      method: 'GET',
      url: kind.endpoint,
      async handle(needs, caller, { query }) {
        return { status: 200, body: await list(needs, caller, readListQuery(query)) }
      },
    },
    {
      method: 'POST',
      url: `${kind.endpoint}/.search`,
      async handle(needs, caller, { body }) {
        return { status: 200, body: await list(needs, caller, readListQuery(body)) }
      },
    },
    {
      method: 'POST',
      url: kind.endpoint,
      async handle(needs, caller, request) {
        const { projection, fault } = projectionOf(request)
        if (fault) throw fault
        const made = await create(needs, caller, readResource(kind, request.body))
        return answerWith(kind, made, projection, 201)
      },
    },
  ]
}

function endpointsOfOne({ kind, read, change, remove }: ResourceOperations): Endpoint[] {
  const url = `${kind.endpoint}/:id`
  return [
    {
      method: 'GET',
      url,
      async handle(needs, caller, request) {
        return answerRead(kind, await read(needs, caller, idOf(request)), request)
      },
    },
    {
      method: 'PUT',
      url,
      async handle(needs, caller, request) {
        const { projection, fault } = projectionOf(request)
        const changed = await change(needs, caller, idOf(request), preconditions(request), (resource) =>
          refusedBy(fault, readWhole(kind, request.body, resource)),
        )
        return answerWith(kind, changed, projection)
      },
    },
    {
      method: 'PATCH',
      url,
      async handle(needs, caller, request) {
        const { projection, fault } = projectionOf(request)
        const changed = await change(needs, caller, idOf(request), preconditions(request), (resource) =>
          refusedBy(fault, patched(kind, resource, request.body)),
        )
        return answerWith(kind, changed, projection)
      },
    },
    {
      method: 'DELETE',
      url,
      async handle(needs, caller, request) {
        await remove(needs, caller, idOf(request), preconditions(request))
        return { status: 204 }
      },
    },
  ]
}

/** How the answer is asked for: read before anything is done, for nothing refuses what was done already. */
function projectionOf({ query }: ScimRequest): { projection: Projection; fault: ScimFault | undefined } {
  const { note, first } = firstFault()
  let projection: Projection = {}
  attempt(note, () => {
    projection = readProjection(query as Record<string, unknown>)
  })
  return { projection, fault: first() }
}

function refusedBy(fault: ScimFault | undefined, wanted: Wanted): Wanted {
  return { ...wanted, fault: fault ?? wanted.fault }
}

/** What has not changed since it was read is not sent again. */
function answerRead(kind: ResourceKind, resource: Complex, request: ScimRequest): Answer {
  const known = request.headers['if-none-match']
  const etag = versionOf(resource)
  if (known !== undefined && matches(known, etag)) return { status: 304, headers: { etag } }
  const projection = readProjection(request.query as Record<string, unknown>)
  const { members } = project(kind, resource, projection)
  if (Array.isArray(members)) requireAnswerable(members.length, String(resource.id))
  return answerWith(kind, resource, projection)
}

/** A change of a large group is answered without its members, whom the directory knows. */
function answerWith(kind: ResourceKind, resource: Complex, projection: Projection, status = 200): Answer {
  const etag = versionOf(resource)
  const location = String((resource.meta as Complex).location)
  const { members, ...rest } = project(kind, withVersion(resource), projection)
  const isLong = Array.isArray(members) && members.length > MEMBERS_IN_ANSWER_MAX
  return {
    status,
    body: members === undefined || isLong ? rest : { ...rest, members },
    headers: { etag, ...(status === 201 ? { location } : { 'content-location': location }) },
  }
}

function idOf({ params }: ScimRequest): string {
  return (params as { id: string }).id
}

function preconditions({ headers }: ScimRequest): Preconditions {
  return { ifMatch: headers['if-match'] }
}
