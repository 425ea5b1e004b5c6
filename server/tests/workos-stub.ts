import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UnsecuredJWT } from 'jose'
import { workosContract } from './workos-contract.ts'

interface StubUser {
  id: string
  email: string
}

export interface WorkosStub {
  url: string
  /** The newest code for an address, as it would be in the mail. */
  codeFor(email: string): string
  /** Gives an organization a connection that works. */
  connect(organization: string): void
  /** What the person does at the address the browser is sent to. @returns where the browser comes back to */
  authorize(redirectURL: string, email: string): URL
  /** What somebody does in its dashboard: a role there, or `undefined` to take them out. */
  administer(email: string, organization: string, role: string | undefined): void
  /** A domain that it has seen proven, or that was taken away there. */
  setDomain(organization: string, domain: string, verified: boolean): void
  /** Ends the session that somebody signed in last with. */
  endSession(email: string): void
  /** What it answers everything with from now on; undefined: as it should. */
  fault: { status: number; body?: string } | 'hang' | undefined
  /** What did not fit the document of WorkOS: nothing, in a test that passes. */
  misfits: string[]
  calls: number
  close(): Promise<void>
}

/** The only ones it takes; settings of every office on it. */
export const STUB_REGISTRATION = { WORKOS_API_KEY: 'sk_test', WORKOS_CLIENT_ID: 'client_test' }

const AT = '2026-01-01T00:00:00.000Z'
const idOf = (prefix: string) => `${prefix}_01${randomBytes(12).toString('hex').toUpperCase()}`

/** A WorkOS of our own: what the adapter uses of it. Every request and answer is held against its document. */
export async function openWorkosStub(): Promise<WorkosStub> {
  const contract = workosContract()
  const users = new Map<string, StubUser>()
  const codes = new Map<string, { code: string; used: boolean }>()
  const grants = new Map<string, { email: string; challenge: string; organization: string | null }>()
  const memberships = new Map<string, string[]>()
  const organizations = new Map<string, string>()
  const connections = new Set<string>()
  const sessions = new Map<string, string>()
  const domains = new Map<string, string[]>()
  const events: { id: string; event: string; data: unknown }[] = []

  const userOf = (email: string): StubUser => {
    const known = users.get(email) ?? { id: idOf('user'), email }
    users.set(email, known)
    return known
  }
  const shown = (user: StubUser) => ({
    object: 'user',
    id: user.id,
    email: user.email,
    email_verified: true,
    first_name: 'Ada',
    last_name: null,
    name: 'Ada',
    profile_picture_url: null,
    last_sign_in_at: null,
    locale: null,
    external_id: null,
    metadata: {},
    created_at: AT,
    updated_at: AT,
  })
  const signedIn = (email: string, organization: string | null): [number, unknown] => {
    const user = userOf(email)
    const mine = memberships.get(user.id) ?? []
    if (!organization && mine.length > 1) {
      return [
        403,
        {
          code: 'organization_selection_required',
          message: 'Choose an organization',
          pending_authentication_token: 'pending',
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
        user: shown(user),
        ...(place ? { organization_id: place } : {}),
        access_token: token,
        refresh_token: 'refresh',
        authentication_method: 'MagicAuth',
      },
    ]
  }
  const authenticate = (body: Record<string, string>): [number, unknown] => {
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
    const kept = codes.get(body.email ?? '')
    if (!kept || kept.code !== body.code) return [400, { code: 'invalid_one_time_code', message: 'no' }]
    if (kept.used) return [400, { code: 'one_time_code_previously_used', message: 'no' }]
    kept.used = true
    return signedIn(body.email ?? '', null)
  }
  const list = (data: unknown[]): [number, unknown] => [
    200,
    { object: 'list', data, list_metadata: { before: null, after: null } },
  ]
  const happened = (event: string, data: unknown) => void events.push({ id: idOf('event'), event, data })
  const eventsAfter = (cursor: string | null, limit: number): [number, unknown] => {
    const from = cursor === null ? 0 : events.findIndex(({ id }) => id === cursor) + 1
    const page = events.slice(from, from + limit)
    const shownEvents = page.map((event) => ({ object: 'event', ...event, created_at: AT }))
    for (const event of shownEvents) held(() => contract.checkEvent(event))
    return list(shownEvents)
  }
  const domainShown = (organization_id: string, domain: string) => {
    const rest = { state: 'verified', verification_strategy: 'manual', created_at: AT, updated_at: AT }
    return { object: 'organization_domain', id: `org_domain_${domain}`, organization_id, domain, ...rest }
  }
  const organizationShown = (id: string) => {
    const own = (domains.get(id) ?? []).map((domain) => domainShown(id, domain))
    const rest = { allow_profiles_outside_organization: false, domains: own, metadata: {}, external_id: null }
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
        return [201, shown(userOf(body.email ?? ''))]
      case 'POST /organizations': {
        const id = idOf('org')
        const name = body.name ?? ''
        organizations.set(id, name)
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
        const held = memberships.get(user)?.includes(organization)
        return list(held ? [membershipShown(user, organization, undefined)] : [])
      }
      case 'GET /events':
        return eventsAfter(query.get('after'), Number(query.get('limit')))
      case 'GET /connections': {
        const organization_id = query.get('organization_id') ?? ''
        const rest = {
          name: 'Acme',
          connection_type: 'GenericOIDC',
          state: 'active',
          status: 'linked',
          domains: [],
        }
        const times = { created_at: AT, updated_at: AT }
        const connection = { object: 'connection', id: idOf('conn'), organization_id, ...rest, ...times }
        return list(connections.has(organization_id) ? [connection] : [])
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
    if (kind === 'organizations' && verb === 'PUT') {
      organizations.set(id, body.name ?? '')
      return [200, organizationShown(id)]
    }
    if (kind === 'organizations') return [200, organizationShown(id)]
    const person = [...users.values()].find((one) => one.id === id)
    if (kind === 'users' && person) return [200, shown(person)]
    if (!user || !organization) return [404, { message: 'not found' }]
    if (verb === 'PUT') return [200, membershipShown(user, organization, body.role_slug)]
    memberships.set(user, memberships.get(user)?.filter((known) => known !== organization) ?? [])
    details.delete(`${user} ${organization}`)
    return [202, undefined]
  }
  const stub: WorkosStub = {
    url: '',
    fault: undefined,
    misfits: [],
    calls: 0,
    codeFor: (email) => codes.get(email)?.code ?? '',
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
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const method = request.method ?? ''
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    // What the reconciliation tells it comes when it comes.
    if (!/memberships|^\/organizations|^\/events/.test(pathname)) stub.calls += 1
    const headers = { 'content-type': 'application/json' }
    if (stub.fault === 'hang') return
    if (stub.fault) return void response.writeHead(stub.fault.status, headers).end(stub.fault.body ?? '{}')
    const body = text ? JSON.parse(text) : {}
    const [status, reply] = serve(`${method} ${pathname}`, body, searchParams)
    held(() => {
      if (request.headers.authorization !== `Bearer ${STUB_REGISTRATION.WORKOS_API_KEY}`)
        throw new Error(`${pathname} was asked with another key`)
      if ((body.client_id ?? STUB_REGISTRATION.WORKOS_CLIENT_ID) !== STUB_REGISTRATION.WORKOS_CLIENT_ID)
        throw new Error(`${pathname} was asked by another client`)
      const declared = pathname.replace(/\/(om|org|user)_\w+$/, '/{id}')
      if (text) contract.checkRequest(method, declared, body)
      // refusals are not all in the document
      const isHeld = status < 400 && reply !== undefined && pathname !== '/events'
      if (isHeld) contract.checkResponse(method, declared, status, reply)
    })
    response.writeHead(status, headers).end(reply === undefined ? '' : JSON.stringify(reply))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return stub
}
