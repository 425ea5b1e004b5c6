/** The addresses of a text that somebody has pasted, each once, and those that are none. */
export function addressesOf(text: string): { addresses: string[]; wrong: string[] } {
  const given = text
    .split(/[\s,;]+/)
    .map((one) => one.replace(/^<|>$/g, ''))
    .filter(Boolean)
  const unique = [...new Map(given.map((one) => [one.toLowerCase(), one])).values()]
  const isAddress = (one: string) => /^[^@]+@[^@]+\.[^@.]+$/.test(one)
  return { addresses: unique.filter(isAddress), wrong: unique.filter((one) => !isAddress(one)) }
}
