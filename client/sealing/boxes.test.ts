import { expect, it } from 'vitest'
import { canSealTo, newKeyPair, openBox, sealBox, suite } from './boxes.ts'

const hex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const bytes = (length: number) => new Uint8Array(length).fill(7)

/** RFC 9180, appendix A.1.3: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, mode Auth. */
const EXAMPLE = {
  info: '4f6465206f6e2061204772656369616e2055726e',
  recipient: 'fdea67cf831f1ca98d8e27b1f6abeb5b7745e9d35348b80fa407ff6958f9137e',
  sender: '8b0c70873dc5aecb7f9ee4e62406a397b350e57012be45cf53b7105ae731790b',
  enc: '23fb952571a14a25e3d678140cd0e5eb47a0961bb18afcf85896e5453c312e76',
  text: '4265617574792069732074727574682c20747275746820626561757479',
  sealed: [
    [
      '436f756e742d30',
      '5fd92cc9d46dbf8943e72a07e42f363ed5f721212cd90bcfd072bfd9f44e06b80fd17824947496e21b680c141b',
    ],
    [
      '436f756e742d31',
      'd3736bb256c19bfa93d79e8f80b7971262cb7c887e35c26370cfed62254369a1b52e3d505b79dd699f002bc8ed',
    ],
  ],
}

it('opens the examples of RFC 9180', async () => {
  const context = await suite.createRecipientContext({
    recipientKey: await suite.kem.deserializePrivateKey(hex(EXAMPLE.recipient)),
    senderPublicKey: await suite.kem.deserializePublicKey(hex(EXAMPLE.sender)),
    enc: hex(EXAMPLE.enc),
    info: hex(EXAMPLE.info),
  })
  for (const [aad = '', sealed = ''] of EXAMPLE.sealed)
    expect(new Uint8Array(await context.open(hex(sealed), hex(aad)))).toEqual(hex(EXAMPLE.text))
})

it('a box is opened by its recipient alone, and says who sealed it', async () => {
  const [ada, grace, other] = await Promise.all([newKeyPair(), newKeyPair(), newKeyPair()])
  const box = await sealBox(ada, grace.publicKey, bytes(64), 'room 1')
  expect(await openBox(grace, box, 'room 1')).toEqual({ sender: ada.publicKey, content: bytes(64) })
  expect(await openBox(other, box, 'room 1')).toBeUndefined()
  expect(await openBox(grace, box, 'room 2')).toBeUndefined()
  // what the office takes as a box
  expect(box).toMatch(/^[A-Za-z0-9_-]{64,512}$/)
  expect(ada.pair.privateKey.extractable).toBe(false)
})

it('no other sender can be written over it, and what is no box is none', async () => {
  const [ada, grace, other] = await Promise.all([newKeyPair(), newKeyPair(), newKeyPair()])
  const box = await sealBox(ada, grace.publicKey, bytes(64), 'room 1')
  const raw = Buffer.from(box, 'base64url')
  Buffer.from(other.publicKey, 'base64url').copy(raw, 1)
  const broken = Buffer.from(box, 'base64url')
  broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1
  const form = Buffer.from(box, 'base64url')
  form[0] = 2
  for (const one of [raw, broken, form].map((some) => some.toString('base64url')))
    expect(await openBox(grace, one, 'room 1')).toBeUndefined()
  for (const one of ['', '=', '!', box.slice(0, 40), 'A'.repeat(107)])
    expect(await openBox(grace, one, 'room 1')).toBeUndefined()
})

it('a key of low order, or of other bytes, is one that nothing is sealed to', async () => {
  const orderEight = 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'
  const low = ['00'.repeat(32), `01${'00'.repeat(31)}`, orderEight, `${'00'.repeat(31)}80`]
  for (const one of low) expect(await canSealTo(Buffer.from(hex(one)).toString('base64url'))).toBe(false)
  for (const one of ['', '!', 'AAAA']) expect(await canSealTo(one)).toBe(false)
  expect(await canSealTo((await newKeyPair()).publicKey)).toBe(true)
})
