import { expect, it } from 'vitest'
import { decodeMessage, encodeMessage, type SealingMessage } from './messages.ts'

const digest = 'a'.repeat(43)
const visit = 'v'.repeat(22)

it('messages come as they went', () => {
  const messages: SealingMessage[] = [
    { kind: 'hello', publicKey: digest, visit, deviceId: crypto.randomUUID(), asks: true },
    { kind: 'hello', publicKey: digest, visit, asks: false },
    { kind: 'commitment', epoch: 7, roster: digest, commitment: digest },
    { kind: 'opening', epoch: 7, roster: digest, secret: digest },
  ]
  for (const message of messages) expect(decodeMessage(encodeMessage(message))).toEqual(message)
})

it('anything else is none', () => {
  const wrong = [
    { kind: 'hello', publicKey: digest },
    { kind: 'hello', publicKey: `${digest}a`, visit },
    { kind: 'hello', publicKey: [digest], visit },
    { kind: 'commitment', epoch: 0, roster: digest, commitment: digest },
    { kind: 'commitment', epoch: 1e300, roster: digest, commitment: digest },
    { kind: 'opening', epoch: 1.5, roster: digest, secret: digest },
    { kind: 'opening', epoch: 1, roster: digest, secret: '=' },
    { kind: 'opening', epoch: 1, secret: digest },
    { kind: 'commitment', epoch: 1, roster: [digest], commitment: digest },
    { kind: 'other', epoch: 1 },
    { kind: 'opening', epoch: 1, roster: digest, secret: digest, more: 'x'.repeat(600) },
    null,
    [],
    7,
  ]
  for (const one of wrong)
    expect(decodeMessage(new TextEncoder().encode(JSON.stringify(one)))).toBeUndefined()
  expect(decodeMessage(Uint8Array.of(0xff, 0xfe))).toBeUndefined()
})
