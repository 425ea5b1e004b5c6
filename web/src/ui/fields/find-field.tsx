import { type RefObject, useEffect, useRef, useState } from 'react'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Icon } from '../icon.tsx'
import '../overlays/menu.css'
import '../overlays/popover.css'
import { useSearchKey } from '../use-search-key.ts'
import './find-field.css'
import './search-field.css'

export interface Findable {
  id: string
  label: string
  /** Where it is. */
  about: string
}

export interface FindFieldProps<Entry extends Findable> {
  /** Its name, and what it shows while it is empty. */
  label: string
  /** Shown where nothing is found. */
  none: string
  /** Those that a text finds; all of them for an empty one. */
  find(text: string): readonly Entry[]
  onChosen(entry: Entry): void
}

/** Leads to one of many by its words. Enter takes the first, arrows another one. */
export function FindField<Entry extends Findable>({ label, none, find, onChosen }: FindFieldProps<Entry>) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  useSearchKey(() => input.current?.focus())
  const found = find(text)
  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    setText('')
    onChosen(entry)
  }
  useEnter(input, () => text !== '' && choose(found[0]))
  return (
    <ComboBox
      className="find-field"
      aria-label={label}
      items={found}
      inputValue={text}
      onInputChange={setText}
      value={null}
      onChange={(id) => choose(found.find((one) => one.id === id))}
      allowsCustomValue
      allowsEmptyCollection
    >
      <div className="search-field">
        <Icon name="search" size={18} />
        <Input ref={input} placeholder={label} />
        <span className="find-field-key" aria-hidden="true">
          /
        </span>
      </div>
      <Popover className="popover find-field-found" placement="bottom end">
        <ListBox className="menu" renderEmptyState={() => <p className="soft small">{none}</p>}>
          {({ id, label: name, about }: Entry) => (
            <ListBoxItem id={id} textValue={`${name}, ${about}`} className="menu-item">
              <span className="menu-item-text">
                {name}
                <span className="menu-item-about">{about}</span>
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

/** Hears of Enter before the combo box, to which it is the end of typing where no arrow has led to an entry. */
function useEnter(input: RefObject<HTMLInputElement | null>, take: () => void): void {
  useEffect(() => {
    const field = input.current
    const hear = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || field?.hasAttribute('aria-activedescendant')) return
      event.preventDefault()
      event.stopPropagation()
      take()
    }
    field?.addEventListener('keydown', hear)
    return () => field?.removeEventListener('keydown', hear)
  })
}
