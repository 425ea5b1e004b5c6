import { describe, expect, it } from 'vitest'
import { isLoopback } from './loopback.ts'

describe('a loopback host', () => {
  it.each([
    'localhost',
    'LocalHost',
    'localhost.',
    'office.localhost',
    '127.0.0.1',
    '127.255.0.9',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
  ])('is %s', (host) => {
    expect(isLoopback(host)).toBe(true)
  })

  it.each([
    '',
    '0.0.0.0',
    '::',
    '[::]',
    '10.0.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '::2',
    'localhost.example',
    'notlocalhost',
    '127.0.0.1.example',
    '127.1',
  ])('is not %s', (host) => {
    expect(isLoopback(host)).toBe(false)
  })
})
