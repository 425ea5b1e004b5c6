import { Icon } from '../icon.tsx'
import './search-field.css'

export interface SearchFieldProps {
  /** Its name, and what it shows while it is empty. */
  label: string
  value: string
  onChange(value: string): void
  autoFocus?: boolean
}

/** Escape empties it. */
export function SearchField({ label, value, onChange, autoFocus }: SearchFieldProps) {
  return (
    <div className="search-field">
      <Icon name="search" size={18} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: in a dialog that was opened to look for something
        autoFocus={autoFocus === true}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          // what it stands in stays open
          event.preventDefault()
          event.stopPropagation()
          onChange('')
        }}
      />
    </div>
  )
}
