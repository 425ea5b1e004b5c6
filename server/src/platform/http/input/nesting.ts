/** Of lists and objects within each other. The deepest body that any operation takes has 34. */
const DEPTH_MAX = 128

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/**
 * Whether JSON is nested deeper than anything we take. The parser takes any depth, but what walks through its value
 * call by call (`JSON.stringify` does too) runs out of stack at some thousand.
 */
export function isNestedTooDeep(json: Uint8Array): boolean {
  let depth = 0
  let inText = false
  for (let at = json.length > DEPTH_MAX ? 0 : json.length; at < json.length; at += 1) {
    const byte = json[at] as number
    if (byte === QUOTE) inText = !inText
    else if (inText) at += byte === BACKSLASH ? 1 : 0
    else if (CLOSING.has(byte)) depth -= 1
    else if (OPENING.has(byte)) depth += 1
    if (depth > DEPTH_MAX) return true
  }
  return false
}
