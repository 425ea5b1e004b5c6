import { describeTenants } from '../operations/tenant-trials.ts'
import { newMember } from '../people.ts'

describeTenants({
  name: 'an admin of another organization, who was a moderator here',
  async actorOf(office, { founder }, foreign) {
    await newMember(office, foreign.founder, 'moderator', founder)
    await foreign.founder.browser.call('removeMember', { id: founder.id })
    return founder
  },
})
