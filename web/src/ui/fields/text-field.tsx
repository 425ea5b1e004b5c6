import { type InputHTMLAttributes, type RefObject, useId } from 'react'
import { classNames } from '../class-names.ts'
import './text-field.css'

type Native = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'type'
  | 'autoComplete'
  | 'inputMode'
  | 'min'
  | 'minLength'
  | 'maxLength'
  | 'placeholder'
  | 'name'
  | 'onBlur'
>

export interface TextFieldProps extends Native {
  label: string
  /** Its label is not shown; a screen reader says it. */
  labelHidden?: boolean
  value: string
  onChange(value: string): void
  /** A sentence below it. */
  hint?: string | undefined
  /** What is wrong with what was entered. */
  problem?: string | undefined
  /** Several lines. */
  rows?: number
  isRequired?: boolean
  isDisabled?: boolean
  /** Of a screen or dialog that is there to be filled in. */
  autoFocus?: boolean
  fieldRef?: RefObject<HTMLInputElement | null>
}

/** The browser's own field: it needs no more than a label, and is on the first page that anybody loads. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    labelHidden,
    value,
    onChange,
    hint,
    problem,
    rows,
    isRequired,
    isDisabled,
    fieldRef,
    ...native
  } = props
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const field = {
    ...native,
    ...{ id, value, required: isRequired === true, disabled: isDisabled === true },
    'aria-invalid': problem !== undefined,
    'aria-describedby': described || undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  return (
    <div className={classNames('text-field', problem !== undefined && 'text-field-wrong')}>
      <label htmlFor={id} className={classNames(labelHidden && 'visually-hidden')}>
        {label}
      </label>
      {rows ? <Lines {...field} rows={rows} /> : <input {...field} ref={fieldRef} />}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="text-field-hint">
          {hint}
        </span>
      )}
      <span role="alert" className="text-field-problem" id={`${id}-problem`}>
        {problem}
      </span>
    </div>
  )
}

function Lines({ type: _, ...field }: { rows: number; type?: unknown } & Record<string, unknown>) {
  return <textarea {...field} />
}
