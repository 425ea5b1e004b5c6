import { matches } from '../../live/matching.ts'
import { useMay } from '../../live/permissions.ts'
import { type Findable, FindField } from '../../ui/fields/find-field.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { CARDS, type Part } from '../cards.tsx'
import { type CardId, useSettingNames } from './findable-settings.ts'

export interface FoundSetting extends Findable {
  part: Part
  /** Of its card. */
  title: string
}

/** The field that finds a setting by its words, in whichever part it is. */
export function FindSetting({ onChosen }: { onChosen(setting: FoundSetting): void }) {
  const { find: words } = useAdministrationWords()
  const settings = useSettings()
  const find = (text: string) => {
    const wanted = text.trim().split(/\s+/)
    return settings.filter(({ searched }) => wanted.every((word) => matches(searched, word)))
  }
  return <FindField label={words.label} none={words.none} find={find} onChosen={onChosen} />
}

/** Those that the caller may see, each with the words that it is found by. */
function useSettings(): (FoundSetting & { searched: string })[] {
  const { parts, find: words } = useAdministrationWords()
  const may = useMay()
  const names = useSettingNames()
  return (Object.keys(CARDS) as CardId[]).flatMap((card) => {
    const { part, permission } = CARDS[card]
    if (permission && !may(permission)) return []
    const [title = '', ...more] = names[card]
    const inPart = { part, title }
    const ofCard = {
      ...{ id: card, label: title, about: parts[part] },
      searched: `${title} ${words.alsoCalled[card]}`,
    }
    const within = more.map((label) => ({
      ...{ id: `${card} ${label}`, label, about: `${parts[part]} · ${title}`, searched: label },
    }))
    return [ofCard, ...within].map((one) => ({ ...inPart, ...one }))
  })
}
