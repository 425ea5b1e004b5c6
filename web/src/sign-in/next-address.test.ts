import { describe, expect, it } from 'vitest'
import { nextAddress, tokenOfLink } from './next-address.ts'

describe('where a sign-in goes on', () => {
  it.each(['/', '/chat', '/room/1?name=x'])('at a page of the office: %s', (path) => {
    expect(nextAddress(path)).toBe(path)
  })

  it.each([
    undefined,
    '',
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'javascript:1',
  ])('never elsewhere: %s', (given) => {
    expect(nextAddress(given)).toBe('/')
  })
})

describe('a pasted invite link', () => {
  it.each([
    ['https://office.example/join?invite_token=link_1', 'link_1'],
    [' https://office.example/invitation?invitation_token=inv_2 ', 'inv_2'],
    ['link_3', 'link_3'],
  ])('%s', (text, token) => {
    expect(tokenOfLink(text)).toBe(token)
  })

  it.each(['', 'hello there', 'https://office.example/join'])('has no token: %s', (text) => {
    expect(tokenOfLink(text)).toBeUndefined()
  })
})
