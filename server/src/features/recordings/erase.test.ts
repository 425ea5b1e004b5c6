import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRecording } from '../../../tests/chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { listOrganizationsOf } from '../../access/audit/audit-erasure.ts'
import { trusted } from '../../platform/ids.ts'
import { eraseFromRecordings } from './erase.ts'

describe('names of people in what is said of recordings', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('go where they were, also after they have left, and stay where only the name is the same', async () => {
    const [here, there] = [await newFounder(office), await newFounder(office)]
    const ann = await newMember(office, here, 'member')
    const [mine, foreign] = [await newRecording(here), await newRecording(there)]
    const { pool, db } = office.database
    await pool.query(
      `update recordings set conference_topic = 'Budget of Ann King: will we ship?', participants = 'Ann King,Bob,Will',
        transcript = '[{"text":"Dear"},{"text":"Ann"},{"text":"King,"},{"text":"Will"}]'`,
    )
    await ann.browser.call('removeMember', { id: ann.id })
    const id = trusted.userId(ann.id)
    const person = {
      id,
      identityId: trusted.identityUserId('x'),
      emails: [],
      names: ['Ann King', 'Will', 'Ann'],
      deletedAt: new Date(),
    }
    await eraseFromRecordings({ db, clock: office.clock }, person, await listOrganizationsOf(db, id))
    const { rows } = await pool.query<{ egress_id: string; said: string }>(
      `select egress_id, participants || ' | ' || conference_topic || ' | ' || (select string_agg(word ->> 'text', ' ')
        from jsonb_array_elements(transcript) as word) as said from recordings`,
    )
    const said = Object.fromEntries(rows.map((row) => [row.egress_id, row.said]))
    expect(said[mine.egressId]).toBe(
      'Deleted person,Bob,Deleted person | Budget of Deleted person: will we ship? | Dear Deleted person Will',
    )
    expect(said[foreign.egressId]).toBe(
      'Ann King,Bob,Will | Budget of Ann King: will we ship? | Dear Ann King, Will',
    )
  })
})
