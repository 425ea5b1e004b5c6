import { invitationTokenFor } from '../people.ts'
import { describeTenants } from './tenant-trials.ts'

describeTenants({
  name: 'an admin of another organization, who was a moderator here',
  async actorOf(office, { founder }, foreign) {
    await foreign.founder.browser.call('sendInvitation', { email: founder.email, role: 'moderator' })
    const token = await invitationTokenFor(office, founder.email)
    await founder.browser.call('acceptInvitation', { token })
    await foreign.founder.browser.call('removeMember', { id: founder.id })
    return founder
  },
})
