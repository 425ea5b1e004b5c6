import { limitNames, personLimitNames } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../tests/office.ts'
import { atrium } from '../../tests/operator/command-line.ts'
import { auditOf, newFounder, newMember } from '../../tests/people.ts'

describe('atrium organization limits', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const limits = (...args: string[]) => atrium(office, ['organization', 'limits', ...args])
  /** The words of the line of one limit. */
  const rowOf = (printed: string, name: string) =>
    printed
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.trim()
      .split(/ {2,}/)

  it('shows all of them: how much, since whom, how much is used', async () => {
    const { browser, organizationId } = await newFounder(office)
    await browser.call('createRoom', { name: 'Kitchen' })
    const printed = await limits(organizationId)
    expect(printed.split('\n')).toHaveLength(limitNames.length + 1)
    expect(rowOf(printed, 'limit')).toEqual(['limit', 'value', 'from', 'used', 'unit', 'of each'])
    expect(rowOf(printed, 'rooms')).toEqual(['rooms', '1000', 'deployment', '1', 'rooms', 'organization'])
    expect(rowOf(printed, 'calls-per-person')).toEqual([
      ...['calls-per-person', '600', 'deployment', '-', 'calls/minute', 'person'],
    ])
  })

  it('sets some and gives them back, and the audit trail of the organization says so', async () => {
    const founder = await newFounder(office)
    const { organizationId } = founder
    const set = await limits(organizationId, '--set', 'rooms=3', '--set', 'exports=0')
    expect(rowOf(set, 'rooms')).toEqual(['rooms', '3', 'set', '0', 'rooms', 'organization'])
    expect(rowOf(set, 'exports')?.slice(0, 3)).toEqual(['exports', 'none', 'set'])
    // what is so already is not written down again
    await limits(organizationId, '--set', 'rooms=3', '--unset', 'webhooks')
    const unset = await limits(organizationId, '--unset', 'rooms', '--set', 'exports=9')
    expect(rowOf(unset, 'rooms')?.slice(0, 3)).toEqual(['rooms', '1000', 'deployment'])
    expect(rowOf(unset, 'exports')?.slice(0, 3)).toEqual(['exports', '9', 'set'])
    const trail = (await auditOf(founder)).filter(({ action }) => action === 'organization.limit-changed')
    expect(trail.map(({ detail }) => detail)).toEqual([
      { rooms: 3, exports: 0 },
      { rooms: 'unset', exports: 9 },
    ])
    expect(trail[0]).toMatchObject({
      actor: { kind: 'operator' },
      target: { kind: 'organization', id: organizationId },
    })
  })

  it('refuses what it does not know, and changes nothing then', async () => {
    const { organizationId } = await newFounder(office)
    const refused = async (...args: string[]) =>
      await limits(organizationId, '--set', 'webhooks=7', ...args).catch(({ message }: Error) => message)
    expect(await refused('--set', 'room=3')).toBe('There is no limit room. Is rooms meant?')
    expect(await refused('--unset', 'invitation-per-person')).toContain('Is invitations-per-person meant?')
    expect(await refused('--set', 'constructor=3')).toContain('There is no limit constructor')
    for (const wrong of ['rooms', 'rooms=', 'rooms=-1', 'rooms=0', 'rooms=1e3', 'rooms=10001', 'rooms=3.5'])
      expect(await refused('--set', wrong)).toContain('rooms must be a whole number from 1 to 10000')
    expect(await refused('--set', 'logo-bytes=8388607')).toBe(
      'logo-bytes must be 0 (no limit), or a whole number from 8388608 to 1000000000000: less would let nothing pass: --set logo-bytes=1000000000000',
    )
    expect(await refused('--unset', 'webhooks')).toBe('webhooks is given twice')
    expect(rowOf(await limits(organizationId), 'webhooks')?.[2]).toBe('deployment')
    await expect(limits('org_x')).rejects.toThrow('There is no organization')
  })

  it('sets those of each person for one of them, whom the audit trail names', async () => {
    const founder = await newFounder(office)
    const ada = await newMember(office, founder, 'member')
    const { organizationId } = founder
    const set = await limits(organizationId, '--person', ada.email, '--set', 'calls-per-person=50')
    const names = set.split('\n').map((line) => line.split(' ')[0])
    expect(names.slice(1)).toEqual(personLimitNames)
    expect(rowOf(set, 'calls-per-person')?.slice(0, 3)).toEqual(['calls-per-person', '50', 'set'])
    expect(rowOf(await limits(organizationId), 'calls-per-person')?.[2]).toBe('deployment')
    await limits(organizationId, '--set', 'calls-per-person=60')
    // the internal id names them too
    const unset = await limits(organizationId, '--person', ada.id, '--unset', 'calls-per-person')
    expect(rowOf(unset, 'calls-per-person')?.slice(0, 3)).toEqual(['calls-per-person', '60', 'organization'])
    const trail = (await auditOf(founder)).filter(({ action }) => action === 'organization.limit-changed')
    const ofAda = { actor: { kind: 'operator' }, target: { kind: 'user', id: ada.id } }
    expect(trail).toMatchObject([
      { ...ofAda, detail: { 'calls-per-person': 50 } },
      { target: { kind: 'organization' } },
      { ...ofAda, detail: { 'calls-per-person': 'unset' } },
    ])
  })

  it('refuses for one person what not each has, and who is no member', async () => {
    const [{ organizationId, email }, stranger] = [await newFounder(office), await newFounder(office)]
    await expect(limits(organizationId, '--person', email, '--set', 'rooms=3')).rejects.toThrow(
      'rooms is not a limit of each person. Those are: invitations-per-person,',
    )
    for (const person of [stranger.email, stranger.id, 'nobody@nowhere.example', 'x'])
      await expect(limits(organizationId, '--person', person)).rejects.toThrow(
        `${person} is no member of ${organizationId}: an e-mail address or a User.id is asked for`,
      )
  })
})
