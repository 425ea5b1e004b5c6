import type { OrganizationId } from '../../platform/ids.ts'

/** One order for everybody: what several organizations are locked for is locked in it. */
export function byOrganization(
  one: { organizationId: OrganizationId },
  other: { organizationId: OrganizationId },
): number {
  return BigInt(one.organizationId) < BigInt(other.organizationId) ? -1 : 1
}
