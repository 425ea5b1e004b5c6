import { describe, expect, it } from 'vitest'
import { invitationMail } from './mails.ts'

const mail = (names: { inviterName?: string; organizationName?: string } = {}) =>
  invitationMail({
    to: 'ada@people.example',
    inviterName: 'Grace',
    organizationName: 'Navy',
    url: 'https://office.example/invitation?invitation_token=inv_x',
    expiresAt: new Date('2026-11-28T12:00:00Z'),
    ...names,
  })

describe('the mail of an invitation', () => {
  it('names both, with the one link in both parts, and says until when', () => {
    const { subject, text, html, to } = mail()
    expect(to).toBe('ada@people.example')
    expect(subject).toBe('Grace invites you to Navy')
    for (const part of [text, html]) {
      expect(part).toContain('https://office.example/invitation?invitation_token=inv_x')
      expect(part).toContain('2026-11-28')
      expect(part).toContain('does not use it up')
    }
    expect(text.match(/https?:\/\//g)).toHaveLength(1)
  })

  it.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</strong><a href="https://evil.example">click</a>',
    "' onmouseover='x",
  ])('shows the name %j as text', (name) => {
    const { html } = mail({ inviterName: name, organizationName: name })
    expect(html).not.toMatch(/<script|<img|<a href="(?!https:\/\/office\.example)|onmouseover='/)
  })

  it.each(['win at https://evil.example/now', 'evil.example', 'www.evil.example', 'mail me@evil.example'])(
    'makes no link of the name %j',
    (name) => {
      const { text, html, subject } = mail({ organizationName: name })
      for (const part of [text, html, subject]) {
        expect(part.replaceAll('https://office.example', '')).not.toMatch(/:\/\/|evil\.example|@evil/)
      }
    },
  )

  it('keeps a header on one line, whatever the name', () => {
    const { subject } = mail({ organizationName: 'A\r\nBcc: everybody@people.example\u2028B\u202eC' })
    expect(subject).not.toMatch(/[\r\n\u2028\u202e]/)
  })

  it('shortens long names', () => {
    expect([...mail({ inviterName: '👩‍🚀'.repeat(100) }).subject].length).toBeLessThan(120)
  })
})
