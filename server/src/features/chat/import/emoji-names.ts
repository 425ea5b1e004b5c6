import { nameToEmoji } from 'gemoji'

const ONE_EMOJI = /^\p{RGI_Emoji}$/v
const SKIN =
  /^(?<base>.+?)(?:::skin-tone-(?<tone>[2-6])|_(?<word>light|medium_light|medium|medium_dark|dark)_skin_tone)$/
const WORDS = ['light', 'medium_light', 'medium', 'medium_dark', 'dark']
const LIGHTEST = 0x1f3fb

/** The emoji that Slack and Mattermost call by a name. @returns undefined: none of Unicode's, or one that they have made */
export function emojiOf(name: string): string | undefined {
  const { base = name, tone, word } = SKIN.exec(name)?.groups ?? {}
  const plain = Object.hasOwn(nameToEmoji, base) ? nameToEmoji[base] : undefined
  if (plain === undefined) return undefined
  const place = tone === undefined ? WORDS.indexOf(word ?? '') : Number(tone) - 2
  const colored =
    place === -1 ? plain : `${plain.replace('\ufe0f', '')}${String.fromCodePoint(LIGHTEST + place)}`
  return [colored, plain].find((one) => ONE_EMOJI.test(one))
}
