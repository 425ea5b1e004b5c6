import { describeTenants } from './tenant-trials.ts'

describeTenants({
  name: 'an admin of another organization',
  actorOf: async (_office, stage) => stage.founder,
})
