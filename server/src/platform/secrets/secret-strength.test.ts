import { randomBytes, randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isGuessable } from './secret-strength.ts'

const drawn = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

describe('a secret that can be guessed', () => {
  it.each([
    ['one letter', 'a'.repeat(40)],
    ['one letter, for long', '0'.repeat(4_000)],
    ['a cycle of two', 'ab'.repeat(20)],
    ['a cycle of ten', 'k3Vq9Zx7Lm'.repeat(5)],
    ['a word in a cycle', 'Passwort123!'.repeat(4)],
    ['its own half again', 'Jq8vT2mZx5LwPd3R'.repeat(2)],
    ['two letters at random', drawn('ab', 40)],
    ['the alphabet', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['the alphabet backwards', 'zyxwvutsrqponmlkjihgfedcba9876543210'],
    ['hexadecimal digits in their order', '0123456789abcdef0123456789ABCDEF'],
    ['rows of the keyboard', 'qwertyuiopasdfghjklzxcvbnm1234567890'],
    ['words of an example', 'please-change-this-secret-key-in-production'],
    ['words of another', 'your-super-secret-jwt-token-with-at-least-32-characters-long'],
    ['capitals and spaces', 'CHANGE ME CHANGE ME CHANGE ME CHANGE ME'],
    ['nothing', ''],
  ])('is %s', (_what, secret) => {
    expect(isGuessable(secret)).toBe(true)
  })

  it.each<[string, () => string]>([
    ['openssl rand -base64 48', () => randomBytes(48).toString('base64')],
    ['openssl rand -hex 16', () => randomBytes(16).toString('hex')],
    ['24 random bytes', () => randomBytes(24).toString('base64url')],
    ['a password manager, letters alone', () => drawn('abcdefghijklmnopqrstuvwxyz', 32)],
    ['dice and much patience', () => drawn('0123456789', 40)],
  ])('is none of %s', (_what, make) => {
    const secrets = Array.from({ length: 50 }, make)
    expect(secrets.filter(isGuessable)).toEqual([])
  })
})
