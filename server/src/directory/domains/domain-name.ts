import { asciiHost } from '../../platform/text/unicode.ts'

const DOMAIN = /^(?=.{1,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
/** What an address of the web may hold around its host: the conversion below would drop or decode it in silence. */
const NOT_OF_A_NAME = /[\s\p{Cc}%/?#\\@:]/u

/** A domain of two or more labels in its ASCII form (IDNA), lower case; undefined where the text is no such name. */
export function asciiDomain(text: string): string | undefined {
  if (NOT_OF_A_NAME.test(text)) return undefined
  const domain = asciiHost(text)
  return domain !== undefined && DOMAIN.test(domain) ? domain : undefined
}
