import { describe, expect, it } from 'vitest'
import { settings } from './settings.ts'
import { editDistance, sentenceOfUnknown, unknownSettings } from './unknown-settings.ts'

describe('variables that look like settings', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['SECRET_KEYS', 'SECRET_KEY'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['SMPT_URL', 'SMTP_URL'],
    ['LIVEKIT_API_SECERT', 'LIVEKIT_API_SECRET'],
    ['RATE_LIMIT_SIGN_IN', 'RATE_LIMIT_PER_TOKEN'],
  ])('are named with the nearest one: %s', (name, nearest) => {
    const [found] = unknownSettings({ [name]: 'x' })
    expect(found?.name).toBe(name)
    if (!name.startsWith('RATE_LIMIT_')) expect(found?.nearest).toBe(nearest)
  })

  it('are no settings, and none of others', () => {
    const foreign = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'NO_PROXY',
      'NODE_ENV',
      'NODE_OPTIONS',
    ]
    const more = [
      'PGHOST',
      'PGDATABASE',
      'AWS_REGION',
      'S3_PATH',
      'LOGNAME',
      'SHELL',
      'PORTS',
      'POSTGRES_URL',
    ]
    const kubernetes = [
      'KUBERNETES_PORT',
      'REDIS_URL',
      'npm_config_user_agent',
      'ATRIUM_RELAUNCHED',
      'JOURNAL_STREAM',
    ]
    const names = [...foreign, ...more, ...kubernetes, ...settings.map(({ name }) => name)]
    expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
    expect(unknownSettings({ DATABSE_URL: ' ' })).toEqual([])
  })

  it('are told in words, without what they hold', () => {
    const [found] = unknownSettings({ DATABSE_URL: 'postgres://u:canary@db/x' })
    expect(found && sentenceOfUnknown(found)).toBe(
      'DATABSE_URL is no setting and is passed over. Is DATABASE_URL meant?',
    )
  })

  it('are near by letters put in, taken out, replaced and swapped', () => {
    expect(editDistance('same', 'same')).toBe(0)
    expect(editDistance('abc', 'abcd')).toBe(1)
    expect(editDistance('abcd', 'acd')).toBe(1)
    expect(editDistance('abcd', 'abxd')).toBe(1)
    expect(editDistance('abcd', 'acbd')).toBe(1)
    expect(editDistance('', 'abc')).toBe(3)
  })
})
