/**
 * The address of a vendor's API: an address without a path means the vendor's usual one. Without a slash at the end.
 */
export function apiAddress(url: string, usualPath: string): string {
  const base = url.replace(/\/+$/, '')
  return new URL(base).pathname === '/' ? `${base}${usualPath}` : base
}

/**
 * An id as one segment of a path; undefined where it cannot be one: dots would lead up and out of the path, and half
 * of a pair of surrogates has no encoding.
 */
export function pathSegment(id: string): string | undefined {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) return undefined
  return encodeURIComponent(id)
}
