import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Directory, newDirectory, newGroup, provisioned } from '../../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf } from '../../../../tests/people.ts'

let office: TestOffice
let directory: Directory
beforeAll(async () => {
  office = await openTestOffice()
  directory = await newDirectory(office)
})
afterAll(() => office.close())

const listed = async () => (await directory.founder.browser.call('listDirectoryRefusals')).refusals
const refusalsOf = async () =>
  (await auditOf(directory.founder)).filter(({ action }) => action === 'directory.refused')

describe('what is refused to a directory', () => {
  it('stands in the audit trail by its connection, once an hour, and is listed', async () => {
    const { id, email } = await provisioned(directory, { displayName: 'Ada' })
    const operations = [
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'nothing', value: 'x' },
    ]
    for (let times = 0; times < 3; times += 1) await directory.scim.patch(`/Users/${id}`, ...operations)
    const done = {
      action: 'directory.refused',
      actor: { kind: 'directory', id: directory.connectionId },
      target: { kind: 'user', id },
      detail: { request: 'PATCH /Users', reason: 'invalidPath', done: 'deactivated' },
    }
    // the second one took nothing away any more
    const detail = { request: 'PATCH /Users', reason: 'invalidPath' }
    expect(await refusalsOf()).toMatchObject([done, { ...done, detail }])
    expect((await listed()).slice(0, 2)).toMatchObject([
      { request: 'PATCH /Users', reason: 'invalidPath', done: '', userId: id, name: 'Ada', waits: false },
      { request: 'PATCH /Users', reason: 'invalidPath', done: 'deactivated', userId: id, name: 'Ada' },
    ])
    expect(JSON.stringify(await listed())).not.toContain(email)
    office.clock.advance(3_700)
    await directory.scim.patch(`/Users/${id}`, ...operations)
    expect(await refusalsOf()).toHaveLength(3)
  })

  it.each<
    [string, string, (given: { user: string; group: string }) => Parameters<Directory['scim']['send']>]
  >([
    ['invalidSyntax', 'PATCH /Users', ({ user }) => ['PATCH', `/Users/${user}`, '{']],
    ['invalidSyntax', 'PUT /Users', ({ user }) => ['PUT', `/Users/${user}`, []]],
    [
      'invalidValue',
      'PATCH /Groups',
      ({ group }) => [
        'PATCH',
        `/Groups/${group}`,
        { Operations: [{ op: 'add', path: 'members', value: [{ value: '99999999' }] }] },
      ],
    ],
    [
      'changed-meanwhile',
      'DELETE /Users',
      ({ user }) => ['DELETE', `/Users/${user}`, undefined, { 'if-match': 'x' }],
    ],
    ['last-admin', 'DELETE /Users', () => ['DELETE', `/Users/${directory.founder.id}`]],
    ['not-found', 'GET /Users', () => ['GET', '/Users/99999999']],
    ['invalidFilter', 'GET /Users', () => ['GET', '/Users?filter=x']],
    ['unsupported', 'POST /Users', () => ['POST', '/Users', 'x', { 'content-type': 'text/plain' }]],
    ['too-large', 'POST /Users', () => ['POST', '/Users', { userName: 'x'.repeat(1_100_000) }]],
    ['not-supported', 'POST /Bulk', () => ['POST', '/Bulk', {}]],
    ['method-not-allowed', 'PUT', () => ['PUT', '/Users', {}]],
  ])('is told in a word: %s of %s', async (reason, request, asked) => {
    const { id } = await provisioned(directory)
    const group = await newGroup(directory)
    const { status } = await directory.scim.send(...asked({ user: id, group }))
    expect(status).toBeGreaterThanOrEqual(400)
    expect((await refusalsOf()).at(-1)).toMatchObject({ detail: { request, reason } })
  })

  it('names the address of whom it would make, and none of another organization', async () => {
    await directory.scim.send('POST', '/Users', { userName: 'ada@gmail.com' })
    expect((await listed())[0]).toMatchObject({
      reason: 'domain-not-proven',
      name: 'ada@gmail.com',
      userId: '',
    })
    const other = await newDirectory(office)
    const { id } = await provisioned(other)
    await directory.scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    const target = { kind: 'directory-connection', id: directory.connectionId }
    expect((await refusalsOf()).at(-1)).toMatchObject({ target, detail: { reason: 'not-found' } })
    expect(await other.founder.browser.call('listDirectoryRefusals')).toEqual({ refusals: [] })
  })

  it('is answered though it cannot be written down', async () => {
    await office.database.pool.query(`
      create function refuse_refusal() returns trigger language plpgsql as
      $$ begin raise exception 'no entry today'; end $$;
      create trigger refused before insert on audit_entries for each row execute function refuse_refusal()`)
    const answer = await directory.scim.send('POST', '/Users', { userName: 'ada@elsewhere.example' })
    await office.database.pool.query('drop trigger refused on audit_entries')
    expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('not proven') } })
  })
})
