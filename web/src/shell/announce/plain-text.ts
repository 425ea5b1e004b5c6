const MENTION = /<@(\d{1,18}|room)>/g

/** A text of chat in plain words, with the names of those whom it mentions. */
export function plainText(text: string, nameOf: (id: string) => string): string {
  return text.replaceAll(MENTION, (_, id: string) => `@${nameOf(id)}`)
}
