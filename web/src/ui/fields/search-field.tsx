import { Input } from 'react-aria-components/Input'
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import { Icon } from '../icon.tsx'
import './search-field.css'

export interface SearchFieldProps {
  /** Its name, and what it shows while it is empty. */
  label: string
  value: string
  onChange(value: string): void
}

/** Escape empties it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} className="search-field">
      <Icon name="search" size={18} />
      <Input placeholder={label} />
    </AriaSearchField>
  )
}
