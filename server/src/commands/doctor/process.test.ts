import { describe, expect, it } from 'vitest'
import { PRODUCTION } from '../../../tests/operator/production-settings.ts'
import { readConfig } from '../../configuration/config.ts'
import { lookAtConnections, lookAtProxy, lookAtUnknown } from './process.ts'

const development = readConfig({ ATRIUM_ENV: 'test' }, '/nowhere')
const production = readConfig(PRODUCTION, '/nowhere')

describe('the doctor, of connections', () => {
  it('says how many there are room for', () => {
    expect(lookAtConnections(development, 65_536)).toMatchObject({ ok: true })
    expect(lookAtConnections(development, 65_536).says).toContain('room for 58982 connections')
    expect(lookAtConnections(production, 65_536)).not.toHaveProperty('warns')
  })

  it('warns of few in production, and fails where the database would find no room', () => {
    expect(lookAtConnections(production, 1_024)).toMatchObject({ ok: true, warns: true })
    const tooFew = lookAtConnections(development, 128)
    expect(tooFew.ok).toBe(false)
    expect(tooFew.says).toContain('LimitNOFILE')
  })

  it('names a setting that promises more than there is', () => {
    const config = readConfig({ ATRIUM_ENV: 'test', CONNECTIONS_MAX: '5000' }, '/nowhere')
    expect(lookAtConnections(config, 1_024).says).toContain('lower CONNECTIONS_MAX')
  })
})

describe('the doctor, of the environment', () => {
  it('names variables that were meant to be settings', () => {
    expect(lookAtUnknown({ DATABSE_URL: 'x' })).toMatchObject([
      { ok: true, warns: true, says: expect.stringContaining('Is DATABASE_URL meant?') },
    ])
    expect(lookAtUnknown({ DATABASE_URL: 'x' })).toEqual([])
  })

  it('warns in production where no setting says which proxy is believed', () => {
    expect(lookAtProxy(development)).toEqual([])
    expect(lookAtProxy(production)).toMatchObject([
      { warns: true, says: expect.stringContaining('TRUST_PROXY') },
    ])
    const named = readConfig({ ...PRODUCTION, TRUST_PROXY: '10.0.0.1' }, '/nowhere')
    expect(lookAtProxy(named)).toMatchObject([{ ok: true, says: expect.stringContaining('10.0.0.1') }])
  })
})
