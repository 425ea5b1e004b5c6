/** The languages that mails are written in. */
const mailLanguages = ['en', 'de'] as const
export type MailLanguage = (typeof mailLanguages)[number]

/** To whom a mail goes, and in which language. */
export interface Addressee {
  to: string
  language: MailLanguage
}

/** No person speaks more; what comes after is not looked at. */
const RANGES_MAX = 20

/** @param header `Accept-Language` as it came. @returns what is wanted most of what we have; English where that is none */
export function mailLanguageOf(header: string | undefined): MailLanguage {
  if (header === undefined) return 'en'
  const wanted = header.split(',', RANGES_MAX).map((range) => {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
    const weight = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='))
    return { language: tag.trim().split('-')[0], weight: weight ? Number(weight.slice(2)) : 1 }
  })
  const ours = wanted
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => mailLanguages.find((one) => one === language))
  return ours.find((language) => language !== undefined) ?? 'en'
}
