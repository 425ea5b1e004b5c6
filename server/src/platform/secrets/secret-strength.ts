/** A key of a cipher has 128 bits; random decimal digits of the shortest length that is taken have about 100. */
const BITS_MIN = 90
/** So many characters in a row count as repeated, or as a known word, and no longer one by one. */
const RUN_MIN = 3
/** Which of the known words it is, or where in the secret it stood before. */
const RUN_BITS = 8
/** What people put where a secret belongs: rows of the keyboard, and the words of instructions and examples. */
const KNOWN = [
  'qwertyuiop asdfghjkl zxcvbnm qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn 1q2w3e4r5t6z7u8i9o0p',
  'please change changeme changeit replace insert enter your this that here with real random long strong enough value atleast',
  'string text characters minimum least default example sample placeholder dummy temporary todo none null undefined',
  'secret super very most private public master root admin administrator user pass password passphrase passwd token',
  'key api jwt hmac session cookie signing encryption webhook metrics chat broker recordings database server office',
  'production development staging local localhost test testing demo only not for never insecure atrium centrifugo',
  'livekit company letmein welcome hello world monkey dragon iloveyou trustno correct horse battery staple lorem ipsum',
].join(' ')

/**
 * Whether a secret could be guessed by its look: one character over and over, short cycles, sequences, words of
 * examples. Counts roughly how many bits it takes to write it down; of what is random nearly nothing can be saved.
 */
export function isGuessable(secret: string): boolean {
  const bitsOfCharacter = Math.log2(new Set(secret).size)
  return bitsOf(secret.toLowerCase().replaceAll(/[-_. ]/g, ''), bitsOfCharacter) < BITS_MIN
}

/** What was there before, in the secret or among known words, costs no more than to say where. */
function bitsOf(secret: string, bitsOfCharacter: number): number {
  const text = `${KNOWN} ${secret}`
  let bits = 0
  let at = text.length - secret.length
  while (at < text.length) {
    const run = Math.max(repeatedAt(text, at), sequenceAt(text, at))
    const counts = run >= RUN_MIN
    bits += counts ? Math.min(RUN_BITS, run * bitsOfCharacter) : bitsOfCharacter
    at += counts ? run : 1
  }
  return bits
}

/** How many characters from there on stand as a whole further ahead; the two may overlap, as in a cycle. */
function repeatedAt(text: string, at: number): number {
  let longest = 0
  for (let from = 0; from < at; from += 1) {
    let length = 0
    while (at + length < text.length && text[from + length] === text[at + length]) length += 1
    longest = Math.max(longest, length)
  }
  return longest
}

/** How many characters from there on are each one step from the one before: `abcd`, `9876`. */
function sequenceAt(text: string, at: number): number {
  const step = text.charCodeAt(at + 1) - text.charCodeAt(at)
  if (Math.abs(step) !== 1) return 1
  let length = 2
  while (text.charCodeAt(at + length) - text.charCodeAt(at + length - 1) === step) length += 1
  return length
}
