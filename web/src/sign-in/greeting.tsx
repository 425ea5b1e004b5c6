import { useSignInWords } from '../words/sign-in.ts'
import { partOfDay } from './part-of-day.ts'
import './greeting.css'

/** A word before the form. */
export function Greeting() {
  const words = useSignInWords()
  return (
    <div className="greeting">
      <p className="greeting-words">{words.greetings[partOfDay(new Date().getHours())]}</p>
      <p className="soft">{words.comeIn}</p>
    </div>
  )
}
