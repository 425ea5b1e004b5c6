import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openTestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import { guestLink, newRoom } from '../../../tests/rooms.ts'

describe('the page of guests', () => {
  it('is where their links lead, of an office that is its own front end; it runs its own script and no other', async () => {
    const office = await openTestOffice()
    try {
      const founder = await newFounder(office)
      const token = await guestLink(founder, (await newRoom(founder)).id)
      const page = await fetch(`${office.baseUrl}/guest?invite_token=${token}`)
      const html = await page.text()
      expect(page.status).toBe(200)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(html).not.toContain(token)
      const script = /<script type="module">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
      const hash = createHash('sha256').update(script).digest('base64')
      expect(script).toContain('/api/v1/rtc/guest/room-auth')
      expect(page.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`)
    } finally {
      await office.close()
    }
  })

  it('is not there where the front end lives elsewhere', async () => {
    const office = await openTestOffice({ settings: { FRONTEND_URL: 'https://app.example' } })
    try {
      expect((await fetch(`${office.baseUrl}/guest`)).status).toBe(404)
    } finally {
      await office.close()
    }
  })
})
