import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDirectory } from '../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../tests/office.ts'
import { type Stage, send, setStage } from '../../tests/operations/stage.ts'
import { newMember } from '../../tests/people.ts'
import { type RecordedLog, recordedLog } from '../../tests/recorded-log.ts'
import { eventually } from '../../tests/until.ts'

/** The log names each caller, also where they are refused: by their id, and the organization they are at work in. */
describe('the line of a request', () => {
  let office: TestOffice
  let recorded: RecordedLog
  let stage: Stage
  beforeAll(async () => {
    recorded = recordedLog()
    office = await openTestOffice({ log: recorded.log })
    stage = await setStage(office)
  })
  afterAll(() => office.close())

  /** It is written once the reply is sent. */
  async function lineOf(operation: string, status: number): Promise<Record<string, unknown> | undefined> {
    const found = () => recorded.lines.find((line) => line.operation === operation && line.status === status)
    await eventually('a line', 30_000, () => found() !== undefined)
    return found()
  }

  it('names whose role is too low', async () => {
    const member = await newMember(office, stage.founder, 'member')
    await expect(send(member.browser, 'listAuditLog', {})).resolves.toMatchObject({ status: 403 })
    expect(await lineOf('listAuditLog', 403)).toMatchObject({
      ...{ person: member.id, organization: expect.any(String), network: '127.0.0.1' },
    })
  })

  it('names the program that was not made for it', async () => {
    const { id, token } = await stage.serviceToken('listAuditLog')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${office.baseUrl}/members/list`, { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(403)
    expect(await lineOf('listMembers', 403)).toMatchObject({ program: id, organization: expect.any(String) })
  })

  it('names the connection of a directory', async () => {
    const { scim, connectionId } = await newDirectory(office)
    await expect(scim.get('/Users/nobody')).resolves.toMatchObject({ status: 404 })
    const found = () => recorded.lines.find((line) => line.route === '/scim/v2/Users/:id')
    await eventually('a line', 30_000, () => found() !== undefined)
    expect(found()).toMatchObject({ program: connectionId, organization: expect.any(String) })
  })

  it('names nobody where nobody is signed in', async () => {
    await expect(send(office.browser(), 'listMembers', {})).resolves.toMatchObject({ status: 401 })
    const line = await lineOf('listMembers', 401)
    expect([line?.person, line?.program, line?.organization]).toEqual([undefined, undefined, undefined])
  })
})
