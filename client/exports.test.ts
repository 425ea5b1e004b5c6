import { expect, it } from 'vitest'
import { exportOneself, exportOrganization } from './exports.ts'
import { type Answered, fakeOffice } from './tests/fake-office.ts'

const PATH = '/api/v1/organizations/export'
const one = (state: string, progress: number, more = {}) => ({
  ...{ exportId: '1', startedAt: '2026-11-23T09:00:00.000Z', state, progress },
  ...more,
})

/** An office that tells one state after the other. */
function office(states: object[], start: Answered = { status: 202, body: { exportId: '1' } }, path = PATH) {
  const left = [...states]
  return fakeOffice({
    [`${path}/start`]: () => start,
    [`${path}/list`]: () => ({ body: { exports: [left.length > 1 ? left.shift() : left[0]] } }),
  })
}

it('waits until the archive can be fetched, and tells the progress', async () => {
  const downloadUrl = 'https://store.example/a.tar.gz'
  const { client } = office([
    one('running', 0),
    one('running', 40),
    one('running', 40),
    one('ready', 100, { downloadUrl }),
  ])
  const percents: number[] = []
  const done = await exportOrganization(client, {
    everyMs: 1,
    onProgress: (percent) => percents.push(percent),
  })
  expect(done).toMatchObject({ exportId: '1', downloadUrl })
  expect(percents).toEqual([0, 40, 100])
})

it('waits for the one that is running already', async () => {
  const busy = { status: 409, body: { code: 409, message: 'Busy', error: 'export-running' } }
  const states = [one('running', 10), one('running', 20), one('ready', 100, { downloadUrl: 'x' })]
  const { client } = office(states, busy, '/user/export')
  expect(await exportOneself(client, { everyMs: 1 })).toMatchObject({ downloadUrl: 'x' })
  const ended = office([one('ready', 100)], busy)
  await expect(exportOrganization(ended.client)).rejects.toMatchObject({ status: 409 })
})

it('says that it failed, was refused, or is waited for no longer', async () => {
  await expect(exportOrganization(office([one('failed', 3)]).client)).rejects.toMatchObject({
    ...{ name: 'ExportFailed', exportId: '1' },
  })
  const refused = office([], { status: 403, body: { code: 403, message: 'No', error: 'role-not-allowed' } })
  await expect(exportOrganization(refused.client)).rejects.toMatchObject({ status: 403 })
  expect(refused.asked).toHaveLength(1)
  const controller = new AbortController()
  const waiting = exportOrganization(office([one('running', 3)]).client, {
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  })
  await expect(waiting).rejects.toThrow('enough')
})
