import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { isDatabaseAway, isUniqueViolation } from './database-errors.ts'

const fault = (facts: object, message = 'no') => Object.assign(new Error(message), facts)

describe('a database that is away', () => {
  it.each([
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '57014',
    '53300',
    '55P03',
    '40001',
    '40P01',
    '25006',
    '53100',
    '08006',
  ])('is told by SQL state %s', (code) => {
    expect(isDatabaseAway(fault({ code }))).toBe(true)
  })

  it.each(['23505', '23503', '42601', '42P01', '22P02', '28P01', '3D000', 'P0001'])(
    'is not told by SQL state %s',
    (code) => {
      expect(isDatabaseAway(fault({ code }))).toBe(false)
    },
  )

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])(
    'is told by %s of a connection, not of anybody else',
    (code) => {
      expect(isDatabaseAway(fault({ code, syscall: 'connect' }))).toBe(true)
      expect(isDatabaseAway(fault({ code }))).toBe(false)
    },
  )

  it.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'This socket has been ended by the other party',
  ])('is told by the words of the driver: %s', (message) => {
    expect(isDatabaseAway(new Error(message))).toBe(true)
  })

  it('is told by any address that refused', () => {
    const refused = fault({ code: 'ECONNREFUSED', syscall: 'connect' })
    expect(isDatabaseAway(new AggregateError([new Error('x'), refused]))).toBe(true)
    expect(isDatabaseAway(new AggregateError([new Error('x')]))).toBe(false)
  })

  it.each([undefined, null, 'ECONNREFUSED', { code: '57P01' }, new TypeError('x is not a function')])(
    'is not told by %o',
    (thrown) => {
      expect(isDatabaseAway(thrown)).toBe(false)
    },
  )

  it('is told by the words that this driver really uses', async () => {
    const client = new pg.Client({ connectionString: inject('adminConnectionString') })
    client.on('error', () => {})
    await client.connect()
    const cut = client.query('select pg_terminate_backend(pg_backend_pid())').catch((error: unknown) => error)
    expect(isDatabaseAway(await cut)).toBe(true)
    expect(isDatabaseAway(await client.query('select 1').catch((error: unknown) => error))).toBe(true)
    await client.end()
    expect(isDatabaseAway(await client.query('select 1').catch((error: unknown) => error))).toBe(true)
  })
})

describe('a row that a unique constraint refused', () => {
  it('is known, of any constraint or of the one in question', () => {
    const error = fault({ code: '23505', constraint: 'users_email_key' })
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'users_email_key')).toBe(true)
    expect(isUniqueViolation(error, 'organizations_pkey')).toBe(false)
    for (const other of [fault({ code: '23503' }), new Error('23505'), null, undefined, '23505'])
      expect(isUniqueViolation(other)).toBe(false)
  })
})
