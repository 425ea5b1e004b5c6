/** The words for what an address or an answer names; undefined where there are none, also for what every object has. */
export function saidOf(words: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined
}
