import { describe, expect, it } from 'vitest'
import { Refusal } from '../../refusal.ts'
import { type CrossSiteFacts, refuseCrossSite } from './cross-site.ts'

const ALLOWED = ['https://app.example', 'http://localhost:3000']
const NONE: CrossSiteFacts = { contentType: undefined, origin: undefined, fetchSite: undefined }
const JSON_TYPE = 'application/json'

function refusalOf(facts: Partial<CrossSiteFacts>): string | undefined {
  try {
    refuseCrossSite({ ...NONE, ...facts }, ALLOWED)
  } catch (error) {
    if (error instanceof Refusal) return error.kind
    throw error
  }
  return undefined
}

describe('an unsafe request', () => {
  it.each<[string, Partial<CrossSiteFacts>]>([
    ['a program', { contentType: JSON_TYPE }],
    ['a program without a body', {}],
    ['the front end', { contentType: JSON_TYPE, origin: 'https://app.example', fetchSite: 'cross-site' }],
    ['a page of this server', { origin: 'http://localhost:3000', fetchSite: 'same-origin' }],
    ['a page of this server, without an origin', { fetchSite: 'same-origin' }],
    ['JSON with a charset', { contentType: 'Application/JSON; charset=utf-8' }],
  ])('is let through from %s', (_case, facts) => {
    expect(refusalOf(facts)).toBeUndefined()
  })

  it.each<[string, Partial<CrossSiteFacts>]>([
    ['another site', { origin: 'https://evil.example', fetchSite: 'cross-site' }],
    ['another site that hides its origin', { fetchSite: 'cross-site' }],
    ['another host of the same site', { fetchSite: 'same-site' }],
    ['an address bar or a bookmark', { fetchSite: 'none' }],
    ['a sandboxed frame', { origin: 'null', fetchSite: 'cross-site' }],
    ['nowhere', { origin: '' }],
    ['an origin that only begins like ours', { origin: 'https://app.example.evil.example' }],
    ['our host on another port', { origin: 'https://app.example:8443' }],
    ['our host without TLS', { origin: 'http://app.example' }],
    ['ours in capitals', { origin: 'https://APP.example' }],
    ['a stranger that claims our site', { origin: 'https://evil.example', fetchSite: 'same-origin' }],
  ])('is forbidden from %s', (_case, facts) => {
    expect(refusalOf({ contentType: JSON_TYPE, ...facts })).toBe('forbidden')
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
    'application/jsonp',
    'text/plain; application/json',
    'application/problem+json',
  ])('is not taken as %j', (contentType) => {
    expect(refusalOf({ contentType })).toBe('unsupported')
  })

  it('is judged by where it comes from before its form', () => {
    expect(refusalOf({ contentType: 'text/plain', origin: 'https://evil.example' })).toBe('forbidden')
  })
})
