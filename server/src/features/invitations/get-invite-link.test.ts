import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, linkTokenOf, newFounder, newMember, newPerson } from '../../../tests/people.ts'

describe('getInviteLink', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { FRONTEND_URL: 'https://front.example' } })
  })
  afterAll(() => office.close())

  it('makes the link when it is first asked for, and answers the same one from then on', async () => {
    const founder = await newFounder(office)
    const { inviteLink } = await founder.browser.call('getInviteLink')
    expect(inviteLink).toMatch(/^https:\/\/front\.example\/join\?invite_token=join_[\w-]{43}$/)
    expect(await founder.browser.call('getInviteLink')).toEqual({ inviteLink })
    const made = (await auditOf(founder)).filter(({ action }) => action === 'invite-link.created')
    expect(made).toMatchObject([
      { actor: { id: founder.id }, target: { kind: 'invite-link', id: founder.organizationId } },
    ])
  })

  it('makes one link for twenty who ask at once', async () => {
    const founder = await newFounder(office)
    const links = await Promise.all(Array.from({ length: 20 }, () => founder.browser.call('getInviteLink')))
    expect(new Set(links.map(({ inviteLink }) => inviteLink)).size).toBe(1)
  })

  it.each(['member', 'moderator', 'admin'] as const)(
    'shows a %s the link of the organization',
    async (role) => {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, role)
      expect(await member.browser.call('getInviteLink')).toEqual(await founder.browser.call('getInviteLink'))
    },
  )

  it('is refused to guests, and to those without an organization or a session', async () => {
    const founder = await newFounder(office)
    const guest = await newMember(office, founder, 'guest')
    const refusal = await guest.browser.request('getInviteLink')
    expect(refusal).toMatchObject({ status: 403, body: { code: 403, error: 'role-not-allowed' } })
    const nobody = await newPerson(office)
    expect(await nobody.browser.request('getInviteLink')).toMatchObject({
      status: 403,
      body: { error: 'no-active-organization' },
    })
    expect(await office.browser().request('getInviteLink')).toMatchObject({ status: 401 })
  })

  it('gives every organization a link of its own', async () => {
    const [one, other] = [await newFounder(office), await newFounder(office)]
    expect(await linkTokenOf(one)).not.toBe(await linkTokenOf(other))
  })

  it('stores neither the link nor anything it could be read from without the secret', async () => {
    const token = await linkTokenOf(await newFounder(office))
    const { rows } = await office.database.pool.query(
      `select encode(sealed_token, 'escape') as text from invite_links`,
    )
    expect(rows.map(({ text }) => text).join()).not.toContain(token)
  })

  it('keeps its link over a change of the secret; where the secret is gone it says so, and a reset makes a new one', async () => {
    const founder = await newFounder(office)
    const before = await founder.browser.call('getInviteLink')
    const development = 'atrium-development-secret-key-not-for-production'
    const settings = { FRONTEND_URL: 'https://front.example', SECRET_KEY: 'n'.repeat(40) }
    const rotated = await openTestOffice({
      beside: office,
      settings: { ...settings, SECRET_KEY_PREVIOUS: development },
    })
    const lost = await openTestOffice({ beside: office, settings })
    const ask = async (at: TestOffice) => {
      const headers = { cookie: `atrium_session=${founder.cookie}` }
      const response = await fetch(`${at.baseUrl}/api/v1/organizations/get-invite-link`, { headers })
      return await response.json()
    }
    const reset = () =>
      fetch(`${lost.baseUrl}/api/v1/organizations/reset-invite-link`, {
        method: 'POST',
        headers: {
          cookie: `atrium_session=${founder.cookie}`,
          'content-type': 'application/json',
          origin: lost.baseUrl,
        },
        body: '{}',
      })
    try {
      expect(await ask(rotated)).toEqual(before)
      expect(await ask(lost)).toMatchObject({ code: 409, message: expect.stringContaining('Reset it') })
      // nothing took its place: it goes on working
      expect(await ask(rotated)).toEqual(before)
      const made = await (await reset()).json()
      expect(made).not.toEqual(before)
      expect(await ask(lost)).toEqual(made)
    } finally {
      await rotated.close()
      await lost.close()
    }
  })
})
