import type { OrganizationId } from '../../platform/ids.ts'

type Read = (organizations: readonly OrganizationId[]) => Promise<ReadonlyMap<OrganizationId, bigint>>

interface Round {
  organizations: Set<OrganizationId>
  revisions: Promise<ReadonlyMap<OrganizationId, bigint>>
}

/**
 * Reads an organization's revision as it is at some moment after the call. Calls during a query share the next one:
 * the busier the node, the less a call costs.
 */
export function batchRevisionReads(read: Read): (organization: OrganizationId) => Promise<bigint> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Round | undefined

  const open = (): Round => {
    const organizations = new Set<OrganizationId>()
    const revisions = running.then(() => {
      next = undefined
      return read([...organizations])
    })
    running = revisions.catch(() => {})
    return { organizations, revisions }
  }
  return async (organization) => {
    next ??= open()
    next.organizations.add(organization)
    return (await next.revisions).get(organization) ?? 0n
  }
}
