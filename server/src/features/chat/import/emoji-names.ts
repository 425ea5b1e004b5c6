import { nameToEmoji } from 'gemoji'

const ONE_EMOJI = /^\p{RGI_Emoji}$/v
const SKIN =
  /^(?<base>.+?)(?:::skin-tone-(?<tone>[2-6])|_(?<word>light|medium_light|medium|medium_dark|dark)_skin_tone)$/
const WORDS = ['light', 'medium_light', 'medium', 'medium_dark', 'dark']
const LIGHTEST = 0x1f3fb
/** Between letters, and in an address, colons have other meanings: `10:100:20` is no emoji. */
const NAMED = /(?<![\p{L}\p{N}/]):([\w+-]{1,100}(?:::skin-tone-[2-6])?):(?![\p{L}\p{N}])/gu

/** Texts of both products name emoji, those of the picker of a phone too. What has no emoji of Unicode keeps its name. */
export function withEmoji(text: string): string {
  return text.replaceAll(NAMED, (all, name: string) => emojiOf(name) ?? all)
}

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
