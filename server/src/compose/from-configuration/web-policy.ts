import type { Config } from '../../configuration/config.ts'

/**
 * Of the style that react-aria-components puts into the page; a test builds the page and hears every complaint of the
 * browser.
 */
const STYLE_OF_COMPONENTS = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

/** The content security policy of the web office: itself, and the addresses that this office sends browsers to. */
export function webPolicy(
  config: Pick<Config, 'baseUrl' | 'broker' | 'media' | 'avatarPublicBaseUrl' | 's3'>,
): string {
  const { baseUrl, broker, media, avatarPublicBaseUrl, s3 } = config
  const own = new URL(baseUrl).origin
  // of the page itself, in both forms
  const isOwn = (origin: string) => origin.replace(/^ws/, 'http') === own
  const elsewhere = (...urls: (string | undefined)[]) =>
    [...new Set(urls.flatMap((url) => (url ? originsOf(url) : [])))].filter((origin) => !isOwn(origin))
  const pictures = elsewhere(avatarPublicBaseUrl)
  const store = elsewhere(s3?.endpoint)
  const endpoints = elsewhere(media?.publicUrl, broker.publicUrl, s3?.endpoint)
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", STYLE_OF_COMPONENTS],
    'img-src': ["'self'", 'data:', 'blob:', ...new Set([...pictures, ...store])],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'blob:', ...store],
    'connect-src': ["'self'", ...endpoints],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
  }
  return Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}

/** A media server and a broker are asked both by WebSocket and by plain requests. */
function originsOf(url: string): string[] {
  const { protocol, host } = new URL(url)
  if (!protocol.startsWith('ws')) return [`${protocol}//${host}`]
  return [`${protocol}//${host}`, `${protocol.replace('ws', 'http')}//${host}`]
}
