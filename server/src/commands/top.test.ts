import { Command } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../tests/office.ts'
import { newFounder } from '../../tests/people.ts'
import { readConfig } from '../configuration/config.ts'
import { addTopCommand } from './top.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice({ settings: { RATE_LIMIT_PER_USER: '20' } })
})
afterAll(() => office.close())

async function top(port: string, ...args: string[]): Promise<string[]> {
  const printed: string[] = []
  const program = new Command().exitOverride()
  addTopCommand(program, {
    configuration: async () => readConfig({ ATRIUM_ENV: 'test', PORT: port }, '/nowhere'),
    logOf: () => {
      throw new Error('it keeps no log')
    },
    print: (line) => printed.push(line),
    complain: (line) => printed.push(line),
    end: () => {},
  })
  await program.parseAsync(['node', 'atrium', 'top', ...args])
  return printed
}

it('names who floods the running node first, with what was refused, and no person by name', async () => {
  const { browser, organizationId, id, email } = await newFounder(office)
  for (let n = 0; n < 40; n += 1) await browser.request('listRooms')
  await office.office.jobs.runNow('name-organizations')
  const { port } = new URL(office.baseUrl)
  const lines = await top(port)
  const after = (title: string) => lines[lines.findIndex((line) => line.startsWith(title)) + 1]
  expect(after('ORGANIZATION')).toMatch(new RegExp(`^${organizationId} +\\d+\\.\\d +(?!0\\.0 )\\d+\\.\\d +`))
  expect(after('PERSON')).toMatch(new RegExp(`^${id} `))
  expect(after('OPERATION')).toMatch(/^listRooms /)
  expect(lines).toContain('Requests that wait for a connection to the database: 0')
  const whole = (await top(port, '--json')).join('\n')
  expect(JSON.parse(whole).load.operations.top[0]).toMatchObject({ key: 'listRooms', requests: 40 })
  for (const text of [whole, lines.join('\n')]) expect(text).not.toContain(email)
})

it('says so where no node runs', async () => {
  await expect(top('9')).rejects.toThrow('No node answers at http://127.0.0.1:9')
})
