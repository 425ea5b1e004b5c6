/** Public address of a stored image; null where there is none. */
export function avatarUrlOf(key: string | null, imageBaseUrl: string): string | null {
  return key === null ? null : `${imageBaseUrl}/${key}`
}
