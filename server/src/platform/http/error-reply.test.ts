import { describe, expect, it } from 'vitest'
import { ProviderFailure, Refusal, type RefusalKind } from '../refusal.ts'
import { answerTo } from './error-reply.ts'

const STATUSES: Record<RefusalKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  unsupported: 415,
  unprocessable: 422,
  'too-many': 429,
  unavailable: 503,
}
const fault = (message: string, facts: object) => Object.assign(new Error(message), facts)

describe('the answer to a refusal', () => {
  it.each(Object.entries(STATUSES))('of kind %s is %i', (kind, status) => {
    const refusal = new Refusal(kind as RefusalKind, 'Not so', { detail: 'inner', cause: new Error('inner') })
    expect(answerTo(refusal, 'r1')).toEqual({
      status,
      body: { code: status, message: 'Not so', error: kind, requestId: 'r1' },
      defect: false,
    })
  })

  it('has its own word, details and time to wait where it has them', () => {
    const details = [{ field: 'name', message: 'is missing' }]
    const refusal = new Refusal('too-many', 'Slower', {
      error: 'rate-limited',
      details,
      retryAfterSeconds: 7,
    })
    expect(answerTo(refusal, 'r1')).toMatchObject({
      body: { error: 'rate-limited', details },
      retryAfterSeconds: 7,
    })
    const now = new Refusal('too-many', 'Slower', { retryAfterSeconds: 0 })
    expect(answerTo(now, 'r1').retryAfterSeconds).toBe(0)
  })
})

describe('the answer to a failed provider', () => {
  it.each([
    [true, 503],
    [false, 502],
  ])('that may be tried again: %s, is %i in our words', (retryable, status) => {
    const cause = new Error('the vendor says: canary')
    const answer = answerTo(new ProviderFailure('vendor-x', 'mail.send', { retryable, cause }), 'r1')
    expect(answer).toMatchObject({
      status,
      body: { code: status, error: 'provider-unavailable' },
      retryAfterSeconds: 5,
      defect: false,
    })
    expect(JSON.stringify(answer)).not.toMatch(/canary|vendor-x|mail\.send/)
  })
})

describe('the answer to a database that is away', () => {
  it.each([
    ['refused', fault('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED', syscall: 'connect' })],
    ['stopped', fault('terminating connection due to administrator command', { code: '57P01' })],
    ['cut', new Error('Connection terminated unexpectedly')],
    ['overloaded', new Error('timeout exceeded when trying to connect')],
    ['slow', fault('canceling statement due to statement timeout', { code: '57014' })],
    ['silent', new Error('Query read timeout')],
    [
      'every address refused',
      new AggregateError([fault('no', { code: 'ECONNREFUSED', syscall: 'connect' })]),
    ],
  ])('(%s) is 503 with a time to wait', (_case, error) => {
    expect(answerTo(error, 'r1')).toEqual({
      status: 503,
      body: {
        code: 503,
        message: 'The database does not answer; try again later',
        error: 'database-unavailable',
        requestId: 'r1',
      },
      retryAfterSeconds: 2,
      defect: false,
    })
  })
})

describe('the answer to what the HTTP server refuses', () => {
  it.each([
    [{ code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }, 413, 'too-large'],
    [{ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }, 415, 'unsupported'],
    [{ code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH', statusCode: 400 }, 400, 'malformed-request'],
    [{ code: 'FST_ERR_ANYTHING', statusCode: 422 }, 400, 'malformed-request'],
  ])('%j is %i', (facts, status, word) => {
    const answer = answerTo(fault('canary', facts), 'r1')
    expect(answer).toMatchObject({ status, body: { code: status, error: word }, defect: false })
    expect(JSON.stringify(answer)).not.toContain('canary')
  })
})

describe('the answer to anything else', () => {
  it.each([
    ['an error', new Error('canary')],
    ['a failed statement', fault('duplicate key canary', { code: '23505', detail: 'Key (email)=(canary)' })],
    ['a statement that is wrong', fault('canary', { code: '42601' })],
    ['a fault of the server', fault('canary', { statusCode: 500 })],
    ['a lie of the system', fault('canary', { code: 'ECONNREFUSED' })],
    ['text', 'canary'],
    ['nothing', undefined],
    ['null', null],
  ])('(%s) is 500 without a word about it, and a defect', (_case, error) => {
    expect(answerTo(error, 'r1')).toEqual({
      status: 500,
      body: { code: 500, message: 'Internal error', error: 'internal-error', requestId: 'r1' },
      defect: true,
    })
  })
})
