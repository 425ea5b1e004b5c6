import { randomBytes } from 'node:crypto'
import type { TestOffice } from '../office.ts'
import { newFounder, type Person } from '../people.ts'
import { giveDomain } from './single-sign-on.ts'

export interface ScimAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: what a directory reads has no types
  body: any
  headers: Headers
}

/** A directory that speaks with a token. */
export interface ScimClient {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>
  get(path: string, headers?: Record<string, string>): Promise<ScimAnswer>
  patch(path: string, ...operations: unknown[]): Promise<ScimAnswer>
}

export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

export function scimClient({ baseUrl }: Pick<TestOffice, 'baseUrl'>, token: string): ScimClient {
  const send: ScimClient['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${baseUrl}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    }
  }
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    patch: (path, ...Operations) => send('PATCH', path, { schemas: [PATCH_OP], Operations }),
  }
}

export interface Directory {
  founder: Person & { organizationId: string }
  /** A domain that the organization has proven. */
  domain: string
  connectionId: string
  token: string
  scim: ScimClient
}

/** An organization with a domain of its own, and a directory that is connected to it. */
export async function newDirectory(
  office: TestOffice,
  state: 'proven' | 'believed' = 'proven',
): Promise<Directory> {
  const founder = await newFounder(office)
  const domain = `${randomBytes(5).toString('hex')}.example`
  await giveDomain(office, founder.organizationId, domain, state)
  const { id, token } = await founder.browser.call('createDirectoryConnection', { name: 'Entra' })
  return { founder, domain, connectionId: id, token, scim: scimClient(office, token) }
}

/** A person as a directory makes them. */
export async function provisioned(
  { scim, domain }: Pick<Directory, 'scim' | 'domain'>,
  said: Record<string, unknown> = {},
): Promise<{ id: string; email: string; etag: string }> {
  const email = `${randomBytes(5).toString('hex')}@${domain}`
  const { status, body, headers } = await scim.send('POST', '/Users', {
    schemas: [USER],
    userName: email,
    ...said,
  })
  if (status !== 201) throw new Error(`not provisioned: ${status} ${JSON.stringify(body)}`)
  return { id: body.id, email: body.emails[0].value, etag: headers.get('etag') as string }
}

export function newGroupName(): string {
  return `Group ${randomBytes(4).toString('hex')}`
}

/** A group with people of the organization. @returns its id */
export async function newGroup({ scim }: Pick<Directory, 'scim'>, ...members: string[]): Promise<string> {
  const group = {
    schemas: [GROUP],
    displayName: newGroupName(),
    members: members.map((value) => ({ value })),
  }
  const { status, body } = await scim.send('POST', '/Groups', group)
  if (status !== 201) throw new Error(`no group: ${status} ${JSON.stringify(body)}`)
  return body.id
}
