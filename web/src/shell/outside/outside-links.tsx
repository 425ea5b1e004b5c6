import { pagePaths } from '../../../page-paths.ts'
import { preferences } from '../../live/preferences.ts'
import { useInsteadWords } from '../../words/instead.ts'
import { languageNow } from '../../words/language.ts'
import { languageNames, languages } from '../../words/languages.ts'

/** Below what is filled in: the other languages, help for those who need the pages otherwise, and whether the office works. */
export function OutsideLinks() {
  const words = useInsteadWords()
  return (
    <footer className="outside-links">
      {languages
        .filter((language) => language !== languageNow())
        .map((language) => (
          <button
            key={language}
            type="button"
            lang={language}
            onClick={() => preferences.change({ language })}
          >
            {languageNames[language]}
          </button>
        ))}
      <a href={pagePaths.accessibility}>{words.accessibility}</a>
      <a href={pagePaths.health}>{words.status}</a>
    </footer>
  )
}
