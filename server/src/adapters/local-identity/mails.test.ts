import { describe, expect, it } from 'vitest'
import { codeMail, noAccountMail, singleSignOnMail } from './mails.ts'

const office = { frontendUrl: 'https://office.example' }
const [en, de] = [
  { to: 'ada@people.example', language: 'en' as const },
  { to: 'ada@people.example', language: 'de' as const },
]
const code = { code: '123456', minutes: 10 }

describe('the mail with a code', () => {
  it('says it in English', () => {
    const { subject, text, html, to } = codeMail(office, en, { ...code, joining: 'Navy' })
    expect([to, subject]).toEqual(['ada@people.example', '123456 is your sign-in code'])
    expect(text).toBe(
      'Your sign-in code for office.example is:\n\n    123456\n\n' +
        'It works once, for 10 minutes. It makes you a member of "Navy". Only the newest code works.\n' +
        'We will never ask you for it. If you did not ask for it, you can ignore this mail.',
    )
    expect(html).toContain('<html lang="en">')
    expect(html).toContain('Your sign-in code for <strong>office.example</strong> is:')
  })

  it('says it in German', () => {
    const { subject, text, html } = codeMail(office, de, { ...code, joining: 'Navy' })
    expect(subject).toBe('123456 ist dein Anmeldecode')
    expect(text).toBe(
      'Dein Anmeldecode für office.example:\n\n    123456\n\n' +
        'Er gilt einmal und 10 Minuten lang. Mit ihm wirst du Mitglied von „Navy“. Nur der neueste Code gilt.\n' +
        'Niemand von uns wird dich je danach fragen. Hast du ihn nicht angefordert, kannst du diese Mail ignorieren.',
    )
    expect(html).toContain('<html lang="de">')
  })

  it.each([
    [en, 'the organization that invited you'],
    [de, 'der Organisation, die dich eingeladen hat'],
  ])('repeats no name that would become a link', (addressee, unnamed) => {
    const { text, html } = codeMail(office, addressee, { ...code, joining: 'win at evil.example' })
    for (const part of [text, html]) {
      expect(part).toContain(unnamed)
      expect(part).not.toContain('evil')
    }
  })

  it.each([en, de])('shows a name as text', (addressee) => {
    const { html } = codeMail(office, addressee, { ...code, joining: '<img src=x onerror=alert(1)>' })
    expect(html).not.toContain('<img')
  })
})

describe('a mail without a code', () => {
  it.each([
    [
      en,
      'No account at office.example yet',
      'Sign up, or ask a colleague to invite you if this office is by invitation only: https://office.example',
    ],
    [
      de,
      'Noch kein Konto bei office.example',
      'Registriere dich, oder lass dich einladen, falls dieses Büro nur Eingeladene aufnimmt: https://office.example',
    ],
  ])('leads to sign-up', (addressee, title, way) => {
    const { subject, text, html } = noAccountMail(office, addressee)
    expect([subject, text]).toEqual([title, expect.stringContaining(way)])
    expect(html).toContain('<a href="https://office.example">')
  })

  it.each([
    [en, 'Sign in to office.example with your organization', 'has its own sign-in'],
    [de, 'Bei office.example mit deiner Organisation anmelden', 'hat eine eigene Anmeldung'],
  ])('leads to single sign-on', (addressee, title, advice) => {
    const { subject, text, html } = singleSignOnMail(office, addressee)
    expect(subject).toBe(title)
    for (const part of [text, html]) expect(part).toContain(advice)
  })
})
