import type { WorkOS } from '@workos-inc/node'
import type { IdentityPort } from '../../ports/identity.ts'
import { organizationOf } from './answers.ts'
import { ask, malformed, orGone } from './failures.ts'

type OrganizationPart = Pick<
  IdentityPort,
  'createOrganization' | 'discardOrganization' | 'renameOrganization'
>

/** Organizations at WorkOS. Each carries the key of its making as `external_id`, which is unique there. */
export function workosOrganizations({ organizations }: WorkOS): OrganizationPart {
  const find = async (key: string) => {
    return await orGone('getOrganization', () => organizations.getOrganizationByExternalId(key))
  }
  return {
    async createOrganization({ name, key }) {
      const made = await ask('createOrganization', () =>
        organizations.createOrganization({ name, externalId: key }),
      )
      const id = organizationOf(made.id)
      if (!id) throw malformed('organization id')
      return id
    },
    async discardOrganization({ key }) {
      const left = await find(key)
      // Deleting by an id that an answer holds: it must be the answer to what was asked.
      if (!left) return
      if (left.externalId !== key) throw malformed('organization')
      await orGone('deleteOrganization', () => organizations.deleteOrganization(left.id))
    },
    async renameOrganization({ organization, name }) {
      await ask('updateOrganization', () => organizations.updateOrganization({ organization, name }))
    },
  }
}
