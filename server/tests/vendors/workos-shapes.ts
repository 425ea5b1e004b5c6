/** When everything happened. */
export const AT = '2026-01-01T00:00:00.000Z'

export interface StubUser {
  id: string
  email: string
}

/** Things as WorkOS shows them. */
export function shown(user: StubUser) {
  return {
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
  }
}

export function domainShown(organization_id: string, domain: string) {
  const rest = { state: 'verified', verification_strategy: 'manual', created_at: AT, updated_at: AT }
  return { object: 'organization_domain', id: `org_domain_${domain}`, organization_id, domain, ...rest }
}

export function list(data: unknown[], after: string | null = null): [number, unknown] {
  return [200, { object: 'list', data, list_metadata: { before: null, after } }]
}

/** The part of a list that was asked for. */
export function pageOf(all: { id: string }[], query: URLSearchParams): [number, unknown] {
  const from = all.findIndex(({ id }) => id === query.get('after')) + 1
  const to = from + Number(query.get('limit') ?? 10)
  const part = all.slice(from, to)
  return list(part, to < all.length ? (part.at(-1)?.id ?? null) : null)
}
