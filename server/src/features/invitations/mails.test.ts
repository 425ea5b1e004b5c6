import { describe, expect, it } from 'vitest'
import { invitationMail } from './mails.ts'

const mail = (names: Partial<Parameters<typeof invitationMail>[0]> = {}) =>
  invitationMail({
    to: 'ada@people.example',
    language: 'en',
    inviterName: 'Grace',
    organizationName: 'Navy',
    logoUrl: null,
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

  it('carries the picture of the organization, and none where it has none', () => {
    const { html, text } = mail({ logoUrl: 'https://images.example/logos/7/"large".webp' })
    expect(html).toContain('<img src="https://images.example/logos/7/&quot;large&quot;.webp" alt=""')
    expect(text).not.toContain('images.example')
    expect(mail().html).not.toContain('<img')
  })

  it('says the same in German', () => {
    const { subject, text, html } = mail({ language: 'de' })
    expect(subject).toBe('Grace lädt dich zu Navy ein')
    expect(text).toBe(
      'Grace lädt dich ein, Mitglied von Navy zu werden.\n\n' +
        'Sieh dir die Einladung an, und nimm sie dort an, wenn du möchtest:\n' +
        'https://office.example/invitation?invitation_token=inv_x\n\n' +
        'Sie ist nur für ada@people.example und gilt bis 2026-11-28 (UTC). Sie zu öffnen verbraucht sie nicht.\n' +
        'Kennst du Grace nicht, kannst du diese Mail ignorieren: Dann geschieht nichts.',
    )
    expect(html).toContain('<html lang="de">')
    const hostile = mail({ language: 'de', inviterName: '<img src=x>', organizationName: 'www.evil.example' })
    expect(hostile.html).not.toMatch(/<img|evil\.example/)
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
