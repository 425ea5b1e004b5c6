/** Minutes of a meeting, as messages of Markdown that chat shows. */

/** A message has 4,000 characters at most. */
const MESSAGE_LENGTH_MAX = 3_900
const LINE_LENGTH_MAX = 1_500
const MESSAGES_MAX = 20

/**
 * @param {{ room: string, from: number, to: number, people: { id: string, name: string, from: number, to: number }[],
 *   said: { at: number, id: string, text: string }[], listened: boolean, lost: number }} meeting moments in milliseconds
 * @returns {{ title: string, messages: string[] }}
 */
export function minutesOf({ room, from, to, people, said, listened, lost }) {
  const title = `${plain(room)}, ${new Date(from).toISOString().slice(0, 10)}, ${clock(from)} to ${clock(to)} UTC`
  const there = people.map((one) => `- ${plain(one.name)}, ${clock(one.from)} to ${clock(one.to)}`)
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const inOrder = said.toSorted((one, other) => one.at - other.at)
  const lines = inOrder.map(
    ({ at, id, text }) => `- ${clock(at)} **${plain(names.get(id) ?? id)}**: ${plain(text)}`,
  )
  return {
    title,
    messages: inMessages([
      `**Minutes of ${title}**\n\nWho was there:`,
      ...there,
      // ends the list before
      `\n${heading({ listened, hasLines: lines.length > 0 })}`,
      ...lines,
      ...(lost > 0 ? [`\n_Parts of what was said could not be written down: ${lost}._`] : []),
    ]),
  }
}

function heading({ listened, hasLines }) {
  if (!listened) return 'I did not listen: no transcriber is configured.'
  return hasLines ? 'What was said:' : 'Nothing was said.'
}

const clock = (moment) => new Date(moment).toISOString().slice(11, 16)

/** Names and words are what others wrote: they mention no one, form nothing, and stay on their line. */
function plain(text) {
  return text
    .slice(0, LINE_LENGTH_MAX)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Z}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\p{M}{4,}/gu, '')
    .replaceAll('<', '‹')
    .replace(/[\\`*_~[\]]/g, '\\$&')
    .trim()
}

/** As few as hold all lines; what is beyond the last one is left out, and that is said. */
function inMessages(lines) {
  const messages = ['']
  for (const line of lines) {
    const longer = `${messages.at(-1)}\n${line}`
    if (longer.length <= MESSAGE_LENGTH_MAX) messages[messages.length - 1] = longer
    else messages.push(line)
  }
  if (messages.length <= MESSAGES_MAX) return messages.map((message) => message.trim())
  return [...messages.slice(0, MESSAGES_MAX - 1), '_The rest is too long to be shown here._']
}
