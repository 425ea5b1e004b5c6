/** The addresses of a pasted text, each once, and the parts of it that are no addresses. */
export function addressesOf(text: string): { addresses: string[]; wrong: string[] } {
  const entries = text.split(/[,;\n]+/).flatMap(partsOf)
  const unique = [...new Map(entries.map((one) => [one.toLowerCase(), one])).values()]
  return { addresses: unique.filter(isAddress), wrong: unique.filter((one) => !isAddress(one)) }
}

/** Of one entry: `Ada Lovelace <ada@example.com>` is one address; several may stand beside each other. */
function partsOf(entry: string): string[] {
  const named = [...entry.matchAll(/<([^<>]*)>/g)].map(([, address = '']) => address.trim())
  if (named.length > 0) return named.every(isAddress) ? named : [entry.trim()]
  const words = entry.split(/\s+/).filter(Boolean)
  // what is no address is told as it was written
  return words.some(isAddress) ? words : words.length > 0 ? [words.join(' ')] : []
}

function isAddress(text: string): boolean {
  return /^[^@\s]+@[^@\s]+\.[^@.\s]+$/.test(text)
}
