import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeKeyRing, needsReseal, open, type SealingContext, seal, UnsealError } from './sealed-column.ts'
import { Secret } from './secret.ts'

const first = new Secret('first root secret of the tests')
const second = new Secret('second root secret of the tests')
const ring = makeKeyRing('test', first)
const row = (id: string): SealingContext => ['things.token', id]

describe('a sealed column', () => {
  it('gives back what was sealed, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, id) => {
        expect(new Uint8Array(open(ring, seal(ring, bytes, row(id)), row(id)))).toEqual(bytes)
      }),
      { numRuns: 50 },
    )
  })

  it('shows nothing of the text and never seals twice alike', () => {
    const one = seal(ring, 'refresh-token', row('1'))
    expect(one.includes('refresh')).toBe(false)
    expect(seal(ring, 'refresh-token', row('1'))).not.toEqual(one)
  })

  it('does not open in another row or for another purpose', () => {
    const sealed = seal(ring, 'token of 1', row('1'))
    expect(() => open(ring, sealed, row('2'))).toThrow(UnsealError)
    expect(() => open(ring, sealed, ['other.column', '1'])).toThrow(UnsealError)
    expect(() => open(makeKeyRing('other', first), sealed, row('1'))).toThrow(UnsealError)
  })

  it('keeps the parts of a context apart', () => {
    const sealed = seal(ring, 'x', ['a', 'b', 'c'])
    expect(() => open(ring, sealed, ['a', 'bc'])).toThrow(UnsealError)
    expect(() => open(ring, sealed, ['a', 'b","c'])).toThrow(UnsealError)
  })

  it('does not open when any byte was changed or cut off, and says so in one way', () => {
    const sealed = seal(ring, 'token', row('1'))
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => open(ring, changed, row('1')), `byte ${at}`).toThrow(UnsealError)
      expect(() => open(ring, sealed.subarray(0, at), row('1')), `cut at ${at}`).toThrow(UnsealError)
    }
  })

  it('opens old values after a rotation and asks to seal them again', () => {
    const old = seal(ring, 'token', row('1'))
    const rotated = makeKeyRing('test', second, [first])
    expect(open(rotated, old, row('1')).toString()).toBe('token')
    expect(needsReseal(ring, old)).toBe(false)
    expect(needsReseal(rotated, old)).toBe(true)
    expect(needsReseal(rotated, seal(rotated, 'token', row('1')))).toBe(false)
  })

  it('names the key id when a key was retired too early', () => {
    const old = seal(ring, 'token', row('1'))
    const retired = makeKeyRing('test', second)
    expect(() => open(retired, old, row('1'))).toThrow(`key id ${ring.current.kid}`)
  })
})
