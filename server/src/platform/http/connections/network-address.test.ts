import { describe, expect, it } from 'vitest'
import { addressIn, isAmong, networkOf, networksOf } from './network-address.ts'

describe('addressIn', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    [' 192.0.2.7 ', '192.0.2.7'],
    ['192.0.2.7:40001', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['0:0:0:0:0:FFFF:C000:0207', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:40001', '2001:db8::1'],
    ['"[2001:db8::1]:40001"', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown', undefined],
    ['_hidden', undefined],
    ['', undefined],
    ['192.0.2.7:port', undefined],
    ['192.0.2', undefined],
    ['0x7f.1', undefined],
    ['2001:db8::1]:40001', undefined],
    ['proxy.example:80', undefined],
  ])('reads %j as %j', (text, address) => {
    expect(addressIn(text)).toBe(address)
  })
})

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000:ffff::2', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s is of %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('networksOf', () => {
  it.each([
    ['10.0.0.0/8', '10.200.3.4', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['10.0.0.1', '10.0.0.1:8080', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', '[fd12::1]:443', true],
    ['fd00::/8', '10.0.0.1', false],
    ['::ffff:10.0.0.0/104', '10.1.1.1', true],
    ['loopback', '127.0.0.9', true],
    ['loopback', '::1', true],
    ['linklocal', 'fe80::1%eth0', true],
    ['uniquelocal', '192.168.4.5', true],
    ['uniquelocal', 'unknown', false],
  ])('%s holds %s: %s', (network, address, held) => {
    expect(isAmong(networksOf([network]), address)).toBe(held)
  })

  it('of none holds none', () => {
    expect(isAmong(networksOf([]), '127.0.0.1')).toBe(false)
  })
})
