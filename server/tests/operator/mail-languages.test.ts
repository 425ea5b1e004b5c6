import { createAtriumClient, createCookieJar } from '@atrium/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWebhook } from '../chapters/webhook-scene.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../office.ts'
import { codeFor, freshCodeFor, mailsTo, newFounder, newMember, newPerson } from '../people.ts'
import { until } from '../until.ts'
import { openWebhookReceiver } from '../vendors/webhook-receiver.ts'

type MailLanguage = 'en' | 'de'

/** What each mail is known by, in the order in which one person brings them about. */
const SUBJECTS: Record<MailLanguage, Record<string, RegExp>> = {
  en: {
    code: /^\d{6} is your sign-in code$/,
    noAccount: /^No account at \S+ yet$/,
    invitation: / invites you to Analytical Engines$/,
    leaving: /^\d{6} is your code to change your address$/,
    next: /^\d{6} is your code for your new address$/,
    taken: /^You have an account at \S+$/,
    former: /^The address of your account at \S+ was changed$/,
    deletion: /^\d{6} is your code to delete your account$/,
    webhook: /^A webhook to \S+ was switched off$/,
  },
  de: {
    code: /^\d{6} ist dein Anmeldecode$/,
    noAccount: /^Noch kein Konto bei \S+$/,
    invitation: / lädt dich zu Analytical Engines ein$/,
    leaving: /^\d{6} ist dein Code, um deine Adresse zu ändern$/,
    next: /^\d{6} ist dein Code für deine neue Adresse$/,
    taken: /^Du hast ein Konto bei \S+$/,
    former: /^Die Adresse deines Kontos bei \S+ wurde geändert$/,
    deletion: /^\d{6} ist dein Code, um dein Konto zu löschen$/,
    webhook: /^Ein Webhook an \S+ wurde abgeschaltet$/,
  },
}

describe('mails', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  /** The mail to an address that is known by its subject: in the language, in both of its parts. */
  async function received(email: string, language: MailLanguage, what: string) {
    const found = async () =>
      (await mailsTo(office, email)).find(({ subject }) => SUBJECTS[language][what]?.test(subject))
    await until(async () => (await found()) !== undefined)
    const mail = await found()
    expect(mail?.html).toContain(`<html lang="${language}">`)
    return mail
  }

  it.each(['en', 'de'] as const)(
    'are written in the language that a page is read in: %s',
    async (language) => {
      const cookies = createCookieJar()
      const tag = { en: 'en-GB', de: 'de-AT' }[language]
      const browser = createAtriumClient({ baseUrl: office.baseUrl, cookies, language: () => tag })
      const [email, stranger, invited] = [freshEmail(), freshEmail(), freshEmail()]
      await browser.call('signIn', { email: stranger })
      await received(stranger, language, 'noAccount')
      await browser.call('signUp', { email })
      const code = (await received(email, language, 'code'))?.code ?? ''
      await browser.call('finalizeMagicAuth', { email, code })
      await browser.call('createOrganization', { name: 'Analytical Engines' })
      await browser.call('sendInvitation', { email: invited })
      const invitation = await received(invited, language, 'invitation')
      expect(invitation?.link).toContain('invitation_token=')
      const other = await newPerson(office)
      await browser.call('changeEmail', { email: other.email })
      await received(other.email, language, 'taken')
      const next = freshEmail()
      const before = (await mailsTo(office, email)).length
      await browser.call('changeEmail', { email: next })
      await until(async () => (await mailsTo(office, email)).length > before)
      await browser.call('confirmEmailChange', {
        code: (await received(email, language, 'leaving'))?.code ?? '',
        newCode: (await received(next, language, 'next'))?.code ?? '',
      })
      await received(email, language, 'former')
      await browser.call('deleteAccount')
      await received(next, language, 'deletion')
    },
  )

  it('are English where a browser says nothing, and follow it when it changes', async () => {
    const email = freshEmail()
    await office.browser().call('signUp', { email })
    await codeFor(office, email)
    await received(email, 'en', 'code')
    const german = createAtriumClient({ baseUrl: office.baseUrl, language: () => 'de' })
    await german.call('signIn', { email })
    await received(email, 'de', 'code')
  })

  it('that no request asks for are in the language of the person’s last sign-in', async () => {
    const founder = await newFounder(office)
    const german = createAtriumClient({
      baseUrl: office.baseUrl,
      cookies: createCookieJar(),
      language: () => 'de-AT',
    })
    const { email } = founder
    const code = await freshCodeFor(office, email, () => german.call('signIn', { email }))
    await german.call('finalizeMagicAuth', { email, code })
    const other = await newMember(office, founder, 'admin')
    const receiver = await openWebhookReceiver()
    receiver.answers = 410
    try {
      await newWebhook(founder.browser, { url: receiver.url, events: ['room.created'] })
      await founder.browser.call('createRoom', { name: 'Gone' })
      expect((await received(email, 'de', 'webhook'))?.text).toContain('Der Empfänger hat darum gebeten')
      expect((await received(other.email, 'en', 'webhook'))?.text).toContain('the receiver asked for it')
    } finally {
      await receiver.close()
    }
    // what is remembered is theirs
    const language = async () =>
      (await office.database.pool.query('select language from users where id = $1', [founder.id])).rows[0]
    expect(await language()).toEqual({ language: 'de' })
  })
})
