import type { MailLanguage } from '../../platform/mail/mail-language.ts'

/** Of a webhook that is switched off. */
const en = {
  subject: (host: string) => `A webhook to ${host} was switched off`,
  switchedOff: (organization: string, host: string) =>
    `The webhook of ${organization} to ${host} was switched off: the receiver asked for it, or nothing could be delivered for a day.`,
  advice:
    'Events that happen from now on are not sent there. What failed in the last 30 days is kept: once the receiver works again, switch the webhook on and have the failed events sent again.',
}

const de: typeof en = {
  subject: (host) => `Ein Webhook an ${host} wurde abgeschaltet`,
  switchedOff: (organization, host) =>
    `Der Webhook von ${organization} an ${host} wurde abgeschaltet: Der Empfänger hat darum gebeten, oder einen Tag lang konnte nichts zugestellt werden.`,
  advice:
    'Was ab jetzt geschieht, wird nicht mehr dorthin gesendet. Was in den letzten 30 Tagen fehlgeschlagen ist, bleibt aufgehoben: Sobald der Empfänger wieder funktioniert, schalte den Webhook ein und lass die fehlgeschlagenen Ereignisse noch einmal senden.',
}

export const webhookMailWords: Record<MailLanguage, typeof en> = { en, de }
