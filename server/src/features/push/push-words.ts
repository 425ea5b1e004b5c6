import type { MailLanguage } from '../../platform/mail/mail-language.ts'

/** What a browser says of a call. */
const en = {
  wrote: 'has written to you',
  mentions: (place: string) => (place === '' ? 'mentions you' : `mentions you in ${place}`),
  knocks: 'would like to talk to you for a moment',
  calls: 'is calling you',
  everybody: 'everybody',
}

const de: typeof en = {
  wrote: 'hat dir geschrieben',
  mentions: (place) => (place === '' ? 'erwähnt dich' : `erwähnt dich in ${place}`),
  knocks: 'möchte kurz mit dir sprechen',
  calls: 'ruft dich an',
  everybody: 'alle',
}

export const pushWords: Record<MailLanguage, typeof en> = { en, de }
