import type { PersonInCall } from '../../media/call-state.ts'
import type { SealingState } from '../../media/sealing/sealing.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { localeNow } from '../../words/language.ts'
import { useSealedWords } from '../../words/sealed.ts'
import './sealed-mark.css'

export interface SealedMarkProps {
  sealing: SealingState
  people: readonly PersonInCall[]
  onAccept(): void
}

/** That a room is sealed, by which words one can tell, and what the seal does not hold. */
export function SealedMark({ sealing, people, onAccept }: SealedMarkProps) {
  const words = useSealedWords()
  const { hasKey, words: four, unsealed, changed } = sealing
  const namesOf = (identities: readonly string[]) =>
    new Intl.ListFormat(localeNow(), { type: 'conjunction' }).format(
      identities.map((one) => people.find(({ identity }) => identity === one)?.name ?? one),
    )
  const others = hasKey ? unsealed : []
  return (
    <details className="sealed-mark">
      <summary>
        <Icon name={changed.length > 0 || others.length > 0 ? 'warning' : 'administration'} size={16} />
        {words.sealed}
        {four && <span className="sealed-words">{four}</span>}
      </summary>
      <div className="sealed-about" role="status">
        <p>{hasKey ? words.about : words.waiting}</p>
        {four ? (
          <p>
            {words.words} <strong>{four}</strong>
          </p>
        ) : (
          <p>{words.noWords}</p>
        )}
        {others.length > 0 && <p>{words.unsealed(namesOf(others))}</p>}
        {changed.length > 0 && (
          <p>
            {words.changed(namesOf(changed))}{' '}
            <Button small onPress={onAccept}>
              {words.accept}
            </Button>
          </p>
        )}
        <p className="soft">{words.chat}</p>
      </div>
    </details>
  )
}
