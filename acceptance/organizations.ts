import { invitations } from './organizations/invitations.ts'
import { members } from './organizations/members.ts'
import { fresh, signedUp } from './person.ts'
import type { Walk } from './walk.ts'

/** An organization grows, appoints, parts and ends: invitations, links, roles, removal, and the trail of it all. */
export const organizations: Walk = {
  name: 'organizations',
  async run(office, steps) {
    const name = fresh('Observatory')
    const { founder, id } = await steps.step('somebody founds an organization', async () => {
      const founder = await signedUp(office, 'maria')
      const { id } = await founder.client.call('createOrganization', { name })
      return { founder, id }
    })
    const invited = await invitations(office, steps, { founder, id, name })
    await members(steps, { founder, id, invited })
  },
}
