import { type Role, roles } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  invitationTokenFor,
  linkTokenOf,
  newFounder,
  newMember,
  newPerson,
  type Person,
} from '../../../tests/people.ts'
import { lowerRole } from '../../access/permissions.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { trusted } from '../../platform/ids.ts'
import { acceptInvite, findInvite } from './reads.ts'

/** What other features are told of invitations. */
describe('findInvite and acceptInvite', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const find = (token: string) => findInvite(office.database.db, token, office.clock.now())
  const accept = (token: string, { id, email }: Person) =>
    transaction(office.database.db, (tx) =>
      acceptInvite(
        tx,
        token,
        { user: { id: trusted.userId(id), email }, requestId: 'r', address: '192.0.2.1' },
        office.clock.now(),
      ),
    )

  it('tell a link', async () => {
    const founder = await newFounder(office, 'Acme')
    const person = await newPerson(office)
    const token = await linkTokenOf(founder)
    const organization = { id: expect.any(String), identityId: founder.organizationId, name: 'Acme' }
    expect(await find(token)).toEqual({ organization, role: 'member', kind: 'link' })
    expect(await accept(token, person)).toEqual({ organization, role: 'member' })
    expect(await accept(token, person)).toEqual({ organization, role: 'member' })
    await founder.browser.call('resetInviteLink')
    expect(await find(token)).toBe('dead')
    expect(await accept(token, person)).toBe('unknown')
  })

  it('give no more than the inviter could grant by now, and of one who has left a membership', async () => {
    const founder = await newFounder(office)
    const stranger = await newPerson(office)
    const given = async (offered: Role, inviter: Person) => {
      const { rows } = await office.database.pool.query(
        `select role_given($1, id, $2) as role from organizations where identity_organization_id = $3`,
        [offered, inviter.id, founder.organizationId],
      )
      return rows[0].role
    }
    for (const role of roles) {
      const inviter = await newMember(office, founder, role)
      for (const offered of roles) expect(await given(offered, inviter)).toBe(lowerRole(offered, role))
      expect(await given(role, stranger)).toBe(lowerRole(role, 'member'))
    }
  })

  it('tell an invitation, through all its states', async () => {
    const founder = await newFounder(office)
    const [person, stranger] = [await newPerson(office), await newPerson(office)]
    await founder.browser.call('sendInvitation', { email: person.email, role: 'guest' })
    const revoked = await invitationTokenFor(office, person.email)
    await founder.browser.call('sendInvitation', { email: person.email, role: 'guest' })
    const token = await invitationTokenFor(office, person.email)
    expect([await find(revoked), await accept(revoked, person)]).toEqual(['expired', 'revoked'])
    expect(await find(token)).toMatchObject({ role: 'guest', kind: 'invitation', email: person.email })
    expect(await accept(token, stranger)).toBe('other-address')
    expect(await accept(token, person)).toMatchObject({ role: 'guest' })
    expect([await find(token), await accept(token, person)]).toEqual(['dead', 'accepted'])

    await founder.browser.call('sendInvitation', { email: stranger.email })
    const late = await invitationTokenFor(office, stranger.email)
    office.clock.advance(7 * 24 * 60 * 60)
    expect([await find(late), await accept(late, stranger)]).toEqual(['expired', 'expired'])
  })

  it('know nothing of other tokens', async () => {
    const person = await newPerson(office)
    expect([await find('x'), await accept('x', person)]).toEqual(['dead', 'unknown'])
  })

  it('leave nothing behind of a transaction that is rolled back', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: person.email })
    const token = await invitationTokenFor(office, person.email)
    const crash = transaction(office.database.db, async (tx) => {
      const newcomer = {
        user: { id: trusted.userId(person.id), email: person.email },
        requestId: '',
        address: '',
      }
      await acceptInvite(tx, token, newcomer, office.clock.now())
      throw new Error('crash')
    })
    await expect(crash).rejects.toThrow('crash')
    expect(await find(token)).toMatchObject({ kind: 'invitation' })
    expect(await person.browser.call('listOrganizations')).toEqual([])
  })
})
