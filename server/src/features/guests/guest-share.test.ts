import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestLink, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'

describe('the share of guests', () => {
  let office: TestOffice
  beforeAll(async () => {
    const settings = { REQUESTS_UNDER_WAY_PER_ORGANIZATION: '2', REQUESTS_UNDER_WAY_PER_USER: '1' }
    office = await openTestOffice({ settings })
  })
  afterAll(() => office.close())

  async function scene() {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    return { founder, roomId, link: await guestLink(founder, roomId) }
  }
  const ask = (inviteToken: string) =>
    office.browser().request('authorizeGuest', { inviteToken, guestName: 'Gast' })
  const preview = (inviteToken: string) => office.browser().request('previewGuestInvite', { inviteToken })

  it('is that of one person for all browsers of one link: members, other links and other organizations pass', async () => {
    const [{ founder, roomId, link }, other] = [await scene(), await scene()]
    const room = await hold(office, 'select from rooms where id = $1 for update', [roomId])
    const first = ask(link)
    await untilBlocked(office, 1)
    const answered: string[] = []
    const later = [ask(link), preview(link)].map(async (asked) => {
      const { status } = await asked
      answered.push(`${status}`)
    })
    for (let n = 0; n < 3; n += 1) {
      expect((await founder.browser.request('getRoom', { roomId })).status).toBe(200)
      expect((await preview(other.link)).status).toBe(200)
    }
    expect(answered).toEqual([])
    expect(await untilBlocked(office, 1)).toHaveLength(1)
    await room.letGo()
    expect((await first).status).toBe(200)
    await Promise.all(later)
    expect(answered).toEqual(['200', '200'])
  })

  it('is one of each admitted guest, beside that of their link', async () => {
    const { founder, roomId, link } = await scene()
    const other = await scene()
    const otherLink = await guestLink(founder, roomId)
    const { browser, guestIdentity } = await knock(link, office.browser())
    const { inviteId = '' } = await browser.call('authorizeGuest', { inviteToken: link, guestName: 'Gast' })
    await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
    const room = await hold(office, 'select from rooms where id = $1 for update', [roomId])
    const asked = ask(link)
    await untilBlocked(office, 1)
    const say = { inviteId, sound: 'on', speaking: false, hand: false } as const
    expect(await browser.request('setGuestActivity', say)).toMatchObject({ body: { error: 'not-inside' } })
    const more = ask(otherLink)
    await untilBlocked(office, 2)
    let isAnswered = false
    const said = browser.request('setGuestActivity', say).then(() => {
      isAnswered = true
    })
    expect((await preview(other.link)).status).toBe(200)
    expect(isAnswered).toBe(false)
    await room.letGo()
    await said
    expect((await Promise.all([asked, more])).map(({ status }) => status)).toEqual([200, 200])
  })
})
