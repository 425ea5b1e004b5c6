import { describe, expect, it } from 'vitest'
import { requireEndpoint } from './rules.ts'

describe('addresses of push services', () => {
  it.each([
    'http://push.example/send',
    'https://127.0.0.1/send',
    'https://10.1.2.3/send',
    'https://[::1]/send',
    'https://[fd00::1]/send',
    'https://169.254.169.254/latest',
    'https://0x7f000001/send',
    'https://localhost/send',
    'https://metadata/send',
    'https://office.localhost./send',
  ])('refuses %s where only public ones are allowed', (address) => {
    expect(() => requireEndpoint(address, true)).toThrow(
      expect.objectContaining({ error: 'address-not-public' }),
    )
    expect(requireEndpoint(address, false)).toMatch(/^https?:/)
  })

  it('takes an address as a URL writes it, without a fragment', () => {
    expect(requireEndpoint('https://PUSH.example:443/Send?a=1#b', true)).toBe('https://push.example/Send?a=1')
  })
})
