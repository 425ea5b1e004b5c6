import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../tests/office.ts'
import { atrium } from '../../tests/operator/command-line.ts'
import { auditOf, newFounder } from '../../tests/people.ts'
import { type RecordedLog, recordedLog } from '../../tests/recorded-log.ts'

describe('what operators do at the command line', () => {
  let office: TestOffice
  let recorded: RecordedLog
  const printed: string[] = []
  beforeAll(async () => {
    office = await openTestOffice()
    recorded = recordedLog()
  })
  afterAll(() => office.close())

  async function command(...args: string[]) {
    printed.push(await atrium(office, args, { log: recorded.log }))
  }

  const commandLines = (organization?: string) =>
    recorded.lines.filter(
      (line) => line.security === 'operator-command' && line.organization === organization,
    )

  it('is in the audit trail of the organization as an operator’s, and in one line of the log each', async () => {
    const founder = await newFounder(office)
    const id = founder.organizationId
    const domain = `${id.slice(-8).toLowerCase()}.example`
    await command('domain', 'add', id, domain)
    await command('domain', 'verify', id, domain, '--without-dns')
    const registration = ['--issuer', 'https://login.example', '--client-id', 'atrium']
    await command('sso', 'add', id, ...registration, '--client-secret', 'canary-of-a-secret')
    await command('sso', 'list')
    await command('sso', 'remove', id)
    await command('domain', 'list', id)
    await command('domain', 'remove', id, domain)
    const done = [
      ['domain.claimed', 'domain', {}],
      ['domain.verified', 'domain', { provenBy: 'operator' }],
      [
        'single-sign-on.connected',
        'organization',
        { issuer: 'https://login.example', clientId: 'atrium', trustsEmail: 'false' },
      ],
      ['single-sign-on.removed', 'organization', {}],
      ['domain.removed', 'domain', {}],
    ]
    const entries = (await auditOf(founder)).slice(1)
    expect(entries.map(({ action, target, detail }) => [action, target.kind, detail])).toEqual(done)
    for (const { actor } of entries) expect(actor).toEqual({ kind: 'operator', address: '' })
    expect(commandLines(id).map((line) => line.command)).toEqual(done.map(([action]) => action))
    expect(commandLines(id)[0]).toMatchObject({ operator: expect.any(String), machine: expect.any(String) })
    expect(JSON.stringify(entries) + recorded.text()).not.toContain('canary')
  })

  it('leaves nothing of what did not happen', async () => {
    const founder = await newFounder(office)
    const id = founder.organizationId
    const before = await auditOf(founder)
    await expect(command('domain', 'remove', id, 'nobody.example')).rejects.toThrow('is no domain of')
    await expect(command('sso', 'remove', id)).rejects.toThrow('has no single sign-on')
    expect(await auditOf(founder)).toEqual(before)
    expect(commandLines(id)).toEqual([])
  })

  it('has one line of what concerns no organization, and never the token', async () => {
    await command('pilot-token', 'create', '--note', 'Acme')
    expect(commandLines(undefined)).toMatchObject([{ command: 'pilot-token.created' }])
    const token = printed.find((line) => line.startsWith('pilot_')) as string
    expect(recorded.text()).not.toContain(token)
  })

  it('has an organization that is brought back', async () => {
    const founder = await newFounder(office)
    const id = founder.organizationId
    await founder.browser.call('deleteOrganization', { organizationId: id })
    await command('organization', 'restore', id)
    expect(commandLines(id)).toMatchObject([{ command: 'organization.restored' }])
    await founder.browser.call('switchOrganization', { email: founder.email, organizationId: id })
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'organization.restored',
      actor: { kind: 'operator' },
    })
  })
})
