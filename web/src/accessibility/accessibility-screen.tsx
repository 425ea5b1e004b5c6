import { pagePaths } from '../../page-paths.ts'
import { type Preferences, preferences } from '../live/preferences.ts'
import { useStore } from '../live/use-session.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { useAccessibilityWords } from '../words/accessibility.ts'
import './accessibility.css'

/** What helps people who use the pages in another way, and the choices of it that need no account. */
export function AccessibilityScreen() {
  const words = useAccessibilityWords()
  const { theme, motion } = useStore(preferences)
  const themes = Object.entries(words.themes) as [Preferences['theme'], string][]
  return (
    <Outside wide>
      <PageHeading title={words.title} about={words.about} />
      <ul className="accessibility">
        {words.facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <h2>{words.onThisDevice}</h2>
      <Switch
        label={words.lessMotion}
        on={motion === 'less'}
        onChange={(on) => preferences.change({ motion: on ? 'less' : 'system' })}
      />
      <Select
        label={words.theme}
        options={themes.map(([id, label]) => ({ id, label }))}
        value={theme}
        onChange={(next) => preferences.change({ theme: next })}
      />
      <p>{words.barrier}</p>
      <a className="button" href={pagePaths.floor}>
        {words.back}
      </a>
    </Outside>
  )
}
