import { isUtf8 } from 'node:buffer'
import { SCIM_PATH } from '@atrium/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newWaitingBudget, withinWaitingBudget } from '../../platform/database/waiting-budget.ts'
import { bearerOf } from '../../platform/http/bearer.ts'
import type { RequestsUnderWay } from '../../platform/http/connections/requests-under-way.ts'
import { encodedBody, isEncoded } from '../../platform/http/input/encoded-body.ts'
import { keepListening } from '../../platform/http/input/too-large.ts'
import { isDecodable } from '../../platform/http/input/url-text.ts'
import { allowedInstead } from '../../platform/http/known-paths.ts'
import { requestNote } from '../../platform/http/request-note.ts'
import { askerOf } from '../../platform/http/request-record.ts'
import type { Server } from '../../platform/http/server.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { DirectoryCaller, DirectoryNeeds } from './connections/directory-caller.ts'
import type { Complex, ResourceKind } from './protocol/attributes.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './protocol/discovery.ts'
import { faultAnswer, invalid, notFound, ScimFault } from './protocol/faults.ts'
import { type ListQuery, listResponse, readListQuery, readProjection } from './protocol/listing.ts'
import { patched } from './protocol/patch.ts'
import { project } from './protocol/projection.ts'
import { isObject, readResource } from './protocol/read-resource.ts'
import { GROUPS, USERS } from './protocol/resource-kinds.ts'
import { changeGroup, createGroup, deleteGroup, readGroup } from './resources/groups.ts'
import { listGroupResources, listUsers, searchAll } from './resources/lists.ts'
import { versionOf, withVersion } from './resources/resources.ts'
import { changeUser, createUser, deleteUser, matches, readUser } from './resources/users.ts'

export interface ScimRoutesNeeds extends DirectoryNeeds {
  /** Who brings a bearer; undefined where it is unknown or was revoked. */
  findCaller(token: string, request: FastifyRequest): Promise<ScimCaller | undefined>
  /** Takes a call from the budget of a connection. @throws Refusal too-many */
  enter(caller: ScimCaller, reply: FastifyReply): Promise<void>
  underWay: RequestsUnderWay
  /** How long one request waits for the database. */
  databaseWaitMs: number
}

export interface ScimCaller extends DirectoryCaller {
  connectionId: string
}

const CONTENT_TYPE = 'application/scim+json; charset=utf-8'
/** A group of some thousand members, written out. */
const BODY_LIMIT_BYTES = 1024 * 1024

interface Answer {
  status: number
  body?: Complex
  headers?: Record<string, string>
}

type Handler = (caller: ScimCaller, request: FastifyRequest) => Promise<Answer>
const callerOf = requestNote<ScimCaller>('directory caller')

/** SCIM 2.0 for the directory of an organization: a bearer token decides alone, and errors have the form of SCIM. */
export async function serveScim(server: Server, needs: ScimRoutesNeeds): Promise<void> {
  await server.register(
    async (scope) => {
      answerFaults(scope)
      readBodies(scope)
      callerOf.prepare(scope)
      // before the body is read: who may not ask need not be listened to
      scope.addHook('onRequest', async (request, reply) => {
        callerOf.write(request, await admit(needs, request, reply))
        if (request.is404) throw unserved(server, request, reply)
        if (!isDecodable(request.url)) throw invalid('invalidSyntax', 'The address is no valid UTF-8')
      })
      addDiscovery(scope, needs)
      addUsers(scope, needs)
      addGroups(scope, needs)
      add(scope, needs, 'POST', '/.search', async (caller, { body }) => ({
        status: 200,
        body: await searchAll(needs, caller, readListQuery(body)),
      }))
      for (const url of ['/Bulk', '/Me'])
        scope.route({ method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], url, handler: refuseUnsupported })
    },
    { prefix: SCIM_PATH },
  )
}

function refuseUnsupported(): never {
  throw new ScimFault(501, 'This is not supported here')
}

function unserved(server: Server, request: FastifyRequest, reply: FastifyReply): ScimFault {
  const allowed = allowedInstead(server, request)
  if (!allowed) return notFound('endpoint')
  reply.header('allow', allowed.join(', '))
  return new ScimFault(405, `This path takes ${allowed.join(', ')}`)
}

async function admit(
  needs: ScimRoutesNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ScimCaller> {
  const token = bearerOf(request.headers)
  const caller = token === undefined ? undefined : await needs.findCaller(token, request)
  if (!caller) throw new Refusal('unauthenticated', 'This token is missing, unknown or was revoked')
  askerOf.write(request, { organization: caller.organization, program: caller.connectionId })
  await needs.enter(caller, reply)
  return caller
}

function answerFaults(scope: Server): void {
  scope.setErrorHandler((error, request, reply) => {
    const { status, body, headers, defect } = faultAnswer(error, request.id)
    if (defect) request.log.error({ err: error, requestId: request.id }, 'request failed')
    if (status === 413) keepListening(reply)
    return reply.status(status).headers(headers).type(CONTENT_TYPE).send(JSON.stringify(body))
  })
  // so that what is not found is answered by the hook, and in the form of SCIM
  scope.setNotFoundHandler(() => {
    throw notFound('endpoint')
  })
}

/** Directories send either type. What a body holds is read name by name: nothing of it is copied as it came. */
function readBodies(scope: Server): void {
  scope.addContentTypeParser('application/scim+json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    if (isEncoded(request.headers)) return done(encodedBody())
    if (!isUtf8(bytes as Buffer)) return done(invalid('invalidSyntax', 'The body is not valid UTF-8'))
    try {
      done(null, JSON.parse(bytes.toString()))
    } catch {
      done(invalid('invalidSyntax', 'The body is not valid JSON'))
    }
  })
}

function add(
  scope: Server,
  needs: ScimRoutesNeeds,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  handle: Handler,
): void {
  scope.route({
    method,
    url,
    bodyLimit: BODY_LIMIT_BYTES,
    handler: async (request, reply) => {
      const caller = callerOf.read(request) as ScimCaller
      const owner = { person: `directory ${caller.connectionId}`, organization: caller.organization }
      const budget = newWaitingBudget(needs.databaseWaitMs, owner)
      const {
        status,
        body,
        headers = {},
      } = await withinWaitingBudget(budget, () =>
        needs.underWay.run(owner, reply, () => handle(caller, request)),
      )
      reply.status(status).headers(headers)
      // as text: a serializer made from a schema would know no attribute
      return body === undefined ? reply.send() : reply.type(CONTENT_TYPE).send(JSON.stringify(body))
    },
  })
}

function addDiscovery(scope: Server, needs: ScimRoutesNeeds): void {
  const { scimUrl } = needs
  add(scope, needs, 'GET', '/ServiceProviderConfig', async () => ({
    status: 200,
    body: serviceProviderConfig(scimUrl),
  }))
  const lists = { ResourceTypes: resourceTypes(scimUrl), Schemas: schemas(scimUrl) }
  for (const [name, all] of Object.entries(lists)) {
    add(scope, needs, 'GET', `/${name}`, async (_caller, request) => {
      // there is nothing in them to look for (RFC 7644, section 4)
      if (isObject(request.query) && 'filter' in request.query)
        throw new ScimFault(403, `${name} are not filtered`)
      return { status: 200, body: listResponse(all, { totalResults: all.length, startIndex: 1 }) }
    })
    add(scope, needs, 'GET', `/${name}/:id`, async (_caller, request) => {
      const found = all.find(({ id }) => id === idOf(request))
      if (!found) throw notFound(name)
      return { status: 200, body: found }
    })
  }
}

function addUsers(scope: Server, needs: ScimRoutesNeeds): void {
  addLists(scope, needs, USERS, listUsers)
  add(scope, needs, 'POST', '/Users', async (caller, request) => {
    const made = await createUser(needs, caller, readResource(USERS, request.body))
    return answerWith(USERS, made, request, 201)
  })
  add(scope, needs, 'GET', '/Users/:id', async (caller, request) =>
    answerRead(USERS, await readUser(needs, caller, idOf(request)), request),
  )
  add(scope, needs, 'PUT', '/Users/:id', async (caller, request) => {
    const wanted = readResource(USERS, request.body)
    const changed = await changeUser(needs, caller, idOf(request), preconditions(request), () => wanted)
    return answerWith(USERS, changed, request)
  })
  add(scope, needs, 'PATCH', '/Users/:id', async (caller, request) => {
    const patch = (resource: Complex) => patched(USERS, resource, request.body)
    const changed = await changeUser(needs, caller, idOf(request), preconditions(request), patch)
    return answerWith(USERS, changed, request)
  })
  add(scope, needs, 'DELETE', '/Users/:id', async (caller, request) => {
    await deleteUser(needs, caller, idOf(request), preconditions(request))
    return { status: 204 }
  })
}

function addGroups(scope: Server, needs: ScimRoutesNeeds): void {
  addLists(scope, needs, GROUPS, listGroupResources)
  add(scope, needs, 'POST', '/Groups', async (caller, request) => {
    const made = await createGroup(needs, caller, readResource(GROUPS, request.body))
    return answerWith(GROUPS, made, request, 201)
  })
  add(scope, needs, 'GET', '/Groups/:id', async (caller, request) =>
    answerRead(GROUPS, await readGroup(needs, caller, idOf(request)), request),
  )
  add(scope, needs, 'PUT', '/Groups/:id', async (caller, request) => {
    const wanted = readResource(GROUPS, request.body)
    await changeGroup(needs, caller, idOf(request), preconditions(request), () => wanted)
    return answerWith(GROUPS, await readGroup(needs, caller, idOf(request)), request)
  })
  add(scope, needs, 'PATCH', '/Groups/:id', async (caller, request) => {
    const patch = (resource: Complex) => patched(GROUPS, resource, request.body)
    await changeGroup(needs, caller, idOf(request), preconditions(request), patch)
    return answerWith(GROUPS, await readGroup(needs, caller, idOf(request)), request)
  })
  add(scope, needs, 'DELETE', '/Groups/:id', async (caller, request) => {
    await deleteGroup(needs, caller, idOf(request), preconditions(request))
    return { status: 204 }
  })
}

type List = (needs: DirectoryNeeds, caller: DirectoryCaller, query: ListQuery) => Promise<Complex>

function addLists(scope: Server, needs: ScimRoutesNeeds, { endpoint }: ResourceKind, list: List): void {
  add(scope, needs, 'GET', endpoint, async (caller, { query }) => ({
    status: 200,
    body: await list(needs, caller, readListQuery(query)),
  }))
  add(scope, needs, 'POST', `${endpoint}/.search`, async (caller, { body }) => ({
    status: 200,
    body: await list(needs, caller, readListQuery(body)),
  }))
}

/** What has not changed since it was read is not sent again. */
function answerRead(kind: ResourceKind, resource: Complex, request: FastifyRequest): Answer {
  const known = request.headers['if-none-match']
  const etag = versionOf(resource)
  if (known !== undefined && matches(known, etag)) return { status: 304, headers: { etag } }
  return answerWith(kind, resource, request)
}

function answerWith(kind: ResourceKind, resource: Complex, request: FastifyRequest, status = 200): Answer {
  const etag = versionOf(resource)
  const location = String((resource.meta as Complex).location)
  const projection = readProjection(request.query as Record<string, unknown>)
  return {
    status,
    body: project(kind, withVersion(resource), projection),
    headers: { etag, ...(status === 201 ? { location } : { 'content-location': location }) },
  }
}

function idOf({ params }: FastifyRequest): string {
  return (params as { id: string }).id
}

function preconditions({ headers }: FastifyRequest): { ifMatch: string | undefined } {
  return { ifMatch: headers['if-match'] }
}
