import { createElement, memo, type ReactNode, useContext } from 'react'
import { type Part, parsedText } from '../../live/text/parsed-text.ts'
import { useOwnId } from '../message/own-id.ts'
import { MentionNames, useMentionName } from './mention-name.ts'
import './text.css'

/** A text as its sender formed it. */
export const FormattedText = memo(({ text }: { text: string }) => <Parts parts={parsedText(text)} />)

function Parts({ parts }: { parts: readonly Part[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order
  return parts.map((part, at) => <Shown key={at} part={part} />)
}

const TAGS = {
  bold: 'strong',
  italic: 'em',
  strike: 's',
  quote: 'blockquote',
  paragraph: 'p',
  item: 'li',
} as const

function Shown({ part }: { part: Part }): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'mention':
      return <Mention id={part.of} />
    case 'code':
      return <code>{part.text}</code>
    case 'code-block':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <pre tabIndex={0}>
          <code>{part.text}</code>
        </pre>
      )
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer">
          <Parts parts={part.parts} />
        </a>
      )
    case 'list':
      return part.start === null ? (
        <ul>
          <Parts parts={part.parts} />
        </ul>
      ) : (
        <ol start={part.start}>
          <Parts parts={part.parts} />
        </ol>
      )
    default:
      return createElement(TAGS[part.kind], null, <Parts parts={part.parts} />)
  }
}

function Mention({ id }: { id: string }) {
  const given = useContext(MentionNames)
  return given ? <span className="mention">@{given(id)}</span> : <MentionOfMember id={id} />
}

function MentionOfMember({ id }: { id: string }) {
  const name = useMentionName()
  const isMe = useOwnId() === id || id === 'room'
  return <span className={isMe ? 'mention mention-me' : 'mention'}>@{name(id)}</span>
}
