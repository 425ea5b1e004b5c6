import { eraseFromKnocks } from '../../../features/knock/erase.ts'
import { knockJobs } from '../../../features/knock/jobs.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'

/** Knocks without an answer end by themselves. */
export function openKnocks({ clock }: Opening, { databases }: { databases: Databases }): Part {
  const { background: db } = databases
  return {
    needs: {},
    jobs: knockJobs({ db, clock }),
    erasers: [{ name: 'knocks', erase: (person) => eraseFromKnocks(db, person) }],
  }
}
