/**
 * Whether every percent-encoded part of an address is valid UTF-8. Readers of query strings leave as it is what they
 * cannot decode, and so take it for something else than was meant.
 */
export function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}
