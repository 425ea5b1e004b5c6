const CODE = /(```[\s\S]*?```|`[^`\n]*`)/

/** Changes what is not code. @param code changes what is */
export function outsideCode(
  text: string,
  change: (part: string) => string,
  code = (part: string) => part,
): string {
  // every second one is code
  return text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? code(part) : change(part)))
    .join('')
}
