/** `Uint8Array<ArrayBuffer>`, written so that compilers before 5.7, where it takes no argument, read the declarations. */
export type Bytes = ReturnType<Uint8ArrayConstructor['of']>

/** Bytes as base64url, without padding. */
export function toText(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** @returns undefined for what is no base64url */
export function toBytes(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
  } catch {
    return undefined
  }
}

export function joined(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** SHA-256 of a list of texts, in which no two lists look alike. */
export async function digestOf(parts: readonly (string | number)[]): Promise<Bytes> {
  const text = new TextEncoder().encode(JSON.stringify(parts))
  return new Uint8Array(await crypto.subtle.digest('SHA-256', text))
}

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}
