import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { invitationTokenFor, linkTokenOf, newFounder } from '../../../tests/people.ts'

/** What the pages do is tried in a browser: engines/browser. */
describe('the pages of invite links and invitations', () => {
  let office: TestOffice
  let apart: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ atBaseUrl: true })
    apart = await openTestOffice({ beside: office, settings: { FRONTEND_URL: 'https://front.example' } })
  })
  afterAll(async () => {
    await apart.close()
    await office.close()
  })

  it.each(['/join?invite_token=x', '/invitation?invitation_token=x'])(
    '%s is a page whose one script may run',
    async (path) => {
      const answer = await fetch(office.baseUrl + path)
      const html = await answer.text()
      const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(scripts).toHaveLength(1)
      const hash = createHash('sha256')
        .update(scripts[0]?.[1] ?? '')
        .digest('base64')
      expect(answer.headers.get('content-security-policy')).toContain(
        `default-src 'none'; script-src 'sha256-${hash}'`,
      )
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(html).not.toContain('token=x')
    },
  )

  it('stand where the links lead, and opening them uses nothing up', async () => {
    const founder = await newFounder(office)
    const { inviteLink } = await founder.browser.call('getInviteLink')
    const email = freshEmail()
    await founder.browser.call('sendInvitation', { email })
    const token = await invitationTokenFor(office, email)
    const { data } = await founder.browser.call('listInvitation')
    for (const url of [inviteLink, data[0]?.acceptInvitationUrl ?? '']) {
      for (const method of ['HEAD', 'GET']) expect((await fetch(url, { method })).status).toBe(200)
    }
    expect((await office.browser().call('showInvitation', { token })).state).toBe('pending')
    expect(await linkTokenOf(founder)).toBe(new URL(inviteLink).searchParams.get('invite_token'))
  })

  it('are the front end’s where there is one', async () => {
    for (const path of ['/join', '/invitation']) expect((await fetch(apart.baseUrl + path)).status).toBe(404)
  })
})
