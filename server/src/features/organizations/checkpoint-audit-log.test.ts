import { compactVerify, importJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { atrium } from '../../../tests/operator/command-line.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

describe('checkpointAuditLog', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('says where the trail ends, signed so that anybody can check it', async () => {
    const { browser, organizationId } = await newFounder(office)
    const { checkpoint, ...said } = await browser.call('checkpointAuditLog')
    expect(said).toEqual({
      ...{ organizationId, sequence: '1', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      at: expect.stringMatching(/Z$/),
    })
    const header = JSON.parse(Buffer.from(checkpoint.split('.')[0] as string, 'base64url').toString())
    expect(header).toMatchObject({ alg: 'EdDSA', typ: 'atrium-audit-checkpoint', jwk: { crv: 'Ed25519' } })
    expect(header.jwk).not.toHaveProperty('d')
    const { payload } = await compactVerify(checkpoint, await importJWK(header.jwk, 'EdDSA'))
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(said)
    const again = await browser.call('checkpointAuditLog')
    expect(
      JSON.parse(Buffer.from(again.checkpoint.split('.')[0] as string, 'base64url').toString()).kid,
    ).toBe(header.kid)
  })

  it('is for admins and for programs that are made for it', async () => {
    const founder = await newFounder(office)
    const { browser } = await newMember(office, founder, 'moderator')
    expect(await browser.request('checkpointAuditLog')).toMatchObject({ status: 403 })
    const operations = ['checkpointAuditLog' as const]
    const { token } = await founder.browser.call('createServiceToken', { name: 'Notary', operations })
    const { organizationId, sequence } = await office.program(token).call('checkpointAuditLog')
    expect([organizationId, sequence]).toEqual([founder.organizationId, '3'])
  })

  it('shows afterwards whether the trail was written anew', async () => {
    const { browser, organizationId } = await newFounder(office)
    const other = await newFounder(office, 'Other')
    const { checkpoint } = await browser.call('checkpointAuditLog')
    await browser.call('updateOrganization', { organizationId, name: 'Renamed' })
    const verify = (signed: string, id = organizationId) =>
      atrium(office, ['organization', 'verify-audit', id, '--checkpoint', signed])
    expect(await verify(checkpoint)).toContain('It still has entry 1')
    await expect(verify(checkpoint, other.organizationId)).rejects.toThrow('of another organization')
    const [head, , signature] = checkpoint.split('.')
    const forged = Buffer.from(JSON.stringify({ organizationId, sequence: '9' })).toString('base64url')
    await expect(verify(`${head}.${forged}.${signature}`)).rejects.toThrow(
      'no checkpoint that this office has signed',
    )
    await expect(verify('x')).rejects.toThrow('no checkpoint that this office has signed')
    // as an attacker who writes all of it again: the chain alone is whole
    const { pool } = office.database
    const id = `(select id from organizations where identity_organization_id = '${organizationId}')`
    await pool.query('alter table audit_entries disable trigger audit_entries_stay')
    await pool.query(`delete from audit_entries where organization_id = ${id}`)
    await pool.query(`delete from audit_heads where organization_id = ${id}`)
    await pool.query('alter table audit_entries enable trigger audit_entries_stay')
    await browser.call('updateOrganization', { organizationId, name: 'Another history' })
    expect(await atrium(office, ['organization', 'verify-audit', organizationId])).toContain('is whole')
    await expect(verify(checkpoint)).rejects.toThrow('no longer has entry 1')
  })
})
