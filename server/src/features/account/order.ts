import type { OrganizationId } from '../../platform/ids.ts'

/** The one order in which several organizations are locked. */
export function byOrganization(
  one: { organizationId: OrganizationId },
  other: { organizationId: OrganizationId },
): number {
  return BigInt(one.organizationId) < BigInt(other.organizationId) ? -1 : 1
}
