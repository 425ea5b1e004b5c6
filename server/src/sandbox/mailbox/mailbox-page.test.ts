import { describe, expect, it } from 'vitest'
import { sandboxPage } from '../sandbox-page.ts'
import { type MailboxView, mailboxPage } from './mailbox-page.ts'
import type { SandboxMail } from './sandbox-mail.ts'

const mail: SandboxMail = {
  to: 'ada@example.com',
  subject: 'Your code',
  text: 'Your code is 123456.\nhttps://office.example/join?a=1&b=2',
  html: '<p>only in the html part</p>',
  code: '123456',
  link: 'https://office.example/join?a=1&b=2',
  at: '2026-11-21T12:00:00.000Z',
}

const renderMailbox = (mails: readonly SandboxMail[], view?: MailboxView) =>
  sandboxPage(mailboxPage(mails, view))
/** Of a page its own part, with the content of the mails. */
const contentOf = (mails: readonly SandboxMail[], view?: MailboxView) => mailboxPage(mails, view).content

describe('the mailbox page', () => {
  it('shows code and link of a mail, and what comes meanwhile without loading anew', () => {
    const page = renderMailbox([mail])
    expect(page).toContain('<strong>123456</strong>')
    expect(page).toContain('<a href="https://office.example/join?a=1&amp;b=2" rel="noopener noreferrer">')
    expect(page).toContain('<time datetime="2026-11-21T12:00:00.000Z">2026-11-21 12:00:00 UTC</time>')
    expect(page).not.toContain('http-equiv')
    expect(page).toContain('setInterval')
    expect(page).toContain('1 mail.')
  })

  it('escapes whatever came in a mail or in the address line', () => {
    const evil = `"'><script>alert('1')</script>&`
    const page = contentOf([{ ...mail, to: evil, subject: evil, text: evil, code: evil, at: evil }], {
      to: evil,
      paused: false,
    })
    expect(page).not.toMatch(/<script|alert\('/i)
    expect(page).not.toContain(evil.slice(0, 3))
    expect(page).toContain('value="&quot;&#39;&gt;&lt;script&gt;')
  })

  it('links to the web only', () => {
    expect(renderMailbox([{ ...mail, link: 'javascript:alert(1)' }])).not.toContain('javascript:')
  })

  it('loads nothing, and runs nothing of a mail', () => {
    const page = renderMailbox([mail], { to: 'ada@example.com', paused: true })
    expect(page).not.toMatch(/<script|<img|<link|<iframe|\bsrc=|@import|url\(|\bon\w+=/i)
    expect(renderMailbox([mail])).not.toMatch(/<img|<link|<iframe|\bsrc=|@import|url\(|\bon\w+=/i)
  })

  it('can be paused and narrowed, keeping the one while changing the other', () => {
    const running = renderMailbox([], { to: 'ada+1@example.com', paused: false })
    expect(running).toContain('href="?to=ada%2B1%40example.com&amp;paused=true"')
    expect(running).toContain('value="ada+1@example.com"')
    const paused = renderMailbox([], { to: 'ada+1@example.com', paused: true })
    expect(paused).not.toContain('<script')
    expect(paused).toContain('href="?to=ada%2B1%40example.com"')
  })

  it('leads to the other pages of the sandbox', () => {
    const page = renderMailbox([])
    for (const path of ['/', '/sandbox/sign-in', '/sandbox/calendar', '/sandbox/media', '/docs'])
      expect(page).toContain(`<a href="${path}">`)
    expect(page).toContain('<a href="/sandbox/mail" aria-current="page">Mailbox</a>')
  })

  it('says so when there is nothing', () => {
    expect(renderMailbox([])).toContain('No mail yet.')
  })
})
