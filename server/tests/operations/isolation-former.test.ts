import { newMember } from '../people.ts'
import { describeTenants } from './tenant-trials.ts'

describeTenants({
  name: 'an admin of another organization, who was a moderator here',
  async actorOf(office, { founder }, foreign) {
    await newMember(office, foreign.founder, 'moderator', founder)
    await foreign.founder.browser.call('removeMember', { id: founder.id })
    return founder
  },
})
