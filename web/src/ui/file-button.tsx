import { useRef } from 'react'
import { Button } from './button.tsx'

export interface FileButtonProps {
  label: string
  /** Of which type, as an `<input>` takes it. */
  accept: string
  busy?: boolean
  onChoose(file: File): void
}

/** Offers the choice of a file from the device. The browser's own field cannot be styled: it stays hidden. */
export function FileButton({ label, accept, busy, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onChoose(file)
          // the same file again is a choice as well
          target.value = ''
        }}
      />
      <Button small busy={busy === true} onPress={() => input.current?.click()}>
        {label}
      </Button>
    </>
  )
}
