import { type OperationId, operationEntries } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUserById, renameUser } from '../../src/directory/users.ts'
import { transaction } from '../../src/platform/database/transaction.ts'
import { newWaitingBudget, withinWaitingBudget } from '../../src/platform/database/waiting-budget.ts'
import { trusted } from '../../src/platform/ids.ts'
import { newDirectory, newGroup, provisioned } from '../chapters/scim.ts'
import { giveDomain } from '../chapters/single-sign-on.ts'
import type { TestOffice } from '../office.ts'
import { type LateClaims, lateClaims } from './claims.ts'
import { reads } from './operation-row.ts'
import { rows } from './rows.ts'
import { openTrialOffice, type Stage, send, setStage, standingStage } from './stage.ts'

/** What goes outside between two transactions: the first is no more than that it begins. */
const IN_STEPS: Partial<Record<OperationId, string>> = {
  finalizeMagicAuth:
    'the identity provider is asked between the code, which is spent with what it proves, and the session',
  startRecording: 'the media server is asked once it is written down that it will be',
  stopRecording:
    'the media server is asked once it is written down that it will be; asked again, it is stopped again',
  deleteRecording: 'the file is removed once nothing brings the recording back; asked again, it goes on',
}

const changing = operationEntries
  .map(([id]) => id)
  .filter((id) => rows[id].audit !== reads && !(id in IN_STEPS))

/** Nothing that can refuse stands between a change and its answer: every later claim of a connection is refused here. */
describe('an answer after the commit', () => {
  let office: TestOffice
  let late: LateClaims
  beforeAll(async () => {
    office = await openTrialOffice()
    late = lateClaims()
  })
  afterAll(async () => {
    late.stop()
    await office.close()
  })
  const standing = standingStage(() => setStage(office))

  function callerOf(id: OperationId, stage: Stage) {
    const { caller } = rows[id]
    if (caller === 'visitor') return { id: stage.founder.id, browser: stage.visitor }
    return caller === 'newcomer' ? stage.newcomer : stage.founder
  }

  it.each(changing)('of %s is that of what was done', async (id) => {
    const stage = await standing.now()
    standing.leave()
    stage.visitor = office.browser()
    const input = (await rows[id].input?.(stage, callerOf(id, stage))) ?? {}
    // the caller may have another browser by now
    const { browser } = callerOf(id, stage)
    late.refuse()
    const answer = await send(browser, id, input)
    late.end()
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  })

  it.each<[string, (given: { user: string; group: string; domain: string }) => [string, string, unknown?]]>([
    ['POST /Users', ({ domain }) => ['POST', '/Users', { userName: `new@${domain}` }]],
    ['PUT /Users', ({ user }) => ['PUT', `/Users/${user}`, { userName: 'other' }]],
    ['PATCH /Users', ({ user }) => ['PATCH', `/Users/${user}`, patchOf('displayName', 'Ada')]],
    ['PATCH /Users that deactivates', ({ user }) => ['PATCH', `/Users/${user}`, patchOf('active', false)]],
    ['DELETE /Users', ({ user }) => ['DELETE', `/Users/${user}`]],
    ['POST /Groups', () => ['POST', '/Groups', { displayName: 'New' }]],
    [
      'PUT /Groups',
      ({ group, user }) => ['PUT', `/Groups/${group}`, { displayName: 'N', members: [{ value: user }] }],
    ],
    ['PATCH /Groups', ({ group }) => ['PATCH', `/Groups/${group}`, patchOf('displayName', 'Other')]],
    ['DELETE /Groups', ({ group }) => ['DELETE', `/Groups/${group}`]],
  ])('of SCIM %s is that of what was done', async (_what, asked) => {
    const directory = await newDirectory(office)
    await giveDomain(office, directory.founder.organizationId, directory.domain)
    const { id: user } = await provisioned(directory)
    const group = await newGroup(directory, user)
    const request = asked({ user, group, domain: directory.domain })
    late.refuse()
    const answer = await directory.scim.send(...request)
    late.end()
    expect(answer.status).toBeLessThan(300)
  })

  it('is refused where it is read after the change', async () => {
    const { founder } = await standing.now()
    const { db } = office.office.needs
    const person = trusted.userId(founder.id)
    const now = office.clock.now()
    const change = () => transaction(db, (tx) => renameUser(tx, person, 'Ada', now))
    const within = <T>(work: () => Promise<T>) => withinWaitingBudget(newWaitingBudget(30_000), work)
    late.refuse()
    const [after, before] = await Promise.allSettled([
      within(async () => {
        await change()
        return await findUserById(db, person)
      }),
      within(async () => {
        await findUserById(db, person)
        await change()
      }),
    ])
    expect(late.end()).toBe(1)
    expect([after.status, before.status]).toEqual(['rejected', 'fulfilled'])
  })

  it('has a reason for every operation in steps', () => {
    for (const reason of Object.values(IN_STEPS)) expect(reason).toMatch(/\w{2,} \w{2,}/)
  })
})

function patchOf(path: string, value: unknown) {
  return { Operations: [{ op: 'replace', path, value }] }
}
