import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { UnsecuredJWT } from 'jose'
import { workosContract } from './workos-contract.ts'
import { AT, domainShown, list, pageOf, type StubUser, shown } from './workos-shapes.ts'

export interface WorkosStub {
  url: string
  /** The newest code for an address, as it would be in the mail. */
  codeFor(email: string): string
  /** Gives an organization a connection that works. */
  connect(organization: string): void
  /** What the person does at the address the browser is sent to. @returns where the browser comes back to */
  authorize(redirectURL: string, email: string): URL
  /** What an administrator does in its dashboard: a role there, or `undefined` to take them out. */
  administer(email: string, organization: string, role: string | undefined): void
  /** A domain that it has seen proven, or that was taken away there. */
  setDomain(organization: string, domain: string, verified: boolean): void
  /** What it wants back from a person with the choice of an organization. */
  choiceOf(email: string): string
  /** As when it has taken too long. */
  forgetChoices(): void
  /** The session of a person's last sign-in; undefined before the first. */
  sessionOf(email: string): string | undefined
  /** Ends the session of a person's last sign-in. */
  endSession(email: string): void
  /** Does to its events what time does: none is left, nor known by its id. */
  forgetEvents(): void
  /** An organization that is deleted in its dashboard. */
  forgetOrganization(organization: string): void
  /** A page of a list: for tests that want it otherwise. */
  page(all: { id: string }[], query: URLSearchParams): [number, unknown]
  /** The organizations that it has under a name. */
  organizationsNamed(name: string): string[]
  /** A route that it serves and never answers, as `POST /organizations`. */
  silentAfter: string | undefined
  /** What it answers everything with from now on; undefined: as it should. */
  fault: { status: number; body?: string } | 'hang' | 'endless' | undefined
  /** Bytes that a client took of answers without an end. */
  endlessBytes: number
  /** What it answers a person with a proven identity, in place of a session. */
  obstacle: [status: number, body: object] | undefined
  /** The id under which it knows a person who signs in, in place of their own. */
  subject: string | undefined
  /** What did not fit the document of WorkOS: nothing, in a test that passes. */
  misfits: string[]
  calls: number
  close(): Promise<void>
}

/** The only ones it takes; settings of every office on it. */
export const STUB_REGISTRATION = { WORKOS_API_KEY: 'sk_test', WORKOS_CLIENT_ID: 'client_test' }

const EMAIL_TAKEN = {
  code: 'user_creation_error',
  message: 'Could not create user.',
  errors: [{ code: 'email_not_available', message: 'This email is not available.' }],
}

const idOf = (prefix: string) => `${prefix}_01${randomBytes(12).toString('hex').toUpperCase()}`

/** A WorkOS of our own: what the adapter uses of it. Every request and answer is held against its document. */
export async function openWorkosStub(): Promise<WorkosStub> {
  const contract = workosContract()
  const users = new Map<string, StubUser>()
  const codes = new Map<string, { code: string; used: boolean }>()
  const grants = new Map<string, { email: string; challenge: string; organization: string | null }>()
  const memberships = new Map<string, string[]>()
  const organizations = new Map<string, string>()
  const externalIds = new Map<string, string>()
  const connections = new Set<string>()
  const sessions = new Map<string, string>()
  /** The people of sign-ins that wait for the choice of an organization. */
  const choices = new Map<string, string>()
  const domains = new Map<string, string[]>()
  const events: { id: string; event: string; data: unknown }[] = []

  const userOf = (email: string): StubUser => {
    const known = users.get(email) ?? { id: idOf('user'), email }
    users.set(email, known)
    return known
  }
  const signedIn = (email: string, organization: string | null): [number, unknown] => {
    const user = userOf(email)
    const mine = memberships.get(user.id) ?? []
    if (!organization && mine.length > 1) {
      const choice = randomBytes(16).toString('base64url')
      choices.set(choice, email)
      return [
        403,
        {
          code: 'organization_selection_required',
          message: 'Choose an organization',
          pending_authentication_token: choice,
          user: shown(user),
          organizations: mine.map((id) => ({ id, name: organizations.get(id) })),
        },
      ]
    }
    const place = organization ?? mine[0]
    const session = idOf('session')
    sessions.set(email, session)
    const token = new UnsecuredJWT({ sid: session }).encode()
    return [
      200,
      {
        user: { ...shown(user), ...(stub.subject === undefined ? {} : { id: stub.subject }) },
        // its document leaves it out; the service says null
        organization_id: place ?? null,
        access_token: token,
        refresh_token: 'refresh',
        authentication_method: 'MagicAuth',
      },
    ]
  }
  const authenticate = (body: Record<string, string>): [number, unknown] => {
    if (stub.obstacle) return stub.obstacle
    if (body.grant_type === 'authorization_code') {
      const grant = grants.get(body.code ?? '')
      grants.delete(body.code ?? '')
      const challenge = createHash('sha256')
        .update(body.code_verifier ?? '')
        .digest('base64url')
      if (grant?.challenge !== challenge)
        return [400, { error: 'invalid_grant', error_description: body.code }]
      return signedIn(grant.email, grant.organization)
    }
    if (body.grant_type === 'urn:workos:oauth:grant-type:organization-selection') return choose(body)
    const kept = codes.get(body.email ?? '')
    if (!kept || kept.code !== body.code) return [400, { code: 'invalid_one_time_code', message: 'no' }]
    if (kept.used) return [400, { code: 'one_time_code_previously_used', message: 'no' }]
    kept.used = true
    return signedIn(body.email ?? '', null)
  }
  const choose = (body: Record<string, string>): [number, unknown] => {
    const [choice, organization] = [body.pending_authentication_token ?? '', body.organization_id ?? '']
    const email = choices.get(choice)
    if (email === undefined) return [400, { code: 'invalid_pending_authentication_token', message: 'no' }]
    if (!memberships.get(userOf(email).id)?.includes(organization))
      return [400, { code: 'organization_membership_not_found', message: 'no' }]
    choices.delete(choice)
    return signedIn(email, organization)
  }
  const happened = (event: string, data: unknown) => void events.push({ id: idOf('event'), event, data })
  const eventsAfter = (cursor: string | null, limit: number): [number, unknown] => {
    if (cursor !== null && !events.some(({ id }) => id === cursor)) return [400, { message: 'no such event' }]
    const from = cursor === null ? 0 : events.findIndex(({ id }) => id === cursor) + 1
    const page = events.slice(from, from + limit)
    const shownEvents = page.map((event) => ({ object: 'event', ...event, created_at: AT }))
    for (const event of shownEvents) held(() => contract.checkEvent(event))
    return list(shownEvents)
  }
  const organizationShown = (id: string) => {
    const own = (domains.get(id) ?? []).map((domain) => domainShown(id, domain))
    const external_id = externalIds.get(id) ?? null
    const rest = { allow_profiles_outside_organization: false, domains: own, metadata: {}, external_id }
    return {
      object: 'organization',
      id,
      name: organizations.get(id),
      ...rest,
      created_at: AT,
      updated_at: AT,
    }
  }
  /** Of each membership its id and role, by user and organization. */
  const details = new Map<string, { id: string; role: string }>()
  const membershipShown = (user_id: string, organization_id: string, role: string | undefined) => {
    const key = `${user_id} ${organization_id}`
    const known = details.get(key) ?? { id: idOf('om'), role: 'member' }
    known.role = role ?? known.role
    details.set(key, known)
    const names = { user_id, organization_id, organization_name: organizations.get(organization_id) }
    const member = [...users.values()].find(({ id }) => id === user_id) ?? { id: user_id, email: '' }
    const rest = {
      status: 'active',
      role: { slug: known.role },
      user: shown(member),
      directory_managed: false,
      custom_attributes: {},
    }
    return {
      object: 'organization_membership',
      id: known.id,
      ...names,
      ...rest,
      created_at: AT,
      updated_at: AT,
    }
  }
  const serve = (route: string, body: Record<string, string>, query: URLSearchParams): [number, unknown] => {
    switch (route) {
      case 'POST /user_management/magic_auth': {
        const user = userOf(body.email ?? '')
        const code = randomInt(0, 1_000_000).toString().padStart(6, '0')
        codes.set(user.email, { code, used: false })
        const { email, id } = user
        const times = { expires_at: AT, created_at: AT, updated_at: AT }
        return [201, { object: 'magic_auth', id: idOf('magic_auth'), user_id: id, email, code, ...times }]
      }
      case 'POST /user_management/authenticate':
        return authenticate(body)
      case 'GET /user_management/users':
        return list([...users.values()].filter((user) => user.email === query.get('email')).map(shown))
      case 'POST /user_management/users':
        if (!users.has(body.email ?? '')) return [201, shown(userOf(body.email ?? ''))]
        return [400, EMAIL_TAKEN]
      case 'POST /organizations': {
        const id = idOf('org')
        const name = body.name ?? ''
        organizations.set(id, name)
        if (body.external_id) externalIds.set(id, body.external_id)
        return [201, organizationShown(id)]
      }
      case 'POST /user_management/organization_memberships': {
        const user_id = body.user_id ?? ''
        const organization_id = body.organization_id ?? ''
        const mine = memberships.get(user_id) ?? []
        if (mine.includes(organization_id))
          return [409, { code: 'organization_membership_already_exists', message: 'there already' }]
        memberships.set(user_id, [...mine, organization_id])
        return [201, membershipShown(user_id, organization_id, body.role_slug)]
      }
      case 'GET /user_management/organization_memberships': {
        const [user, organization] = [query.get('user_id') ?? '', query.get('organization_id') ?? '']
        const held = [...memberships].filter(([, places]) => places.includes(organization)).map(([id]) => id)
        const found = user === '' ? held : held.filter((id) => id === user)
        const all = found.map((id) => membershipShown(id, organization, undefined))
        return stub.page(all, query)
      }
      case 'GET /events':
        return eventsAfter(query.get('after'), Number(query.get('limit')))
      case 'GET /connections': {
        const asked = query.get('organization_id')
        const rest = {
          name: 'Acme',
          connection_type: 'GenericOIDC',
          state: 'active',
          status: 'linked',
          domains: [],
        }
        const times = { created_at: AT, updated_at: AT }
        const found = [...connections]
          .filter((organization) => asked === null || organization === asked)
          .map((organization_id) => ({
            object: 'connection',
            id: organization_id.replace('org_', 'conn_'),
            organization_id,
            ...rest,
            ...times,
          }))
        return stub.page(found, query)
      }
      default:
        return serveOne(route, body)
    }
  }
  /** What is named by its id in the path. */
  const serveOne = (route: string, body: Record<string, string>): [number, unknown] => {
    const [verb = '', path = ''] = route.split(' ')
    const [id = '', kind] = path.split('/').reverse()
    const [user, organization] = [...details].find(([, known]) => known.id === id)?.[0].split(' ') ?? []
    if (kind === 'external_id') {
      const [found] = [...externalIds].find(([, known]) => known === id) ?? []
      return found ? [200, organizationShown(found)] : [404, { message: 'not found' }]
    }
    if (kind === 'organizations' && organizations.has(id)) {
      if (verb === 'PUT') organizations.set(id, body.name ?? '')
      if (verb !== 'DELETE') return [200, organizationShown(id)]
      organizations.delete(id)
      externalIds.delete(id)
      return [202, undefined]
    }
    const person = [...users.values()].find((one) => one.id === id)
    if (kind === 'users' && person) return servePerson(verb, person, body)
    if (!user || !organization) return [404, { message: 'not found' }]
    if (verb === 'PUT') return [200, membershipShown(user, organization, body.role_slug)]
    memberships.set(user, memberships.get(user)?.filter((known) => known !== organization) ?? [])
    details.delete(`${user} ${organization}`)
    return [202, undefined]
  }
  const servePerson = (
    verb: string,
    person: StubUser,
    { email }: Record<string, string>,
  ): [number, unknown] => {
    if (verb === 'PUT' && email !== undefined && email !== person.email) {
      if (users.has(email)) return [400, EMAIL_TAKEN]
      users.delete(person.email)
      person.email = email
      users.set(email, person)
    }
    if (verb !== 'DELETE') return [200, shown(person)]
    users.delete(person.email)
    memberships.delete(person.id)
    for (const place of details.keys()) if (place.startsWith(`${person.id} `)) details.delete(place)
    return [202, undefined]
  }
  const stub: WorkosStub = {
    url: '',
    fault: undefined,
    endlessBytes: 0,
    silentAfter: undefined,
    obstacle: undefined,
    subject: undefined,
    page: pageOf,
    forgetEvents: () => void events.splice(0),
    forgetOrganization: (organization) => void organizations.delete(organization),
    organizationsNamed: (name) => [...organizations].filter(([, known]) => known === name).map(([id]) => id),
    misfits: [],
    calls: 0,
    codeFor: (email) => codes.get(email)?.code ?? '',
    choiceOf: (email) => [...choices].find(([, whose]) => whose === email)?.[0] ?? '',
    forgetChoices: () => choices.clear(),
    sessionOf: (email) => sessions.get(email),
    connect: (organization) => void connections.add(organization),
    administer(email, organization, role) {
      const { id } = userOf(email)
      const others = (memberships.get(id) ?? []).filter((known) => known !== organization)
      const known = others.length < (memberships.get(id) ?? []).length
      memberships.set(id, role === undefined ? others : [...others, organization])
      const done = role === undefined ? 'deleted' : known ? 'updated' : 'created'
      happened(`organization_membership.${done}`, membershipShown(id, organization, role))
      if (role === undefined) details.delete(`${id} ${organization}`)
    },
    setDomain(organization, domain, verified) {
      const others = (domains.get(organization) ?? []).filter((known) => known !== domain)
      domains.set(organization, verified ? [...others, domain] : others)
      const done = verified ? 'verified' : 'deleted'
      happened(`organization_domain.${done}`, domainShown(organization, domain))
    },
    endSession(email) {
      const session = {
        object: 'session',
        id: sessions.get(email),
        user_id: userOf(email).id,
        ip_address: null,
      }
      const rest = { auth_method: 'magic_code', status: 'revoked', expires_at: AT, ended_at: AT }
      happened('session.revoked', { ...session, ...rest, user_agent: null, created_at: AT, updated_at: AT })
    },
    authorize(redirectURL, email) {
      const asked = new URL(redirectURL).searchParams
      held(() => {
        if (asked.get('client_id') !== STUB_REGISTRATION.WORKOS_CLIENT_ID)
          throw new Error('a browser was sent there by another client')
      })
      const code = randomBytes(16).toString('hex')
      const challenge = asked.get('code_challenge') ?? ''
      grants.set(code, { email, challenge, organization: asked.get('organization_id') })
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
      return back
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  function held(check: () => void): void {
    try {
      check()
    } catch (error) {
      stub.misfits.push((error as Error).message)
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  /** JSON without an end, as fast as the client takes it. */
  function* endless() {
    const chunk = 'x'.repeat(1024 * 1024)
    yield '{"id":"'
    for (;;) {
      stub.endlessBytes += chunk.length
      yield chunk
    }
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const method = request.method ?? ''
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    // What the reconciliation tells it comes when it comes.
    if (!/memberships|^\/organizations|^\/events/.test(pathname)) stub.calls += 1
    const headers = { 'content-type': 'application/json' }
    if (stub.fault === 'hang') return
    if (stub.fault === 'endless')
      return await pipeline(endless, response.writeHead(200, headers)).catch(() => {})
    if (stub.fault) return void response.writeHead(stub.fault.status, headers).end(stub.fault.body ?? '{}')
    const body = text ? JSON.parse(text) : {}
    const route = `${method} ${pathname}`
    const [status, reply] = serve(route, body, searchParams)
    if (route === stub.silentAfter) return
    held(() => {
      if (request.headers.authorization !== `Bearer ${STUB_REGISTRATION.WORKOS_API_KEY}`)
        throw new Error(`${pathname} was asked with another key`)
      if ((body.client_id ?? STUB_REGISTRATION.WORKOS_CLIENT_ID) !== STUB_REGISTRATION.WORKOS_CLIENT_ID)
        throw new Error(`${pathname} was asked by another client`)
      const declared = pathname
        .replace(/\/(om|org|user)_\w+$/, '/{id}')
        .replace(/(external_id)\/[^/]+$/, '$1/{external_id}')
      if (text) contract.checkRequest(method, declared, body)
      // refusals are not all in the document
      const isHeld = status < 400 && reply !== undefined && pathname !== '/events'
      if (isHeld) contract.checkResponse(method, declared, status, withoutNullOrganization(reply))
    })
    response.writeHead(status, headers).end(reply === undefined ? '' : JSON.stringify(reply))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return stub
}

function withoutNullOrganization(reply: unknown): unknown {
  const { organization_id, ...rest } = reply as { organization_id?: unknown }
  return organization_id === null ? rest : reply
}
