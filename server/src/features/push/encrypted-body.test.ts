import { describe, expect, it } from 'vitest'
import { decrypted, newBrowserWithKeys } from '../../../tests/vendors/push-receiver.ts'
import { encryptedBody, PUSH_BYTES_MAX } from './encrypted-body.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

describe('the body of a push', () => {
  it('is that of RFC 8291, appendix A', () => {
    const body = encryptedBody(
      'When I grow up, I want to be a watermelon',
      {
        browserKey: bytes(
          'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        ),
        browserSecret: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
      },
      {
        salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
        privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
      },
    )
    expect(body.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('is read by its browser alone, is another one each time, and fits what push services take', () => {
    const [one, other] = [newBrowserWithKeys(), newBrowserWithKeys()]
    const text = 'é'.repeat(Math.floor(PUSH_BYTES_MAX / 2))
    const body = encryptedBody(text, one.receives)
    expect(body.length).toBeLessThanOrEqual(4_096)
    expect(decrypted(body, one)).toBe(text)
    expect(() => decrypted(body, other)).toThrow()
    expect(encryptedBody(text, one.receives).equals(body)).toBe(false)
  })
})
