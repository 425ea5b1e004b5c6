import { describe, expect, it } from 'vitest'
import { joiningMail, noAccountMail, singleSignOnMail } from './mails.ts'

const addressee = { to: 'ada@people.example', frontendUrl: 'https://office.example' }
const [en, de] = [
  { ...addressee, language: 'en' as const },
  { ...addressee, language: 'de' as const },
]

describe('mails beside those of WorkOS', () => {
  it.each([
    [noAccountMail(en), 'No account at office.example yet', 'There is no account under it.'],
    [noAccountMail(de), 'Noch kein Konto bei office.example', 'Unter ihr gibt es kein Konto.'],
    [singleSignOnMail(en), 'Sign in to office.example with your organization', 'has its own sign-in'],
    [singleSignOnMail(de), 'Bei office.example mit deiner Organisation anmelden', 'eine eigene Anmeldung'],
    [
      joiningMail(en, 'Navy'),
      'A code for office.example makes you a member of an organization',
      'makes you a member of "Navy"',
    ],
    [
      joiningMail(de, 'Navy'),
      'Ein Code für office.example macht dich zum Mitglied einer Organisation',
      'wirst du Mitglied von „Navy“',
    ],
  ])('%j', ({ to, subject, text, html }, title, said) => {
    expect([to, subject]).toEqual(['ada@people.example', title])
    expect(text).toContain(said)
    expect(text).toMatch(/\n\nhttps:\/\/office\.example$/)
    expect(html).toContain('<a href="https://office.example">')
  })
})
